//! A test in which each function of the library reads a memory-mapped file that changes while it is being read.
//!
//! For any two versions of the file and any moment of the change: nothing panics, the number of accesses to the text is
//! bounded by the number for an unchanged file, and the result is either that of the first version or the error that the file
//! changed. A file that only grows gives the result of the first version, of which a last line without an end may be missing.
//! `.ci/run fuzz` has a fuzz target for this, and `cargo test` runs some rounds.

#![forbid(unsafe_code)]

use crate::canonical::canonical;
use crate::canonical::canonical_difference;
use crate::documents::DocumentBatch;
use crate::documents::Mapped;
use crate::documents::for_each_document;
use crate::documents::map_documents;
use crate::documents::map_elements;
use crate::edit::EditError;
use crate::edit::Edits;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::gzip::Gzip;
use crate::gzip::gzip;
use crate::index::index;
use crate::input::Input;
use crate::input::changing::Change;
use crate::input::changing::read;
use crate::kernel::Isa;
use crate::minify::minified_difference;
use crate::minify::minify;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::pretty::Layout;
use crate::pretty::pretty;
use crate::pretty::pretty_difference;
use crate::query::Condition;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Order;
use crate::query::Query;
use crate::query::Search;
use crate::scalar::Escape;
use crate::stats::Stats;
use crate::validate::validate_each;
use crate::writer::Writer;
use std::io::Read;
use std::ops::ControlFlow;

/// Maximum length of a text.
const MAX_LENGTH: usize = 1 << 14;

const EXPRESSIONS: [&str; 28] = [
    "$",
    "$.a",
    "$.a.b",
    "$[0]",
    "$[1][0]",
    "$[-1]",
    "$[*]",
    "$[*].a",
    "$.*.b",
    "$..a",
    "$..a.b",
    "$..a..b",
    "$..*",
    "$..[0]",
    "$..[-1]",
    "$[::-1]",
    "$..['b','a']",
    "$['a','b'][0]",
    "$..[?@.a]",
    "$..[?@.b==2]",
    "$..[?@==$.a]",
    "$[?@.a==@.b].a",
    "$[?length(@)>1]",
    "$[?count(@..*)>1]",
    "$[?match(@.a,'x.*')]",
    "$..[?search(@.a,@.b)]",
    "/a/0",
    "/b/a",
];

/// The errors that were reported, in order, and the output.
#[derive(Default, Debug, PartialEq, Eq)]
struct Observed {
    errors: Vec<String>,
    output: Vec<u8>,
}

impl Observed {
    fn record_error(&mut self, error: &Error) -> ControlFlow<()> {
        self.errors.push(format!("{error:?}"));
        ControlFlow::Continue(())
    }

    fn record_mapped(&mut self, mapped: Result<Mapped<Vec<u8>>, Error>) -> ControlFlow<()> {
        match mapped {
            Ok(mapped) => {
                self.output.extend_from_slice(&mapped.result);
                ControlFlow::Continue(())
            }
            Err(error) => self.record_error(&error),
        }
    }
}

impl MatchHandler for Observed {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        let place = format!("{} {:?} {:?} {:?} ", matched.query(), matched.range(), matched.path(), matched.pointer());
        self.output.extend_from_slice(place.as_bytes());
        self.output.extend_from_slice(matched.text());
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.record_error(&error)
    }
}

/// The parameters of a round, chosen by the first bytes of the fuzzer's input.
#[derive(Debug)]
struct Choice<'c> {
    consumer: u8,
    options: u8,
    expression: u8,
    search: u8,
    /// Number of accesses to the text before it changes.
    moment: u64,
    change: Change<'c>,
}

/// Reads a text that changes while it is being read.
///
/// # Panics
/// If the result is wrong.
pub fn two_versions(data: &[u8]) {
    let Some((&[consumer, options, expression, search, low, high, cut, split], texts)) = data.split_first_chunk()
    else {
        return;
    };
    let texts = &texts[..texts.len().min(MAX_LENGTH)];
    let (first, second) = texts.split_at(texts.len() * usize::from(split) / 255);
    let change = match cut {
        0..64 => Change::Cut(u64::from(cut) * first.len() as u64 / 64),
        // If nothing is appended, only the time of the file changes, which counts as a change of what was read.
        64..96 if !second.is_empty() => Change::Append(second),
        _ => Change::Overwrite(second),
    };
    let moment = u64::from(u16::from_le_bytes([low, high]));
    check(first, &Choice { consumer, options, expression, search, moment, change });
}

