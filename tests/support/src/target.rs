//! The bodies of the fuzz targets, so that `cargo test` can replay findings.

use fjson::Framing;

use crate::batches as batched;
use crate::canonical;
use crate::check;
use crate::check::Verb;
use crate::comments as commented;
use crate::compressed as archives;
use crate::difference;
use crate::edited;
use crate::escaped;
use crate::jq_fuzz;
use crate::profile;
use crate::query as queries;
use crate::random::Random;
use crate::scalar as values;
use crate::schema_fuzz;
use crate::sorted;
use crate::values as values_of;
use crate::written;

/// The body of a target.
pub type Target = fn(&[u8]);

/// All targets, by name.
pub const ALL: [(&str, Target); 22] = [
    ("validate", validate),
    ("minify", minify),
    ("pretty", pretty),
    ("pieces", pieces),
    ("records", records),
    ("profiles", profiles),
    ("scalar", scalar),
    ("escape", escape),
    ("sort", sort),
    ("canonical", canonical),
    ("comments", comments),
    ("threads", threads),
    ("query", query),
    ("compressed", compressed),
    ("document", document),
    ("deserialize", deserialize),
    ("writer", writer),
    ("jq", jq),
    ("diff", diff),
    ("schema", schema),
    ("batches", batches),
    ("edit", edit),
];

/// Every kernel gives the verdict of the reference.
pub fn validate(text: &[u8]) {
    check::agree(Verb::Validate, text);
}

/// Every kernel minifies as the reference does.
pub fn minify(text: &[u8]) {
    check::agree(Verb::Minify, text);
}

/// Every kernel pretty-prints as the reference does.
pub fn pretty(text: &[u8]) {
    check::agree(Verb::Pretty, text);
}

/// The result does not depend on how the text arrives.
pub fn pieces(text: &[u8]) {
    check::pieces(text, &mut sizes(text));
}

/// Records have the results that each would have alone, whatever the framing and however the text arrives.
pub fn records(text: &[u8]) {
    for framing in [Framing::Lines, Framing::Stream, Framing::Documents, Framing::Sequence] {
        check::records(text, framing, &mut sizes(text));
    }
}

/// As a string or a number, and as two of them, the text has the values that the reference gives it.
pub fn scalar(text: &[u8]) {
    values::string(text);
    values::number(text);
    let (left, right) = match text.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => text.split_at(text.len() / 2),
    };
    values::names(left, right);
    values::numbers(left, right);
    if let Some(bits) = text.first_chunk() {
        values::double(f64::from_bits(u64::from_le_bytes(*bits)));
    }
}

/// Escaping characters changes nothing else, however the text arrives.
pub fn escape(text: &[u8]) {
    escaped::document(text, &mut sizes(text));
}

/// Members are sorted as by the reference, however the text arrives.
pub fn sort(text: &[u8]) {
    if is_shallow(text) {
        sorted::document(text, &mut sizes(text));
    }
}

/// As JSON with comments, the text is read as with spaces in place of them, and printed with the same comments.
pub fn comments(text: &[u8]) {
    commented::read_as_blank(text, &mut sizes(text));
    commented::printed_with_comments(text, &mut sizes(text));
}

/// Chunks of any size on several threads give the same result. The first two bytes determine the size; the rest, repeated many
/// times so that it can be divided, is the document.
pub fn threads(text: &[u8]) {
    let [low, high, member @ ..] = text else { return };
    let size = usize::from(u16::from_le_bytes([*low, *high]));
    let count = 1 + 8192 / (member.len() + 1);
    let text = [b"[", &vec![member; count].join(&b',')[..], b"]"].concat();
    check::threads(&text, &mut Random::new(size as u64));
    check::threads(&[b"[0,", &b" ".repeat(4096)[..], b"1,", member].concat(), &mut Random::new(size as u64));
}

/// A query and a document have one result, and arbitrary bytes cause no panic.
pub fn query(text: &[u8]) {
    queries::fuzz::run(text);
}

/// The stricter profiles agree with the simple reader, however the text arrives.
pub fn profiles(text: &[u8]) {
    profile::check(text);
}

/// The canonical form is that of the reference, however the text arrives.
pub fn canonical(text: &[u8]) {
    if is_shallow(text) {
        canonical::document(text, &mut sizes(text));
    }
}

/// As compressed data, and compressed and then damaged, the text expands as with other decoders.
pub fn compressed(text: &[u8]) {
    archives::read_as_it_is(text, &mut sizes(text));
    archives::damage(text, &mut sizes(text));
}

/// As a document, the text has the values that a naive reader finds, on every kernel.
pub fn document(text: &[u8]) {
    values_of::document(text);
}

/// As values of Rust types, the text is read as by `serde_json`.
pub fn deserialize(text: &[u8]) {
    values_of::deserialize(text);
}

/// What is written is read back as the same value, and no sequence of calls makes the writer write anything invalid.
pub fn writer(text: &[u8]) {
    if is_shallow(text) {
        written::check(text, &mut sizes(text));
    }
}

/// A program in the jq language and a document have the same outputs in every form, and arbitrary bytes cause no panic.
pub fn jq(text: &[u8]) {
    jq_fuzz::run(text);
}

/// As two documents, the text has differences whose patches make the second one.
pub fn diff(text: &[u8]) {
    difference::check(text);
}

/// A schema and a document have one result, and arbitrary bytes cause no panic.
pub fn schema(text: &[u8]) {
    schema_fuzz::run(text);
}

/// Documents, batches of them, matches in batches and owned documents are the same, however the text arrives.
pub fn batches(text: &[u8]) {
    batched::check(text, &mut sizes(text));
}

/// A patch and a document make what a model makes of them, with comments and without.
pub fn edit(text: &[u8]) {
    if is_shallow(text) {
        edited::check(text, &mut sizes(text));
    }
}

/// Whether the stack is large enough for a recursive reference.
fn is_shallow(text: &[u8]) -> bool {
    text.iter().filter(|byte| matches!(byte, b'[' | b'{')).count() <= 1000
}

/// Sizes that depend on the text alone, so that a finding can be repeated.
fn sizes(text: &[u8]) -> Random {
    Random::new(text.iter().fold(0, |seed: u64, &byte| seed.wrapping_mul(31).wrapping_add(u64::from(byte))))
}
