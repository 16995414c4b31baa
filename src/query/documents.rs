//! The documents of an input, one by one: each is brought into memory and checked before anybody sees it.
//!
//! One that is all of its input, and in memory already, is not copied; what is read is held until its document ends. Records are
//! taken many at a time where they are, and only those that must be taken by themselves are held.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::error::OutOfMemory;
use crate::framing::distance;
use crate::grammar::Nesting;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::memory::Grow;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::parallel::RecordBatches;
use crate::profile::Profile;
use crate::profile::scan_with;
use crate::query::records::RecordWorker;
use crate::query::records::pass;
use crate::query::stream::Excerpt;
use crate::scan::AfterComma;
use crate::scan::Consumer;
use crate::scan::LookAhead;
use crate::scan::Progress;
use std::cell::RefCell;
use std::io::ErrorKind;
use std::ops::ControlFlow;

/// A document that has been checked.
#[derive(Clone, Copy)]
pub(super) struct CheckedDocument<'t> {
    pub(super) text: &'t [u8],
    /// Where it begins in the input.
    pub(super) offset: u64,
    /// Its number, from 1 on, among good and bad ones, if there may be several.
    pub(super) record: Option<u64>,
}

/// Receives documents one by one.
pub(super) trait DocumentSink {
    /// Takes a valid document; may end the reading.
    fn take(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error>;

    /// A document is invalid; may end the reading.
    fn on_error(&mut self, error: Error) -> ControlFlow<()>;

    /// The next bytes may take their time.
    fn wait(&mut self);
}

impl<S: DocumentSink> DocumentSink for &mut S {
    fn take(&mut self, document: CheckedDocument<'_>) -> Result<ControlFlow<()>, Error> {
        S::take(self, document)
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        S::on_error(self, error)
    }

    fn wait(&mut self) {
        S::wait(self);
    }
}

/// Receives documents one by one, and what other threads have made of batches of records.
pub(super) trait DocumentReader: DocumentSink {
    /// Does the same on another thread.
    type RecordWorker: RecordWorker;

    fn worker(&self) -> Self::RecordWorker;

    /// Takes what a helper has made of a stretch of records, in front of which there are as many as its record says; may end the
    /// reading with one of them, whose end and number it tells.
    fn join(&mut self, made: <Self::RecordWorker as RecordWorker>::Output, batch: Excerpt<'_>)
    -> ControlFlow<Progress>;
}

/// Hands all documents of `input` to the reader.
pub(super) fn each_document<R: DocumentReader>(
    input: &mut Input<'_>,
    options: &Options,
    reader: &mut R,
) -> Result<Summary, Error> {
    // Pages of records are given back behind the reader.
    if options.framing.begins_alone()
        && let Some((mut view, bytes)) = input.view()
    {
        return collect(&mut view, Some(bytes), options, reader);
    }
    collect(input, None, options, reader)
}

fn collect<R: DocumentReader>(
    input: &mut Input<'_>,
    whole: Option<&[u8]>,
    options: &Options,
    reader: &mut R,
) -> Result<Summary, Error> {
    let is_record = options.framing != Framing::Document;
    // Errors come between documents, and both go to the same reader.
    let reader = RefCell::new(reader);
    let mut collect = DocumentCollector {
        reader: &reader,
        whole,
        held: Vec::new(),
        start: 0,
        length: 0,
        number: 0,
        is_record,
        ended: false,
    };
    let on_error = &mut |error| reader.borrow_mut().on_error(error);
    // A name may stand far from the one it is compared with: a profile takes the records one by one.
    let scanned = if is_record && !options.unique_keys && !options.ijson {
        let mut batches = Batches { options, reader: &reader, lines: RecordBatches::default() };
        scan_with(input, options, &mut collect, &mut batches, on_error)
    } else {
        scan_with(input, options, &mut collect, &mut (), on_error)
    };
    if collect.ended {
        let bytes = collect.start + collect.length;
        input.check_unchanged()?;
        return Ok(Summary { documents: collect.number, bytes, ..Summary::default() });
    }
    scanned
}

/// Takes the walk over whole records.
struct Batches<'o, 'r, R> {
    options: &'o Options,
    reader: &'o RefCell<&'r mut R>,
    lines: RecordBatches,
}

impl<R: DocumentReader> LookAhead<Profile<'_, DocumentCollector<'_, '_>>> for Batches<'_, '_, R> {
    fn advance(
        &mut self,
        _: &Input<'_>,
        _: AfterComma,
        _: &mut Nesting,
        _: &mut Profile<'_, DocumentCollector<'_, '_>>,
    ) -> Result<Option<AfterComma>, Error> {
        Ok(None)
    }

    fn pass_records(
        &mut self,
        input: &Input<'_>,
        from: u64,
        Profile { consumer: collect, .. }: &mut Profile<'_, DocumentCollector<'_, '_>>,
    ) -> Result<Option<Progress>, Error> {
        let Self { options, lines, reader } = self;
        let reader = &mut **reader.borrow_mut();
        let (passed, ended) = pass(lines, options, input, from, collect.number, reader)?;
        if let Some(Progress { end, records }) = passed {
            collect.number += records;
            (collect.start, collect.length) = (end, 0);
        }
        collect.ended = ended;
        if ended { Err(collect.over()) } else { Ok(passed) }
    }
}

/// Gathers the text of each document.
struct DocumentCollector<'c, 't> {
    reader: &'c RefCell<dyn DocumentSink + 'c>,
    /// All of the input, if that is in memory.
    whole: Option<&'t [u8]>,
    /// The document, if the input is not.
    held: Vec<u8>,
    start: u64,
    /// Bytes of the document so far.
    length: u64,
    number: u64,
    is_record: bool,
    /// Whether the reader has ended the reading.
    ended: bool,
}

impl DocumentCollector<'_, '_> {
    /// The walk knows no other way to end than an error, which nobody will see.
    fn over(&self) -> Error {
        Error::read(ErrorKind::Interrupted.into(), self.start)
    }
}

impl Consumer for DocumentCollector<'_, '_> {
    const LAYOUT: bool = false;
    // Nothing is made of the tiles, but the text in front of what begins the next document of a stream is wanted.
    const OUTPUT: bool = true;

    fn begin(&mut self, offset: u64, _: Option<u8>) -> Result<(), Error> {
        self.held.clear();
        (self.start, self.length) = (offset, 0);
        self.number += 1;
        Ok(())
    }

    #[inline(always)]
    fn take<K: Kernel>(&mut self, _: K, _: &Tile<K>, _: &[u8], _: usize) {}

    fn held(&self) -> usize {
        0
    }

    fn release(&mut self, text: &[u8]) -> Result<(), Error> {
        self.length += text.len() as u64;
        if self.whole.is_none() {
            self.held.room(text.len(), OutOfMemory::Document)?;
            self.held.extend_from_slice(text);
        }
        Ok(())
    }

    fn discard(&mut self) {}

    fn wait(&mut self) -> Result<(), Error> {
        self.reader.borrow_mut().wait();
        Ok(())
    }

    fn end(&mut self) -> Result<(), Error> {
        let text = match self.whole {
            Some(whole) => &whole[distance(0, self.start)..][..distance(0, self.length)],
            None => &self.held,
        };
        let record = self.is_record.then_some(self.number);
        let document = CheckedDocument { text, offset: self.start, record };
        self.ended = self.reader.borrow_mut().take(document)?.is_break();
        if self.ended { Err(self.over()) } else { Ok(()) }
    }
}