fn check(text: &[u8], choice: &Choice<'_>) {
    let unchanged = |moment| read(text, choice.change, moment, u64::MAX, |input| consume(input, choice));
    let (expected, accesses) = unchanged(u64::MAX);
    let moment = 1 + choice.moment % accesses.max(1);
    let limit = 8 * accesses + 64 * text.len() as u64 + 10_000;
    let ((result, observed), _) = read(text, choice.change, moment, limit, |input| consume(input, choice));
    let shown = |result: &Result<String, Error>| match result {
        Ok(text) => text.clone(),
        Err(error) => format!("{error:?}"),
    };
    if let Change::Append(_) = choice.change {
        let lines = memchr::memrchr(b'\n', text).map_or(0, |last| last + 1);
        let (cut, _) = read(&text[..lines], choice.change, u64::MAX, u64::MAX, |input| consume(input, choice));
        let results = [&expected, &cut].map(|(result, observed)| (shown(result), observed));
        assert!(results.contains(&(shown(&result), &observed)), "{result:?} {observed:?}, expected {results:?}");
        return;
    }
    match result {
        Err(error) if error.kind() == ErrorKind::InputChanged => {
            assert!(expected.1.errors.starts_with(&observed.errors), "{observed:?}, expected {expected:?}");
        }
        result => {
            assert_eq!((shown(&result), &observed), (shown(&expected.0), &expected.1));
        }
    }
}

fn consume(input: Input<'_>, choice: &Choice<'_>) -> (Result<String, Error>, Observed) {
    let isas: Vec<_> = Isa::available().collect();
    let bit = |bits: u8, place: u32| bits >> place & 1 == 1;
    let framings = [Framing::Document, Framing::Lines, Framing::Stream, Framing::Sequence, Framing::Documents];
    let mut options = Options::new()
        .isa(isas[usize::from(choice.options >> 6) % isas.len()])
        .framing(framings[usize::from(choice.options) % framings.len()])
        .unique_keys(bit(choice.options, 2))
        .ijson(bit(choice.options, 3))
        .sort_keys(bit(choice.options, 4));
    if bit(choice.options, 5) {
        options.window = 256;
        options = options.escape(Escape::minimal().ascii());
    }
    let mut observed = Observed::default();
    let shown = |summary: Summary| format!("{summary:?}");
    let result = match choice.consumer % 16 {
        0 => validate_each(input, &options, &mut |error| observed.record_error(&error)).map(shown),
        1 => minify(input, &mut observed.output, &options).map(shown),
        2 => pretty(input, &mut observed.output, &Layout::spaces(2), &options).map(shown),
        3 => canonical(input, &mut observed.output, &options).map(shown),
        4 => canonical_difference(input, &options).map(|place| format!("{place:?}")),
        5 => minified_difference(input, &options).map(|place| format!("{place:?}")),
        6 => pretty_difference(input, &Layout::spaces(2), &options).map(|place| format!("{place:?}")),
        7 => {
            let mut stats = Stats::new();
            let read = stats.read(input, &options, &mut |error| observed.record_error(&error));
            read.map(|summary| format!("{summary:?} {stats:?}"))
        }
        8 => index(input, &mut |batch| observed.output.extend(format!("{:?}", batch.positions).bytes()), &options)
            .map(shown),
        9 => {
            let mut text = Vec::new();
            let read = input.into_reader().read_to_end(&mut text);
            let result = read.map_err(|error| error.downcast::<Error>().expect("an error of this library"));
            result.map(|_| format!("{text:?}"))
        }
        10 => {
            let encoder =
                Gzip::new().level(1).threads(1).keep_space(bit(choice.search, 0)).rsyncable(bit(choice.search, 1));
            gzip(input, &mut observed.output, &encoder, &options).map(shown)
        }
        11 => each_document(input, &options, &mut observed),
        12 => mapped_documents(input, &options, &mut observed),
        13 => edited(input, &options, &mut observed.output),
        14 => mapped_elements(input, &options, choice, &mut observed),
        _ => search(input, &options, choice, &mut observed),
    };
    (result, observed)
}

