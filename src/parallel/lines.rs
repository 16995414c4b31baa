//! Many short records at once: whole lines as the elements of one array, and several stretches of them on several cores.
//!
//! A record costs little but its start and end, so short ones are not taken one by one. A stretch of lines is good or it is
//! not; if it is not, the walk takes its records one by one and finds out which is bad, where and why.

#![forbid(unsafe_code)]

use std::io;

use rayon::ThreadPool;
use rayon::iter::IntoParallelIterator;
use rayon::iter::ParallelIterator;

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
use crate::parallel::team::pool;
use crate::sink::Stage;
use crate::walk::Consumer;
use crate::walk::Passed;
use crate::walk::padded;

/// Stretches for each thread that are read together; each is as long as a window.
const ROUND: usize = 8;

/// Rounds that are worth starting threads.
const LEAST: usize = 2;

/// What is remembered between stretches.
#[derive(Default)]
pub(super) struct Lines {
    /// Up to here records are taken one by one, since one of them is bad.
    due: u64,
    pool: Option<ThreadPool>,
    /// There are no threads to be had.
    alone: bool,
    /// Memory of stretches that have been written.
    spare: Vec<Vec<u8>>,
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
        if options.threads != 1 && input.at_end() && text.len() / options.window.max(1) >= LEAST * ROUND {
            if self.pool.is_none() && !self.alone {
                self.pool = pool(options);
                self.alone = self.pool.is_none();
            }
            if let Some(pool) = &self.pool {
                let stretches = stretches(text, options.window, ROUND * pool.current_num_threads());
                let read = read_together::<C::Maker>(pool, &stretches, options, &mut self.spare, consumer.maker());
                return self.join(&stretches, read, input, consumer, passed);
            }
        }
        let Some(stretch) = stretches(text, options.window, 1).pop() else { return Ok(false) };
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

    /// Takes what was made of stretches, up to the first one that is not good.
    fn join<C: Divisible>(
        &mut self,
        stretches: &[&[u8]],
        read: Vec<Option<Read>>,
        input: &Input<'_>,
        consumer: &mut C,
        passed: &mut Passed,
    ) -> Result<bool, Error> {
        for (stretch, read) in stretches.iter().zip(read) {
            let end = passed.end + stretch.len() as u64;
            let Some(Read { records, memory, filled }) = read else {
                self.due = end;
                return Ok(false);
            };
            consumer.join(&memory[..filled], 0)?;
            self.spare.push(memory);
            *passed = Passed { end, records: passed.records + records };
            input.release(end);
        }
        Ok(!stretches.is_empty())
    }
}

/// Up to `count` stretches of whole lines, each about as long as a window. Fewer if a line is longer.
pub(crate) fn stretches(mut text: &[u8], window: usize, count: usize) -> Vec<&[u8]> {
    let mut stretches = Vec::new();
    while stretches.len() < count
        && let Some(last) = memchr::memrchr(b'\n', &text[..text.len().min(window)])
    {
        let (stretch, rest) = text.split_at(last + 1);
        stretches.push(stretch);
        text = rest;
    }
    stretches
}

/// A good stretch: its records, and the output at the front of the memory.
struct Read {
    records: u64,
    memory: Vec<u8>,
    filled: usize,
}

/// Reads stretches on all threads of the pool.
fn read_together<M: Maker>(
    pool: &ThreadPool,
    stretches: &[&[u8]],
    options: &Options,
    spare: &mut Vec<Vec<u8>>,
    maker: M,
) -> Vec<Option<Read>> {
    let jobs: Vec<_> = stretches.iter().map(|&text| (text, spare.pop().unwrap_or_default())).collect();
    let read = |(text, memory)| {
        let mut nowhere = io::sink();
        let mut part = maker.part(Stage::on(&mut nowhere, memory));
        let records = options.isa.run(Stretch { text, max_depth: options.max_depth, consumer: &mut part })?;
        let (memory, filled) = M::into_memory(part)?;
        Some(Read { records, memory, filled })
    };
    pool.install(|| jobs.into_par_iter().map(read).collect())
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
