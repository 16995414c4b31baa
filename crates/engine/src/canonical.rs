//! The canonical form of RFC 8785 (JCS): documents with equal content become equal bytes.
//!
//! Keys are sorted by UTF-16 code units, numbers are written as ECMAScript writes the nearest double, and strings
//! contain only the necessary escapes. Content without a unique form is rejected: duplicate keys, lone surrogates, and
//! numbers too large for a double. The index provides the tokens, this module rewrites them, and the stage sorts.

#![forbid(unsafe_code)]

use std::io::Write;
use std::ops::Range;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::framing::begin_document;
use crate::grammar::Tile;
use crate::grammar::is_whitespace;
use crate::index::Index;
use crate::index::List;
use crate::index::TokenBatch;
use crate::index::Visitor;
use crate::input::Input;
use crate::input::change_point;
use crate::kernel::Kernel;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Sort;
use crate::options::Summary;
use crate::parallel::ChunkFactory;
use crate::parallel::ConsumerFactory;
use crate::parallel::Divisible;
use crate::parallel::LineConsumer;
use crate::parallel::first_error;
use crate::profile;
use crate::scalar::Escape;
use crate::scalar::Number;
use crate::scalar::NumberBuffer;
use crate::scalar::StringError;
use crate::scalar::StringErrorKind;
use crate::scalar::are_paired;
use crate::scalar::has_escapes;
use crate::scalar::is_ecmascript;
use crate::scalar::reescape;
use crate::scan::Consumer;
use crate::scan::End;
use crate::sink;
use crate::sink::Division;
use crate::sink::Stage;

/// Copies `input` to `sink` in the canonical form of RFC 8785 and validates it on the way. Documents with equal content
/// become equal bytes, so they can be compared, hashed and signed.
///
/// An object is held in memory with everything in it until it is closed, as for
/// [`Options::sort_keys`](crate::Options::sort_keys). Line breaks and record separators are those of
/// [`minify`](crate::minify()).
///
/// # Errors
/// Returns the first error of the first invalid document. Besides syntax errors these are a duplicate key
/// ([`DuplicateKey`](ErrorKind::DuplicateKey)), a lone surrogate ([`LoneSurrogate`](ErrorKind::LoneSurrogate)), and a
/// number too large for a double ([`InexactNumber`](ErrorKind::InexactNumber)). All complete tokens before the error
/// have then been written, except for objects that are not complete. Or returns an error of reading or writing, or of
/// [memory](crate::Options::max_memory).
///
/// ```
/// let mut sink = Vec::new();
/// let text = r#"{"b": 1.50, "a": [1e21, "\u0041\/\u20ac"]}"#;
/// fjson::canonical(text, &mut sink, &fjson::Options::new())?;
/// assert_eq!(String::from_utf8_lossy(&sink), r#"{"a":[1e+21,"A/€"],"b":1.5}"#);
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn canonical<'a>(input: impl Into<Input<'a>>, mut sink: impl Write, options: &Options) -> Result<Summary, Error> {
    let mut input = input.into();
    let options = canonical_options(options);
    let mut consumer = Canonical::new(Stage::new(&mut sink, input.bytes().len(), &options, 0), &options);
    let result = first_error(&mut input, &options, &mut consumer);
    consumer.stage().end(&result)?;
    consumer.stage().finish()?;
    result
}

/// Compares `input` with what [`canonical`] would write. Returns `None` if they are equal, and otherwise the offset of
/// the first byte that differs. If the input is a prefix of the output, that is the length of the input.
///
/// # Errors
/// Returns the errors of [`canonical`], except for those of writing.
///
/// ```
/// use fjson::{Options, canonical_difference};
///
/// assert_eq!(canonical_difference(r#"{"a":1,"b":2}"#, &Options::new())?, None);
/// assert_eq!(canonical_difference(r#"{"b":2,"a":1}"#, &Options::new())?, Some(2));
/// # Ok::<(), fjson::Error>(())
/// ```
pub fn canonical_difference<'a>(input: impl Into<Input<'a>>, options: &Options) -> Result<Option<u64>, Error> {
    let mut input = input.into();
    let options = canonical_options(options);
    let start = input.start();
    let mut consumer = Canonical::new(Stage::comparing(start, input.bytes().len(), &options, 0), &options);
    let result = profile::first_error(&mut input, &options, &mut consumer);
    consumer.stage().end(&result)?;
    let summary = result?;
    consumer.index.visitor.stage.first_difference(start + summary.bytes, options.framing.terminator())
}

/// Returns the options with those that the canonical form fixes.
fn canonical_options(options: &Options) -> Options {
    let mut options = options.clone().unique_keys(true).escape(Escape::minimal()).unescape(false);
    options.sort = Sort::Units;
    options
}

/// Number of copies of a token in memory before it is written: as read, on the stage, and in the sorter.
const COPIES: u64 = 3;

/// Length above which text that is released together is a single token, so that the memory limit applies to it.
const SINGLE_TOKEN_LENGTH: usize = 8 << 20;