fn edited(input: Input<'_>, options: &Options, output: &mut Vec<u8>) -> Result<String, Error> {
    let mut edits = Edits::new().missing_ok(true);
    edits.delete("$..a").expect("an edit");
    edits.apply(input, output, options).map(|summary| format!("{summary:?}")).map_err(EditError::into_error)
}

fn each_document(input: Input<'_>, options: &Options, observed: &mut Observed) -> Result<String, Error> {
    let summary = for_each_document(input, options, |document| match document {
        Ok(record) => {
            let shown = format!("{} {} {}", record.number, record.offset, record.raw());
            observed.output.extend_from_slice(shown.as_bytes());
            ControlFlow::Continue(())
        }
        Err(error) => observed.record_error(&error),
    });
    summary.map(|summary| format!("{summary:?}"))
}

fn mapped_documents(input: Input<'_>, options: &Options, observed: &mut Observed) -> Result<String, Error> {
    let summary = map_documents(input, options, written, |mapped| observed.record_mapped(mapped));
    summary.map(|summary| format!("{summary:?}"))
}

fn mapped_elements(
    input: Input<'_>,
    options: &Options,
    choice: &Choice<'_>,
    observed: &mut Observed,
) -> Result<String, Error> {
    let query = expression(choice.expression);
    let summary = map_elements(input, &query, options, written, |mapped| observed.record_mapped(mapped));
    summary.map(|summary| format!("{summary:?}"))
}

/// Returns the offset and the text of each value of a batch.
fn written(batch: &DocumentBatch<'_>) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    writer.begin_array();
    for record in batch.records() {
        writer.value(batch.offset_of(record)).value(record);
    }
    writer.end();
    writer.finish().unwrap_or_default()
}

/// Returns the query with this number.
fn expression(number: u8) -> Query {
    Query::new(EXPRESSIONS[usize::from(number) % EXPRESSIONS.len()]).expect("a query")
}

fn search(input: Input<'_>, options: &Options, choice: &Choice<'_>, observed: &mut Observed) -> Result<String, Error> {
    let bit = |place: u32| choice.search >> place & 1 == 1;
    let queries = [expression(choice.expression), expression(choice.expression / 7)];
    let condition = Condition::new(if bit(0) { "@.a == 'x'" } else { "@..a" }).expect("a condition");
    let mut search = Search::new(if bit(1) { &queries } else { &queries[..1] });
    search = search.order(if bit(2) { Order::Document } else { Order::Rfc });
    if bit(3) {
        search = search.condition(&condition);
    }
    if bit(4) {
        search = search.without_paths();
    }
    if bit(5) {
        search = search.trust();
    }
    if bit(6) {
        search = search.stop_early().limit(2);
    }
    if bit(7) {
        let mut counts = [0; 2];
        let counts = &mut counts[..if bit(1) { 2 } else { 1 }];
        let summary = search.count(input, options, counts, &mut |error| observed.record_error(&error))?;
        return Ok(format!("{summary:?} {counts:?}"));
    }
    search.run(input, options, observed).map(|summary| format!("{summary:?}"))
}

#[cfg(test)]
mod tests {
    use super::Change;
    use super::Choice;
    use super::check;
    use super::two_versions;
    use crate::error::Error;
    use crate::error::ErrorKind;
    use crate::explain::random::Random;
    use crate::input::Input;
    use crate::options::Options;
    use crate::validate::validate;
    use std::io;
    use std::io::Read;
    use std::panic::catch_unwind;

