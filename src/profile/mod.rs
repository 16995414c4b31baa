//! The stricter profiles: names that are unique, and I-JSON (RFC 7493), for every verb alike.
//!
//! The grammar does not know what a name or number says. So a profile stands between the walk and the verb: while tiles are
//! taken it lists where objects, strings and colons are, from masks that checking has made anyway; when text is proven it
//! looks at the names and numbers in it, before the verb may let go what it made of that text.

#![forbid(unsafe_code)]

mod characters;
mod names;
mod numbers;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::OutOfMemory;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Tile;
use crate::input::Input;
use crate::input::look;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::lanes;
use crate::options::Options;
use crate::options::Summary;
use crate::scan;
use crate::scan::Consumer;
use crate::scan::End;
use crate::scan::LookAhead;
use characters::first_bad_character;
use characters::judged_length;
use names::Names;
use names::NoName;
use numbers::LONG;
use numbers::LongNumber;
use numbers::is_of_number;
use numbers::judge_number;

/// [`scan::scan_with`] by the rules of the profile that `options` ask for.
pub(crate) fn scan_with<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    look_ahead: &mut dyn for<'p> LookAhead<Profile<'p, C>>,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    scan::scan_with(input, options, &mut Profile::new(options, consumer), look_ahead, on_error)
}

/// [`scan::first_error`] by the rules of the profile that `options` ask for.
pub(crate) fn first_error<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
) -> Result<Summary, Error> {
    scan::first_error(input, options, &mut Profile::new(options, consumer))
}

/// A consumer, and the rules for the text it takes. Every scan has one, so that each consumer is compiled into one pass and not
/// into two; without rules it costs a branch per tile.
pub(crate) struct Profile<'c, C> {
    pub(crate) consumer: &'c mut C,
    judge: Option<Judge>,
}

impl<'c, C: Consumer> Profile<'c, C> {
    pub(crate) fn new(options: &Options, consumer: &'c mut C) -> Self {
        let judge = (options.unique_keys || options.ijson).then(|| Judge::new(options.ijson));
        Self { consumer, judge }
    }

    /// Whether there are rules.
    pub(crate) fn is_strict(&self) -> bool {
        self.judge.is_some()
    }
}

impl<C: Consumer> Consumer for Profile<'_, C> {
    const LAYOUT: bool = C::LAYOUT;
    const OUTPUT: bool = C::OUTPUT;

    #[inline(always)]
    fn has_output(&self) -> bool {
        C::OUTPUT || self.judge.is_some()
    }

    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error> {
        if let Some(judge) = &mut self.judge {
            judge.begin(offset);
        }
        self.consumer.begin(offset, skipped)
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        if let Some(judge) = &mut self.judge {
            kernel.run(Mark { judge, kernel, tile, bytes, length });
        }
        self.consumer.take(kernel, tile, bytes, length);
    }

    fn held(&self) -> usize {
        self.judge.as_ref().map_or(0, Judge::held).max(self.consumer.held())
    }

    fn approve(&mut self, text: &[u8], end: End) -> Result<bool, Fault> {
        let Some(judge) = &mut self.judge else { return self.consumer.approve(text, end) };
        match (judge.judge(text, end), self.consumer.approve(text, end)) {
            (Ok(one), Ok(other)) => Ok(one && other),
            (Err(one), Err(other)) => Err(if other.offset < one.offset { other } else { one }),
            (Err(fault), Ok(_)) => Err(fault),
            (Ok(_), Err(fault)) => {
                // Names behind the fault have been met, too.
                judge.names.clear();
                Err(fault)
            }
        }
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        if let Some(judge) = &mut self.judge {
            judge.release(text)?;
        }
        self.consumer.release(text)
    }

    fn discard(&mut self) {
        if let Some(judge) = &mut self.judge {
            judge.discard();
        }
        self.consumer.discard();
    }

    fn wait(&mut self) -> Result<(), Error> {
        self.consumer.wait()
    }

    fn end(&mut self) -> Result<(), Error> {
        self.consumer.end()
    }
}

/// [`Judge::take`] as a pass of its own: in the loop of the scan it would cost registers where there are no rules.
struct Mark<'m, K: Kernel> {
    judge: &'m mut Judge,
    kernel: K,
    tile: &'m Tile<K>,
    bytes: &'m [u8],
    length: usize,
}

impl<K: Kernel> Pass for Mark<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Kernel>(self, _: L) {
        self.judge.take(self.kernel, self.tile, self.bytes, self.length);
    }
}

/// Positions a tile may list, and room for those that are overwritten behind them.
const ROOM: usize = MAX_TILE_BYTES + 64;

/// A name longer than this is not kept until it is judged: marks in it would no longer fit.
const LONGEST: usize = 1 << 31;

/// Looks at names, and for I-JSON at numbers and characters.
struct Judge {
    ijson: bool,
    names: Names,
    /// Offset of the text since the last release.
    offset: u64,
    /// Its bytes taken so far.
    length: usize,
    /// Where in it are `{`, `}` and `:`, opening quotes and, for I-JSON, the first bytes of numbers: the first `count`.
    marks: Vec<u32>,
    count: usize,
    /// Whether what was taken ends inside a string.
    in_string: bool,
    /// So many marks and bytes have been judged.
    judged_marks: usize,
    judged_bytes: usize,
    /// The last opening quote among them.
    quote: usize,
    /// A long number that goes on behind what was judged.
    number: Option<LongNumber>,
    /// So many bytes of the text have been looked at for it.
    looked: usize,
}

