//! The elements of an array in batches, on one thread or several, for readers that take elements as they take records.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::framing::index_of;
use crate::grammar::Nesting;
use crate::grammar::RewrittenLines;
use crate::input::Input;
use crate::options::Options;
use crate::parallel::batch::RecordBatch;
use crate::parallel::batch_work::BatchCutter;
use crate::parallel::batch_work::BatchReader;
use crate::parallel::batch_work::BatchWork;
use crate::parallel::batch_work::read_batch;
use crate::parallel::batch_work::read_batches;
use crate::parallel::elements::Reached;
use crate::parallel::elements::RemainingElements;
use crate::parallel::pool::Pool;
use crate::parallel::records::MIN_WINDOWS;
use crate::scan::AfterComma;
use crate::scan::Progress;

/// The reading of elements in batches.
#[derive(Default)]
pub(crate) struct ElementBatches {
    /// Started when first needed.
    pool: Option<Pool>,
    /// Whether no more elements are read: there are too few, or a batch was invalid or unusual, and threads would read others in vain.
    is_over: bool,
}

impl ElementBatches {
    /// Whether no more elements are read. The text is then read as if there were no batches.
    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Reads elements of the outermost open array, if `level` containers are open in it. The input must be in memory up to its end.
    /// `options` are those for an element as a document.
    pub(crate) fn read<R: BatchReader>(
        &mut self,
        options: &Options,
        input: &Input<'_>,
        from: AfterComma,
        (nesting, level): (&Nesting, usize),
        reader: &mut R,
    ) -> Result<Reached, Error> {
        let mut passed = Progress { end: from.offset, records: 0 };
        let size = options.window.max(1);
        let text = &input.bytes()[index_of(input, from.offset)..];
        let elements = RemainingElements { text, from, size, options };
        let count = text.len() / size;
        self.is_over = true;
        if count >= MIN_WINDOWS && nesting.outermost_array(from.object) == Some(level) {
            if nesting.depth() == level {
                self.is_over = !self.read_pieces(elements, count, input, reader, &mut passed)?;
            } else if let Some(next_cut) = elements.next_cut(nesting.depth() - level) {
                self.is_over = false;
                return Ok(Reached::Nothing { next_cut });
            }
        }
        Ok(Reached::Comma(AfterComma { offset: passed.end, ..from }))
    }

    /// Reads the elements in pieces, of which there are about `count`. Returns whether all batches were valid.
    fn read_pieces<R: BatchReader>(
        &mut self,
        elements: RemainingElements<'_>,
        count: usize,
        input: &Input<'_>,
        reader: &mut R,
        passed: &mut Progress,
    ) -> Result<bool, Error> {
        let options = elements.options;
        let mut pieces = elements.pieces();
        let (Some(worker), Some(first)) = (reader.worker(), pieces.next()) else { return Ok(false) };
        if self.pool.is_none() {
            self.pool = Pool::start(options, count);
        }
        if let Some(pool) = &self.pool {
            let first = RecordBatch::elements_in(first, passed.end, RewrittenLines::default());
            let work = BatchWork::new(pool, first, BatchCutter::Elements(pieces), options, worker);
            return Ok(read_batches(pool, work, input, reader, passed)?.invalid_end.is_none());
        }
        let (mut lines, mut memory) = (RewrittenLines::default(), Default::default());
        let mut next = Some(first);
        while let Some(text) = next.filter(|_| !reader.is_over()) {
            let mut batch = RecordBatch::elements_in(text, passed.end, lines);
            let Some((_, mut output)) = read_batch(&mut batch, options, worker, memory) else { return Ok(false) };
            reader.join(&mut output, &batch, passed)?;
            passed.end = batch.end();
            input.release(passed.end);
            (lines, memory, next) = (batch.into_memory(), output, pieces.next());
        }
        Ok(true)
    }
}
