//! The stricter profiles, for every command: unique keys, and I-JSON (RFC 7493).
//!
//! The grammar does not look at the content of keys and numbers. So a profile sits between the scan and the consumer.
//! While tiles are taken, it lists the positions of braces, keys and numbers from masks that the check has made anyway.
//! When text is known to be valid JSON, it checks the keys and numbers in it before the consumer may release its
//! output.

#![forbid(unsafe_code)]

mod characters;
mod keys;
mod numbers;
mod unique;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Tile;
use crate::input::Input;
use crate::input::change_point;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::lanes;
use crate::options::Options;
use crate::options::Summary;
use crate::positions::Positions;
use crate::scalar::is_number_byte;
use crate::scan;
use crate::scan::Consumer;
use crate::scan::End;
use crate::scan::LookAhead;
use characters::checkable_length;
use characters::first_forbidden_character;
use keys::Keys;
use keys::MissingKey;
use numbers::LONG;
use numbers::LongNumber;
use numbers::check_number;
use numbers::is_finite;
use unique::has_unique_keys;

/// Scans like [`scan::scan_with`], with the rules of the profile that `options` select.
pub(crate) fn scan_with<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    look_ahead: &mut dyn for<'p> LookAhead<Profile<'p, C>>,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    scan::scan_with(input, options, &mut Profile::new(options, consumer), look_ahead, on_error)
}

/// Scans like [`scan::first_error`], with the rules of the profile that `options` select.
pub(crate) fn first_error<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
) -> Result<Summary, Error> {
    scan::first_error(input, options, &mut Profile::new(options, consumer))
}

/// Returns true if a valid text, whose tokens are listed, obeys the profile that `options` select. Returns false if it does not, or if
/// only a scan can tell.
pub(crate) fn accepts(text: &[u8], tokens: &Positions, options: &Options) -> bool {
    !options.is_strict() || has_rules_for_keys_only(options) && has_unique_keys(text, tokens)
}

/// Whether the profile has no other rule than that keys are unique, so that [`accepts`] may find that a text obeys it.
pub(crate) fn has_rules_for_keys_only(options: &Options) -> bool {
    options.unique_keys && !options.ijson && !options.canonical
}

/// A consumer with the rules for the text it takes. Every scan uses it, with or without rules, so that each consumer is
/// compiled once instead of twice. Without rules it costs a branch per tile.
pub(crate) struct Profile<'c, C> {
    pub(crate) consumer: &'c mut C,
    rules: Option<Rules>,
}

impl<'c, C: Consumer> Profile<'c, C> {
    pub(crate) fn new(options: &Options, consumer: &'c mut C) -> Self {
        let rules = options.is_strict().then(|| Rules::new(options.ijson, options.canonical));
        Self { consumer, rules }
    }

    /// Whether there are rules.
    pub(crate) fn is_strict(&self) -> bool {
        self.rules.is_some()
    }
}

impl<C: Consumer> Consumer for Profile<'_, C> {
    const LAYOUT: bool = C::LAYOUT;
    const OUTPUT: bool = C::OUTPUT;

    #[inline(always)]
    fn has_output(&self) -> bool {
        C::OUTPUT || self.rules.is_some()
    }

    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        if let Some(rules) = &mut self.rules {
            rules.begin(offset);
        }
        self.consumer.begin(offset, skipped)
    }

    fn fail(&mut self, read: &Summary) {
        self.consumer.fail(read);
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        if let Some(rules) = &mut self.rules {
            kernel.run(Mark { rules, kernel, tile, bytes, length });
        }
        self.consumer.take(kernel, tile, bytes, length);
    }

    fn held(&self) -> usize {
        self.rules.as_ref().map_or(0, Rules::held).max(self.consumer.held())
    }

    fn check_rules(&mut self, text: &[u8], end: End) -> Result<bool, Fault> {
        let Some(rules) = &mut self.rules else { return self.consumer.check_rules(text, end) };
        match (rules.check(text, end), self.consumer.check_rules(text, end)) {
            (Ok(one), Ok(other)) => Ok(one && other),
            (Err(one), Err(other)) => Err(if other.offset < one.offset { other } else { one }),
            (Err(fault), Ok(_)) => Err(fault),
            (Ok(_), Err(fault)) => {
                // Keys after the error have been recorded, too.
                rules.keys.clear();
                Err(fault)
            }
        }
    }

    fn skip(&mut self, length: u64) {
        if let Some(rules) = &mut self.rules {
            rules.offset += length;
        }
        self.consumer.skip(length);
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        if let Some(rules) = &mut self.rules {
            rules.release(text)?;
        }
        self.consumer.release(text)
    }

    fn discard(&mut self) {
        if let Some(rules) = &mut self.rules {
            rules.discard();
        }
        self.consumer.discard();
    }

    fn flush(&mut self) -> Result<(), Error> {
        self.consumer.flush()
    }

    fn end(&mut self) -> Result<(), Error> {
        self.consumer.end()
    }
}