    /// Appends a valid document.
    fn document(random: &mut Random, depth: usize, out: &mut Vec<u8>) {
        const KEYS: [&str; 6] =
            ["\"a\"", "\"b\"", "\"\\u0061\"", "\"\"", "\"c\\\"\"", "\"a long name, of some bytes\""];
        const SCALARS: [&str; 10] = [
            "1",
            "-2.50e3",
            "true",
            "null",
            "\"x\"",
            "\"x\\n\\ud83d\\ude00\"",
            "\"\u{e9}\"",
            "2",
            "\"\"",
            "12345678901234567890",
        ];
        let open = if depth > 0 { random.below(4) } else { 2 };
        match open {
            0 | 1 => {
                out.push(if open == 0 { b'[' } else { b'{' });
                for index in 0..random.below(6) {
                    if index > 0 {
                        out.extend_from_slice([&b","[..], b", ", b"\n,"][random.below(3)]);
                    }
                    if open == 1 {
                        out.extend_from_slice(KEYS[random.below(6)].as_bytes());
                        out.extend_from_slice([&b":"[..], b" : "][random.below(2)]);
                    }
                    document(random, depth - 1, out);
                }
                out.push(if open == 0 { b']' } else { b'}' });
            }
            _ => out.extend_from_slice(SCALARS[random.below(10)].as_bytes()),
        }
    }

    fn documents(random: &mut Random) -> Vec<u8> {
        let mut out = Vec::new();
        let count = [1, 1, 1, 4][random.below(4)];
        for _ in 0..count {
            let levels = random.below(5);
            document(random, levels, &mut out);
            out.push(b'\n');
        }
        if random.below(8) == 0 {
            let longer = [&b"["[..], &[&out[..], b","].concat().repeat(random.below(30)), &out, b"]"].concat();
            out = longer.into_iter().filter(|&byte| byte != b'\n').collect();
        }
        out
    }

    /// Returns a copy of `text` in which some bytes are replaced by bytes with a meaning in JSON.
    fn overwritten(random: &mut Random, text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        for _ in 0..=random.below(8) {
            if !text.is_empty() {
                let place = random.below(text.len());
                text[place] = b"\"\\{}[],:0 \n\xff\0"[random.below(13)];
            }
        }
        text
    }

    #[test]
    fn the_fuzz_target_takes_any_bytes() {
        let mut random = Random::new(7);
        for _ in 0..2000 {
            let mut data = documents(&mut random);
            for _ in 0..8 {
                data.insert(0, u8::try_from(random.below(256)).expect("a byte"));
            }
            two_versions(&data);
        }
    }

    #[test]
    fn a_text_that_changes_is_an_error() {
        let rounds = std::env::var("FJSON_FUZZ_N").map_or(20_000, |rounds| rounds.parse().expect("a number"));
        let from = std::env::var("FJSON_FUZZ_SEED").map_or(1, |seed| seed.parse().expect("a number"));
        for seed in from..from + rounds {
            let mut random = Random::new(seed);
            let first = documents(&mut random);
            let second = match random.below(4) {
                0 => documents(&mut random),
                1 => vec![0; first.len() - random.below(first.len() + 1)],
                _ => overwritten(&mut random, &first),
            };
            let mut byte = || u8::try_from(random.below(256)).expect("a byte");
            let [consumer, options, expression, search] = [byte(), byte(), byte(), byte()];
            let change = match random.below(8) {
                0 | 1 => Change::Cut(random.below(first.len() + 1) as u64),
                2 if !second.is_empty() => Change::Append(&second),
                _ => Change::Overwrite(&second),
            };
            let moment = random.below(1 << 16) as u64;
            let choice = Choice { consumer, options, expression, search, moment, change };
            let result = catch_unwind(|| check(&first, &choice));
            assert!(result.is_ok(), "seed {seed}: {choice:?} {}", String::from_utf8_lossy(&first));
        }
    }

    /// A reader may itself return the error that its file changed. This is reported as an error; it is not a bug in the library.
    #[test]
    fn a_reader_whose_file_changes_is_an_error() {
        struct Changing(bool);

        impl Read for Changing {
            fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
                if self.0 {
                    return Err(Error::input_changed(4).into());
                }
                self.0 = true;
                room[..4].copy_from_slice(b"[1, ");
                Ok(4)
            }
        }

        let error = validate(Input::from_reader(Changing(false)), &Options::new()).expect_err("it changes");
        assert_eq!((error.kind(), error.offset()), (ErrorKind::InputChanged, 4));
    }
}
