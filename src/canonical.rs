//! The canonical form of RFC 8785 (JCS): two documents that say the same become the same bytes.
//!
//! Names are sorted by UTF-16 code unit, numbers are written as ECMAScript writes the double nearest to them, strings with no
//! escape that need not be. What would make two answers possible is refused: names that stand twice, halves of surrogate pairs,
//! numbers greater than any double. The index tells where the tokens are; each is written anew, and the stage sorts.

#![forbid(unsafe_code)]

use std::io::Write;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::framing::begin_document;
use crate::grammar::Tile;
use crate::index::Index;
use crate::index::TokenBatch;
use crate::index::Visitor;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Sort;
use crate::options::Summary;
use crate::profile::first_error;
use crate::scalar::Escape;
use crate::scalar::Number;
use crate::scalar::NumberBuffer;
use crate::scalar::StringError;
use crate::scalar::StringErrorKind;
use crate::scalar::are_paired;
use crate::scalar::has_escapes;
use crate::scalar::reescape;
use crate::scan::Consumer;
use crate::scan::End;
use crate::sink::Stage;

/// Copies `input` to `sink` in the canonical form of RFC 8785, checking it on the way. Documents that say the same are the same
/// bytes then, so that they can be compared, hashed and signed.
///
/// An object is held in memory until it is closed, with all that is in it, as for
/// [`Options::sort_keys`](crate::Options::sort_keys). One document is written without a line break behind it; of several, each
/// is followed by a line break, and in a sequence each stands behind a record separator.
///
/// # Errors
/// The first error of the first bad document. Besides what is no JSON that is a name that stands twice in an object
/// ([`DuplicateKey`](ErrorKind::DuplicateKey)), half of a surrogate pair ([`LoneSurrogate`](ErrorKind::LoneSurrogate)), or a
/// number greater than any double ([`InexactNumber`](ErrorKind::InexactNumber)). All whole tokens in front of it have been
/// written then, but for objects that are not complete. Or an error of reading or writing, or of
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
    let options = of_form(options);
    let mut consumer = Canonical::new(Stage::new(&mut sink, input.bytes().len(), &options, 0), &options);
    let result = first_error(&mut input, &options, &mut consumer);
    consumer.stage().finish()?;
    result
}

/// Whether `input` is byte for byte what [`canonical`] would write: nothing if it is, and otherwise the offset of the first byte
/// that differs, which is the length of the input if the output only goes on behind it.
///
/// # Errors
/// As for [`canonical`], but for writing.
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
    let options = of_form(options);
    let mut consumer = Canonical::new(Stage::comparing(input.bytes().len(), &options, 0), &options);
    let summary = first_error(&mut input, &options, &mut consumer)?;
    consumer.index.visitor.stage.first_difference(summary.bytes, options.framing.terminator())
}

/// What the form leaves of the choices.
fn of_form(options: &Options) -> Options {
    let mut options = options.clone().unique_keys(true).escape(Escape::minimal());
    options.sort = Sort::Units;
    options
}

/// How often a token is in memory before it is written: as it was read, on the stage, and where members are sorted.
const COPIES: u64 = 3;

/// Bytes that are let go together without being one token.
const SHORT: usize = 8 << 20;

struct Canonical<'w> {
    index: Index<Tokens<'w>>,
    /// Tokens that have been judged since the last release.
    judged: usize,
    framing: Framing,
    limit: u64,
}

impl<'w> Canonical<'w> {
    fn new(stage: Stage<'w>, options: &Options) -> Self {
        let tokens = Tokens { stage, is_value: false, text: Vec::new(), number: NumberBuffer::new() };
        let (framing, limit) = (options.framing, options.max_memory);
        Self { index: Index::new(tokens, limit), judged: 0, framing, limit }
    }

    /// Refuses text that can only be let go as a whole, because it is one token, and takes too much memory until it is written.
    fn check_cost(&self, length: usize) -> Result<(), Error> {
        if COPIES.saturating_mul(length as u64) > self.limit && length > SHORT {
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
        self.stage().pass_over(offset, skipped)?;
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

    /// Text is let go between two tokens only, so that each is seen whole before any of it is written.
    fn approve(&mut self, text: &[u8], end: End) -> Result<bool, Fault> {
        let ends = end == End::Document || !self.index.may_go_on(text);
        let listed = self.index.listed(text, ends);
        let from = std::mem::replace(&mut self.judged, listed.positions.len());
        listed.tokens().skip(from).try_for_each(judge).map(|()| ends)
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.judged = 0;
        self.check_cost(text.len())?;
        self.index.release(text)?;
        let kept = self.index.kept();
        self.stage().release(text, kept)
    }

    fn discard(&mut self) {
        self.judged = 0;
        self.index.discard();
    }

    fn wait(&mut self) -> Result<(), Error> {
        self.check_cost(self.index.length())?;
        self.stage().write()
    }

    fn end(&mut self) -> Result<(), Error> {
        self.index.end()?;
        if self.framing != Framing::Document {
            self.stage().push(b"\n");
        }
        self.stage().release(b"", 0)
    }
}

/// Refuses a token that has no canonical form.
fn judge((offset, token): (u64, &[u8])) -> Result<(), Fault> {
    match token {
        [b'"', text @ .., b'"'] if has_escapes(text) => are_paired(text).map_err(|error| {
            let kind = match error.kind() {
                // The grammar has seen to all others.
                StringErrorKind::InvalidEscape => ErrorKind::InputChanged,
                _ => ErrorKind::LoneSurrogate,
            };
            Fault::new(kind, offset + 1 + error.offset() as u64)
        }),
        [b'-' | b'0'..=b'9', ..] if Number::new(token).is_some_and(|number| number.to_f64().is_infinite()) => {
            Err(Fault::new(ErrorKind::InexactNumber, offset))
        }
        _ => Ok(()),
    }
}

/// Writes tokens in their canonical form to the stage.
struct Tokens<'w> {
    stage: Stage<'w>,
    /// Whether the next token is a value behind a name.
    is_value: bool,
    text: Vec<u8>,
    number: NumberBuffer,
}

impl Visitor for Tokens<'_> {
    fn begin(&mut self, _: u64) -> Result<(), Error> {
        self.is_value = false;
        Ok(())
    }

    fn take(&mut self, batch: TokenBatch<'_>) -> Result<(), Error> {
        for (offset, token) in batch.tokens() {
            self.token(token).map_err(|error| match error.kind() {
                StringErrorKind::OutOfMemory => OutOfMemory::Token.into(),
                _ => Error::input_changed(offset),
            })?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        Ok(())
    }
}

impl Tokens<'_> {
    fn token(&mut self, token: &[u8]) -> Result<(), StringError> {
        let is_value = std::mem::replace(&mut self.is_value, token == b":");
        if is_value || matches!(token, [b'{' | b'}' | b'"', ..]) {
            self.stage.mark(0, is_value);
        }
        match token {
            [b'"', text @ .., b'"'] if has_escapes(text) => {
                self.text.clear();
                reescape(text, Escape::minimal(), &mut self.text)?;
                self.stage.push(b"\"");
                self.stage.push(&self.text);
                self.stage.push(b"\"");
            }
            [b'-' | b'0'..=b'9', ..] => {
                let double = Number::new(token).and_then(|number| self.number.ecmascript(number.to_f64()));
                self.stage.push(double.map_or(token, str::as_bytes));
            }
            _ => self.stage.push(token),
        }
        Ok(())
    }
}