/// [`Rules::take`] as a pass of its own. Inlined into the loop of the scan it would cost registers even without rules.
struct Mark<'m, K: Kernel> {
    rules: &'m mut Rules,
    kernel: K,
    tile: &'m Tile<K>,
    bytes: &'m [u8],
    length: usize,
}

impl<K: Kernel> Pass for Mark<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) {
        self.rules.take(self.kernel, self.tile, self.bytes, self.length);
    }
}

/// Room for the positions a tile may list, plus those that are written beyond the end of the list.
const ROOM: usize = MAX_TILE_BYTES + 64;

/// Limit of unchecked text: positions in longer text would no longer fit into the marks.
const MAX_UNCHECKED: usize = 1 << 31;

/// The rules for keys and, with I-JSON or for the canonical form, for numbers and characters.
struct Rules {
    ijson: bool,
    /// Whether numbers and strings must have a canonical form. Numbers are then held until they are complete.
    canonical: bool,
    keys: Keys,
    /// Offset of the text taken since the last release.
    offset: u64,
    /// Length of that text.
    length: usize,
    /// Positions in it of `{`, `}`, `:`, opening quotes and, if there are rules for them, of the first bytes of numbers. Only the
    /// first `count` are valid.
    marks: Vec<u32>,
    count: usize,
    /// Whether the text ends inside a string.
    in_string: bool,
    /// Number of marks and bytes that have been checked.
    checked_marks: usize,
    checked_bytes: usize,
    /// Position of the last opening quote among the checked marks.
    quote: usize,
    /// A long number that continues after the checked text.
    number: Option<LongNumber>,
    /// Index in the text up to which this number has been read.
    number_end: usize,
}

impl Rules {
    fn new(ijson: bool, canonical: bool) -> Self {
        Self {
            ijson,
            canonical,
            keys: Keys::new(),
            offset: 0,
            length: 0,
            marks: Vec::new(),
            count: 0,
            in_string: false,
            checked_marks: 0,
            checked_bytes: 0,
            quote: 0,
            number: None,
            number_end: 0,
        }
    }

    fn begin(&mut self, offset: u64) {
        self.keys.clear();
        self.number = None;
        self.offset = offset;
        self.reset();
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        if self.marks.len() < self.count + ROOM {
            self.marks.resize(2 * self.count + ROOM, 0);
        }
        for (place, masks, _) in tile.active() {
            let braces = (masks.open | masks.close) & masks.curly;
            let mut marks = braces | masks.colon | masks.quotes & masks.in_string;
            if self.checks_scalars() {
                marks = marks | masks.scalar_start & !masks.letter;
            }
            for (lane, marks) in lanes(marks).into_iter().enumerate().take(K::SUPERBLOCK / 64) {
                #[expect(clippy::cast_possible_truncation, reason = "the scan releases text before it is so long")]
                let base = (self.length + place * K::SUPERBLOCK + 64 * lane) as u32;
                self.count += kernel.list(marks, base, &mut self.marks[self.count..]);
            }
        }
        self.in_string = tile.ends_in_string(bytes.len() / K::SUPERBLOCK);
        self.length += length;
    }

    /// Returns the size of the marks, or a fraction of the length of the text that makes the scan stop before a
    /// position exceeds 32 bits.
    fn held(&self) -> usize {
        (4 * self.count).max(self.length >> 8)
    }