impl Judge {
    fn new(ijson: bool) -> Self {
        Self {
            ijson,
            names: Names::new(),
            offset: 0,
            length: 0,
            marks: Vec::new(),
            count: 0,
            in_string: false,
            judged_marks: 0,
            judged_bytes: 0,
            quote: 0,
            number: None,
            looked: 0,
        }
    }

    fn begin(&mut self, offset: u64) {
        self.names.clear();
        self.number = None;
        self.offset = offset;
        self.forget();
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize) {
        if self.marks.len() < self.count + ROOM {
            self.marks.resize(2 * self.count + ROOM, 0);
        }
        for (place, masks, _) in tile.active() {
            let braces = (masks.open | masks.close) & masks.curly;
            let mut marks = braces | masks.colon | masks.quotes & masks.in_string;
            if self.ijson {
                marks = marks | masks.scalar_start & !masks.letter;
            }
            for (lane, marks) in lanes(marks).into_iter().enumerate().take(K::SUPERBLOCK / 64) {
                #[expect(clippy::cast_possible_truncation, reason = "what is held is proven before it is so long")]
                let base = (self.length + place * K::SUPERBLOCK + 64 * lane) as u32;
                self.count += kernel.list(marks, base, &mut self.marks[self.count..]);
            }
        }
        self.in_string = tile.ends_in_string(bytes.len() / K::SUPERBLOCK);
        self.length += length;
    }

    /// The marks; and so much of the text that an index in it always fits into 32 bits.
    fn held(&self) -> usize {
        (4 * self.count).max(self.length >> 8)
    }

    /// The first fault in `text`, or whether all of it is judged. A name is judged when its colon is there, a number when
    /// something else follows it or as it comes in if it is long, and a character when it is whole.
    fn judge(&mut self, text: &[u8], end: End) -> Result<bool, Fault> {
        let mut first = self.go_on_in_number(text, end).and_then(|()| self.judge_tokens(text, end));
        let breaks_off = self.ijson && !self.in_string && self.number.is_none();
        let mut whole = match (end, text.last()) {
            (End::Name, _) => self.marks[..self.count].last().map_or(0, |&last| last as usize),
            (End::Anywhere, Some(&last)) if breaks_off && is_of_number(last) => text.len() - 1,
            _ => text.len(),
        };
        look();
        if self.ijson {
            // A name stands in front of its characters, so they wait for it.
            if self.in_string && end != End::Name {
                whole = judged_length(text);
            }
            if let Some((kind, at)) = first_bad_character(text, self.judged_bytes..whole) {
                let fault = self.fault(kind, at);
                first = first.and(Err(fault)).map_err(|first| if fault.offset < first.offset { fault } else { first });
            }
            self.judged_bytes = whole;
        }
        if first.is_err() {
            self.names.clear();
        }
        if whole < text.len() && text.len() > LONGEST {
            self.names.exhaust();
            whole = text.len();
        }
        first.map(|()| whole == text.len())
    }

    fn judge_tokens(&mut self, text: &[u8], end: End) -> Result<(), Fault> {
        while let Some(&mark) = self.marks[..self.count].get(self.judged_marks) {
            look();
            let at = mark as usize;
            match text[at] {
                b'"' => self.quote = at,
                b':' => {
                    let met = self.names.meet(text, self.quote, at, self.offset);
                    if let Some(earlier) = met.map_err(|NoName| self.fault(ErrorKind::InputChanged, at))? {
                        return Err(Fault {
                            earlier: Some(earlier),
                            ..self.fault(ErrorKind::DuplicateKey, self.quote)
                        });
                    }
                }
                b'{' => self.names.open(),
                b'}' => self.names.close(),
                _ => {
                    let (length, is_kept) = judge_number(&text[at..]);
                    if length > LONG {
                        let mut number = LongNumber::default();
                        self.looked = at + number.take(&text[at..at + LONG]);
                        if number.has_too_many_digits() {
                            return Err(self.fault(ErrorKind::InexactNumber, at));
                        }
                        self.number = Some(number);
                        self.go_on_in_number(text, end)?;
                    } else if at + length == text.len() && end != End::Document {
                        return Ok(());
                    } else if !is_kept {
                        return Err(self.fault(ErrorKind::InexactNumber, at));
                    }
                }
            }
            self.judged_marks += 1;
        }
        Ok(())
    }

    /// Judges a long number as far as it is there. What is wrong with it is known at its end, when its start may have been let
    /// go, so that is where the fault is.
    fn go_on_in_number(&mut self, text: &[u8], end: End) -> Result<(), Fault> {
        let Some(number) = &mut self.number else { return Ok(()) };
        self.looked += number.take(text.get(self.looked..).unwrap_or_default());
        if self.looked < text.len() || end == End::Document {
            let is_kept = number.is_kept();
            self.number = None;
            if !is_kept {
                return Err(self.fault(ErrorKind::InexactNumber, self.looked));
            }
        }
        Ok(())
    }

    fn fault(&self, kind: ErrorKind, at: usize) -> Fault {
        Fault::new(kind, self.offset + at as u64)
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.names.keep(text).map_err(|_| OutOfMemory::Keys)?;
        self.offset += text.len() as u64;
        self.forget();
        Ok(())
    }

    /// Nothing is taken, and nothing of it judged.
    fn forget(&mut self) {
        self.discard();
        (self.judged_marks, self.judged_bytes, self.looked) = (0, 0, 0);
    }

    /// What was judged stays judged: the same text will be taken again.
    fn discard(&mut self) {
        (self.count, self.length) = (0, 0);
    }
}
