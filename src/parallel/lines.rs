//! Many short records at once: whole lines as the elements of one array, and several stretches of them on several cores.
//!
//! A record costs little but its start and end, so short ones are not taken one by one. A stretch of lines is good or it is
//! not; if it is not, the walk takes its records one by one and finds out which is bad, where and why.

#![forbid(unsafe_code)]

use std::io;
use std::iter;

use rayon::ThreadPool;

use crate::error::Error;
use crate::framing::index_of;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Options;
use crate::parallel::Divisible;
use crate::parallel::Maker;
use crate::parallel::desk::InOrder;
use crate::parallel::desk::Work;
use crate::parallel::desk::together;
use crate::parallel::team::start;
use crate::parallel::team::threads;
use crate::sink::Stage;
use crate::walk::Consumer;
use crate::walk::Passed;
use crate::walk::padded;

/// Windows that are worth starting threads. A stretch is as long as one.
const LEAST: usize = 16;

/// Stretches for each thread that may be given out and not joined.
const AHEAD: usize = 8;

/// Stretches without a fault behind which the next fault is no sign of many.
const RARE: u64 = 64;

/// What is remembered between stretches.
#[derive(Default)]
pub(super) struct Lines {
    /// Up to here records are taken one by one, since one of them is bad.
    due: u64,
    /// Up to here stretches are taken one by one: what threads have read behind a bad one is lost.
    together_from: u64,
    /// For how many stretches that is so the next time.
    patience: u64,
    pool: Option<ThreadPool>,
    /// There are no threads to be had.
    alone: bool,
}

impl Lines {
    /// Passes over as many whole lines from `from` on as are in memory and good.
    pub(super) fn pass<C: Divisible>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        from: u64,
        consumer: &mut C,
    ) -> Result<Option<Passed>, Error> {
        let mut passed = Passed { end: from, records: 0 };
        while passed.end >= self.due && self.stretch(options, input, consumer, &mut passed)? {}
        Ok((passed.end > from).then_some(passed))
    }

    /// Passes over the next stretch, or several of them. False if there is none, or it is not good.
    fn stretch<C: Divisible>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        consumer: &mut C,
        passed: &mut Passed,
    ) -> Result<bool, Error> {
        let text = &input.bytes()[index_of(input, passed.end)..];
        let long = text.len() / options.window.max(1) >= LEAST;
        if options.threads != 1 && long && input.at_end() && passed.end >= self.together_from {
            if self.pool.is_none() && !self.alone {
                self.pool = start(threads(options).saturating_sub(1));
                self.alone = self.pool.is_none();
            }
            if self.pool.is_some() && stretch(text, options.window).is_some() {
                return self.stretches(options, input, consumer, passed);
            }
        }
        let Some(stretch) = stretch(text, options.window) else { return Ok(false) };
        let records = options.isa.run(Stretch { text: stretch, max_depth: options.max_depth, consumer });
        let end = passed.end + stretch.len() as u64;
        let Some(records) = records else {
            consumer.discard();
            self.due = end;
            return Ok(false);
        };
        consumer.release(stretch)?;
        *passed = Passed { end, records: passed.records + records };
        input.release(end);
        Ok(true)
    }

    /// Passes over stretches on all threads, up to the first one that is not good.
    fn stretches<C: Divisible>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        consumer: &mut C,
        passed: &mut Passed,
    ) -> Result<bool, Error> {
        let Some(pool) = &self.pool else { return Ok(false) };
        let work = Stretches {
            rest: &input.bytes()[index_of(input, passed.end)..],
            options,
            maker: consumer.maker(),
            ahead: AHEAD * (pool.current_num_threads() + 1),
            read: InOrder::new(),
            spare: Vec::new(),
        };
        let mut good = 0;
        let due = &mut self.due;
        let done = together(pool, work, |(length, read), spare| {
            let end = passed.end + length as u64;
            let Some(Read { records, memory, filled }) = read else {
                *due = end;
                return Ok(false);
            };
            consumer.join(&memory[..filled], 0)?;
            spare.push(memory);
            good += 1;
            *passed = Passed { end, records: passed.records + records };
            input.release(end);
            Ok(true)
        })?;
        if !done {
            self.patience = if good >= RARE { 1 } else { 2 * self.patience.max(1) };
            self.together_from = self.due.saturating_add(self.patience.saturating_mul(options.window as u64));
        }
        Ok(done)
    }
}