    /// Returns the first error in `text`, or whether all of it has been checked. A key is checked once its colon is
    /// there, a character once it is complete, and a number once something follows it. Long numbers are checked as they
    /// arrive.
    fn check(&mut self, text: &[u8], end: End) -> Result<bool, Fault> {
        let mut first = self.continue_number(text, end).and_then(|()| self.check_tokens(text, end));
        let may_end_in_number = self.checks_scalars() && !self.in_string && self.number.is_none();
        let mut checkable = match (end, text.last()) {
            // mutant:
            (End::Key, _) => self.marks[..self.count].last().map_or(0, |&last| last as usize),
            // mutant: (End::Anywhere, Some(&last)) if false && is_number_byte(last) => text.len() - 1,
            (End::Anywhere, Some(&last)) if may_end_in_number && is_number_byte(last) => text.len() - 1,
            _ => text.len(),
        };
        change_point();
        if self.checks_scalars() {
            // The start of a key precedes its characters, so they wait until the key is checked.
            if self.in_string && end != End::Key {
                // mutant:
                checkable = checkable_length(text, self.checked_bytes);
            }
            if let Some((kind, at)) = first_forbidden_character(text, self.checked_bytes..checkable, self.ijson) {
                let fault = self.fault(kind, at);
                // mutant: first = first.and(Err(fault)).map_err(|first| first);
                first = first.and(Err(fault)).map_err(|first| if fault.offset < first.offset { fault } else { first });
            }
            self.checked_bytes = checkable;
        }
        if first.is_err() {
            self.keys.clear();
        }
        if checkable < text.len() && text.len() > MAX_UNCHECKED {
            self.keys.exhaust();
            checkable = text.len();
        }
        first.map(|()| checkable == text.len())
    }

    fn check_tokens(&mut self, text: &[u8], end: End) -> Result<(), Fault> {
        while let Some(&mark) = self.marks[..self.count].get(self.checked_marks) {
            change_point();
            let at = mark as usize;
            match text[at] {
                b'"' => self.quote = at,
                b':' => {
                    let earlier = self.keys.insert(text, self.quote, at, self.offset);
                    if let Some(earlier) = earlier.map_err(|MissingKey| self.fault(ErrorKind::InputChanged, at))? {
                        return Err(Fault {
                            earlier: Some(earlier),
                            ..self.fault(ErrorKind::DuplicateKey, self.quote)
                        });
                    }
                }
                b'{' => self.keys.open(),
                b'}' => self.keys.close(text),
                // A number that may continue is checked when it is complete.
                // mutant: _ if self.canonical && end == End::Key => return Ok(()),
                _ if self.canonical && end == End::Anywhere && self.is_last_token(text) => return Ok(()),
                _ if self.canonical && !is_finite(&text[at..]) => {
                    return Err(self.fault(ErrorKind::InexactNumber, at));
                }
                _ if !self.ijson => {}
                _ => {
                    let (length, is_exact) = check_number(&text[at..]);
                    if length > LONG {
                        let mut number = LongNumber::default();
                        self.number_end = at + number.take(&text[at..at + LONG]);
                        // mutant: if false {
                        if number.has_too_many_digits() {
                            return Err(self.fault(ErrorKind::InexactNumber, at));
                        }
                        self.number = Some(number);
                        self.continue_number(text, end)?;
                    // mutant: } else if false {
                    } else if at + length == text.len() && end != End::Document {
                        return Ok(());
                    } else if !is_exact {
                        return Err(self.fault(ErrorKind::InexactNumber, at));
                    }
                }
            }
            self.checked_marks += 1;
        }
        Ok(())
    }

    /// Whether there are rules for numbers and characters.
    #[inline(always)]
    fn checks_scalars(&self) -> bool {
        self.ijson || self.canonical
    }

    /// Whether the token to check next is the last one, and text that follows may continue it.
    fn is_last_token(&self, text: &[u8]) -> bool {
        self.checked_marks + 1 == self.count && !self.in_string && text.last().is_some_and(|&last| is_number_byte(last))
    }

    /// Checks a long number as far as it is there. Whether it is exact is known only at its end, when its start may
    /// already have been released, so the error is reported at the end.
    fn continue_number(&mut self, text: &[u8], end: End) -> Result<(), Fault> {
        let Some(number) = &mut self.number else { return Ok(()) };
        self.number_end += number.take(text.get(self.number_end..).unwrap_or_default());
        // mutant: if self.number_end < text.len() {
        if self.number_end < text.len() || end == End::Document {
            let is_exact = number.is_exact();
            self.number = None;
            if !is_exact {
                return Err(self.fault(ErrorKind::InexactNumber, self.number_end));
            }
        }
        Ok(())
    }

    fn fault(&self, kind: ErrorKind, at: usize) -> Fault {
        Fault::new(kind, self.offset + at as u64)
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.keys.copy_keys(text).map_err(|_| OutOfMemory::Keys)?;
        self.offset += text.len() as u64;
        self.reset();
        Ok(())
    }

    /// Resets the state for new text.
    fn reset(&mut self) {
        self.discard();
        (self.checked_marks, self.checked_bytes, self.number_end) = (0, 0, 0);
    }

    /// Forgets what was taken but not what was checked, because the same text will be taken again.
    fn discard(&mut self) {
        (self.count, self.length) = (0, 0);
    }
}