struct Canonical<'w> {
    index: Index<TokenWriter<'w>>,
    /// Number of tokens since the last release that have been checked.
    checked: usize,
    /// Positions of those of them that are not in canonical form.
    rewrites: Vec<u32>,
    framing: Framing,
    /// Whether a line break follows each document.
    ends_lines: bool,
    limit: u64,
}

impl<'w> Canonical<'w> {
    fn new(stage: Stage<'w>, options: &Options) -> Self {
        let stage = stage.hold_first_break(options.holds_first_break());
        let framing = options.framing;
        Self {
            framing,
            ends_lines: options.ends_lines(),
            ..Self::of_part(stage, Memory::default(), options.max_memory)
        }
    }

    /// Creates the consumer of a part, which has no framing.
    fn of_part(stage: Stage<'w>, memory: Memory, limit: u64) -> Self {
        let Memory { list, rewrites: [mut rewrites, next], text } = memory;
        rewrites.clear();
        let tokens = TokenWriter { stage, is_value: false, rewrites: next, text, number: NumberBuffer::new() };
        Self {
            index: Index::with_line_breaks(tokens, list, limit),
            checked: 0,
            rewrites,
            framing: Framing::Document,
            ends_lines: false,
            limit,
        }
    }

    /// Rejects a long token that takes too much memory until it is written.
    fn check_cost(&self, length: usize) -> Result<(), Error> {
        if COPIES.saturating_mul(length as u64) > self.limit && length > SINGLE_TOKEN_LENGTH {
            return Err(Error::token_limit(self.limit, self.index.offset()));
        }
        Ok(())
    }

    fn stage(&mut self) -> &mut Stage<'w> {
        &mut self.index.visitor.stage
    }
}

impl Consumer for Canonical<'_> {
    const LAYOUT: bool = false;
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        self.stage().skip_to(offset, skipped)?;
        let framing = self.framing;
        begin_document(self.stage(), framing)?;
        self.index.begin(offset, skipped)
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        self.index.take(kernel, tile, bytes, length);
    }

    fn held(&self) -> usize {
        self.index.held()
    }

    /// Releases text between two tokens only, so that each token is checked as a whole before any of it is written.
    fn check_rules(&mut self, text: &[u8], end: End) -> Result<bool, Fault> {
        let ends = end == End::Document || !self.index.may_continue(text);
        let batch = self.index.batch(text, ends);
        let from = std::mem::replace(&mut self.checked, batch.positions.len());
        check_tokens(batch, from, &mut self.rewrites).map(|()| ends)
    }

    fn skip(&mut self, length: u64) {
        self.index.skip(length);
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.check_cost(text.len())?;
        // Text before an error is released without a check, and nothing in it is rejected.
        // mutant:
        check_tokens(self.index.batch(text, true), self.checked, &mut self.rewrites).ok();
        self.checked = 0;
        std::mem::swap(&mut self.rewrites, &mut self.index.visitor.rewrites);
        self.rewrites.clear();
        self.index.release(text)?;
        let incomplete_length = self.index.incomplete().len();
        self.stage().release(text, incomplete_length)
    }

    fn discard(&mut self) {
        self.checked = 0;
        self.rewrites.clear();
        self.index.discard();
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.check_cost(self.index.length())?;
        self.stage().write()
    }

    fn end(&mut self) -> Result<(), Error> {
        // A number at the end of a document is passed on only now, at position 0 of a text of its own.
        let is_rewritten = !is_canonical(self.index.incomplete());
        self.index.visitor.rewrites.clear();
        // mutant: self.index.visitor.rewrites.extend(is_rewritten.then_some(0).filter(|_| false));
        self.index.visitor.rewrites.extend(is_rewritten.then_some(0));
        self.index.end()?;
        if self.ends_lines {
            self.stage().push(b"\n");
        }
        self.stage().release(b"", 0)
    }
}

/// A line break that ends a record is a token of a batch of records, and is copied.
impl LineConsumer for Canonical<'_> {}

impl Divisible for Canonical<'_> {
    type Factory = CanonicalFactory;

    fn factory(&self) -> CanonicalFactory {
        CanonicalFactory
    }

    fn divides_records(&self, options: &Options) -> bool {
        self.index.visitor.stage.divides_records(options)
    }

    fn division(&self) -> Division {
        self.index.visitor.stage.division().min(Division::RootElements)
    }

    fn join(&mut self, output: &Output, _: i64) -> Result<bool, Error> {
        self.stage().write_through(&output.stage).map(|()| true)
    }
}

/// Creates consumers of batches of records. A batch has no framing.
#[derive(Clone, Copy)]
struct CanonicalFactory;

/// The output of a batch.
#[derive(Default)]
struct Output {
    stage: sink::Output,
    memory: Memory,
}

/// Memory for reuse.
#[derive(Default)]
struct Memory {
    list: List,
    rewrites: [Vec<u32>; 2],
    text: Vec<u8>,
}

impl ChunkFactory for CanonicalFactory {
    const LEVELS: bool = false;

    fn enter(_: &mut Canonical<'static>, _: i64) {}
}

impl ConsumerFactory for CanonicalFactory {
    type Part = Canonical<'static>;
    type Output = Output;