/// Whole lines, about as long as a window together. Nothing if the first line is longer.
fn stretch(text: &[u8], window: usize) -> Option<&[u8]> {
    let last = memchr::memrchr(b'\n', &text[..text.len().min(window)])?;
    Some(&text[..=last])
}

/// Up to `count` stretches. Fewer if a line is longer.
pub(crate) fn stretches(mut text: &[u8], window: usize, count: usize) -> Vec<&[u8]> {
    let next = || {
        let next = stretch(text, window)?;
        text = &text[next.len()..];
        Some(next)
    };
    iter::from_fn(next).take(count).collect()
}

/// Stretches, on the desk.
struct Stretches<'t, M> {
    /// What has not been given out. Nothing if no stretch follows.
    rest: &'t [u8],
    options: &'t Options,
    maker: M,
    /// Stretches that may be given out and not joined.
    ahead: usize,
    read: InOrder<(usize, Option<Read>)>,
    /// Memory of stretches that have been written.
    spare: Vec<Vec<u8>>,
}

impl<'t, M: Maker> Work for Stretches<'t, M> {
    type Job = (usize, &'t [u8], &'t Options, M, Vec<u8>);
    type Done = (usize, usize, Option<Read>);
    type Piece = (usize, Option<Read>);

    fn next(&mut self) -> Option<Self::Job> {
        if self.read.len() == self.ahead {
            return None;
        }
        let Some(next) = stretch(self.rest, self.options.window) else {
            self.rest = &[];
            return None;
        };
        self.rest = &self.rest[next.len()..];
        Some((self.read.give(), next, self.options, self.maker, self.spare.pop().unwrap_or_default()))
    }

    fn is_given(&self) -> bool {
        self.rest.is_empty()
    }

    fn run((number, text, options, maker, memory): Self::Job) -> Self::Done {
        let mut nowhere = io::sink();
        let mut part = maker.part(Stage::on(&mut nowhere, memory));
        let records = options.isa.run(Stretch { text, max_depth: options.max_depth, consumer: &mut part });
        let read = records.zip(M::into_memory(part));
        (number, text.len(), read.map(|(records, (memory, filled))| Read { records, memory, filled }))
    }

    fn came_back(&mut self, (number, length, read): Self::Done) {
        self.read.put(number, (length, read));
    }

    fn piece(&mut self) -> Option<Self::Piece> {
        self.read.take().map(|(_, piece)| piece)
    }

    fn is_joined(&self) -> bool {
        self.is_given() && self.read.len() == 0
    }

    fn spare(&mut self) -> &mut Vec<Vec<u8>> {
        &mut self.spare
    }
}

/// A good stretch: its records, and the output at the front of the memory.
struct Read {
    records: u64,
    memory: Vec<u8>,
    filled: usize,
}

/// Whole lines, to be checked as the elements of one array.
struct Stretch<'t, 'c, C> {
    text: &'t [u8],
    max_depth: Option<u64>,
    consumer: &'c mut C,
}

impl<C: Consumer> Pass for Stretch<'_, '_, C> {
    /// How many records there are, if all are good; then the consumer has taken them.
    type Output = Option<u64>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<u64> {
        let Self { text, max_depth, consumer } = self;
        // The array is a level of its own.
        let mut checker = Checker::new(kernel, max_depth.map(|depth| depth.saturating_add(1)), C::LAYOUT);
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let mut lines = checker.start_lines();
        for piece in text.chunks(Checker::<K>::TILE) {
            let whole = piece.len() == Checker::<K>::TILE;
            let tile = if whole { piece } else { padded::<K>(&mut scratch, piece, 0) };
            if !checker.check_lines(tile, C::LAYOUT, &mut lines) {
                return None;
            }
            if C::OUTPUT {
                consumer.take(kernel, checker.masks(), tile, piece.len());
            }
        }
        checker.end_lines(&lines)
    }
}