    fn part(self, options: &Options, Output { stage, memory }: Output) -> Canonical<'static> {
        Canonical::of_part(Stage::in_memory(stage, options, 0), memory, options.max_memory)
    }

    fn into_output(part: Canonical<'static>) -> Option<Output> {
        let Canonical { index, rewrites, .. } = part;
        let (TokenWriter { stage, rewrites: next, text, .. }, list) = index.into_parts();
        Some(Output { stage: stage.into_output()?, memory: Memory { list, rewrites: [rewrites, next], text } })
    }
}

/// Rejects the first token that has no canonical form, from the one with the index `from` on. Lists the positions of those that are
/// not in canonical form.
fn check_tokens(batch: TokenBatch<'_>, from: usize, rewrites: &mut Vec<u32>) -> Result<(), Fault> {
    for (index, &position) in batch.positions.iter().enumerate().skip(from) {
        change_point();
        if matches!(batch.text[position as usize], b'"' | b'-' | b'0'..=b'9') {
            let token = &batch.text[token_range(batch, index)];
            if !is_canonical(token) {
                check_token(batch.offset + u64::from(position), token)?;
                rewrites.push(position);
            }
        }
    }
    Ok(())
}

/// Returns the range of the token with this index. A line break is a token of one byte.
#[inline(always)]
fn token_range(batch: TokenBatch<'_>, index: usize) -> Range<usize> {
    let start = batch.positions[index] as usize;
    let mut end = batch.positions.get(index + 1).map_or(batch.text.len(), |&next| next as usize);
    while end > start + 1 && is_whitespace(batch.text[end - 1]) {
        end -= 1;
    }
    start..end
}

/// Rejects a token that has no canonical form.
fn check_token(offset: u64, token: &[u8]) -> Result<(), Fault> {
    match token {
        [b'"', text @ .., b'"'] => are_paired(text).map_err(|error| {
            let kind = match error.kind() {
                // The grammar has excluded all others.
                StringErrorKind::InvalidEscape => ErrorKind::InputChanged,
                _ => ErrorKind::LoneSurrogate,
            };
            Fault::new(kind, offset + 1 + error.offset() as u64)
        }),
        // mutant: _ if Number::new(token).is_some_and(|number| number.to_f64().is_nan()) => {
        _ if Number::new(token).is_some_and(|number| number.to_f64().is_infinite()) => {
            Err(Fault::new(ErrorKind::InexactNumber, offset))
        }
        _ => Ok(()),
    }
}

/// A visitor that writes tokens to the stage in their canonical form. Adjacent tokens that are canonical already are staged together.
struct TokenWriter<'w> {
    stage: Stage<'w>,
    /// Whether the next token is a member value.
    is_value: bool,
    /// Positions of the tokens in the next batch that are not in canonical form.
    rewrites: Vec<u32>,
    text: Vec<u8>,
    number: NumberBuffer,
}

impl Visitor for TokenWriter<'_> {
    fn begin(&mut self, _: u64) -> Result<(), Error> {
        self.is_value = false;
        Ok(())
    }

    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error> {
        let rewrites = std::mem::take(&mut self.rewrites);
        let mut next_rewrites = rewrites.iter().copied().peekable();
        // The part of the text that has been marked and not staged.
        let mut run = 0..0;
        for (index, &position) in batch.positions.iter().enumerate() {
            change_point();
            let token = token_range(batch, index);
            if token.start != run.end {
                self.stage.push(&batch.text[run]);
                run = token.start..token.start;
            }
            let first = batch.text[token.start];
            let is_value = std::mem::replace(&mut self.is_value, first == b':');
            if is_value || matches!(first, b'{' | b'}' | b'"') {
                self.stage.mark(run.len(), is_value);
            }
            if next_rewrites.next_if_eq(&position).is_none() {
                run.end = token.end;
            } else {
                self.stage.push(&batch.text[run]);
                run = token.end..token.end;
                self.rewrite(&batch.text[token]).map_err(|error| match error.kind() {
                    StringErrorKind::OutOfMemory => OutOfMemory::Token.into(),
                    _ => Error::input_changed(batch.offset + u64::from(position)),
                })?;
            }
        }
        self.stage.push(&batch.text[run]);
        self.rewrites = rewrites;
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

/// Whether a string or number is known to be its own canonical form.
fn is_canonical(token: &[u8]) -> bool {
    match token {
        [b'"', text @ ..] => !has_escapes(text),
        _ => is_ecmascript(token),
    }
}

impl TokenWriter<'_> {
    /// Stages the canonical form of a number, or of a string with escapes.
    fn rewrite(&mut self, token: &[u8]) -> Result<(), StringError> {
        if let [b'"', text @ .., b'"'] = token {
            self.text.clear();
            reescape(text, Escape::minimal(), &mut self.text)?;
            self.stage.push(b"\"");
            self.stage.push(&self.text);
            self.stage.push(b"\"");
        } else {
            let double = Number::new(token).and_then(|number| self.number.ecmascript(number.to_f64()));
            self.stage.push(double.map_or(token, str::as_bytes));
        }
        Ok(())
    }
}
