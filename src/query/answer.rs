//! What is asked of documents that are in memory, or of values in them, and heard of the general evaluator.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::kernel::Isa;
use crate::query::Condition;
use crate::query::Match;
use crate::query::Order;
use crate::query::Query;
use crate::query::Receiver;
use crate::query::documents::Checked;
use crate::query::documents::Reader;
use crate::query::evaluate::Evaluation;
use crate::query::evaluate::holds;
use crate::query::split::Rest;
use crate::query::stream::Excerpt;
use crate::query::stream::Sink;
use crate::query::stream::Span;
use std::ops::ControlFlow;
use std::slice;

/// Knows where the last match is.
pub(super) trait Place {
    fn path(&mut self) -> String;
    fn pointer(&mut self) -> Option<String>;
}

impl Place for Evaluation<'_, '_> {
    fn path(&mut self) -> String {
        self.path()
    }

    fn pointer(&mut self) -> Option<String> {
        self.pointer()
    }
}

/// What is asked of each document, or of each value that the first part of a query finds.
pub(super) struct Questions<'q> {
    queries: &'q [Query],
    condition: Option<&'q Condition>,
    isa: Isa,
    /// Whether queries [go on](Rest::goes_on) in values.
    goes_on: bool,
    /// The end of the last value that was asked.
    asked: u64,
}

impl<'q> Questions<'q> {
    /// Of documents.
    pub(super) fn new(queries: &'q [Query], condition: Option<&'q Condition>, isa: Isa) -> Self {
        Self { queries, condition, isa, goes_on: false, asked: 0 }
    }

    /// Of values.
    pub(super) fn of_rest(rest: &'q Rest, isa: Isa) -> Self {
        let Rest { condition, query, goes_on } = rest;
        Self { goes_on: *goes_on, ..Self::new(slice::from_ref(query), condition.as_ref(), isa) }
    }

    /// A value as a document, unless it lies in one in which its query has gone on.
    fn value<'t>(&mut self, span: Span, within: Excerpt<'t>) -> Option<Checked<'t>> {
        if self.goes_on && span.start < self.asked {
            return None;
        }
        self.asked = span.end;
        Some(Checked { text: within.of(span), offset: span.start, record: within.record })
    }

    /// Whether a document is asked at all.
    fn are_asked(&self, document: Checked<'_>) -> Result<bool, Error> {
        let condition = self.condition.map(|condition| &condition.syntax);
        holds(condition, document.text, self.isa).map_err(|place| too_large(document, place))
    }

    fn evaluate<'t>(&self, query: &'q Query, document: Checked<'t>, order: Order) -> Evaluation<'q, 't> {
        if self.goes_on {
            return Evaluation::inside(&query.syntax, document.text, self.isa);
        }
        Evaluation::new(&query.syntax, document.text, self.isa, order == Order::Document)
    }
}

/// A pattern that was looked up in the document was too much.
fn check(evaluation: &Evaluation<'_, '_>, document: Checked<'_>) -> Result<(), Error> {
    evaluation.too_large().map_or(Ok(()), |place| Err(too_large(document, place)))
}

fn too_large(document: Checked<'_>, place: usize) -> Error {
    Error::pattern_too_large(document.offset + place as u64)
}

/// Passes on what evaluations answer, of whole documents or of values in them.
pub(super) struct Finder<'f> {
    pub(super) questions: Questions<'f>,
    order: Order,
    limit: u64,
    receiver: &'f mut dyn Receiver,
    count: u64,
    /// Whether the receiver has ended the search.
    ended: bool,
    /// Whether the text is read on when there are as many matches as are wanted.
    pub(super) reads_on: bool,
    /// Whether matches know their paths.
    pub(super) knows_paths: bool,
}

impl<'f> Finder<'f> {
    pub(super) fn new(questions: Questions<'f>, order: Order, limit: u64, receiver: &'f mut dyn Receiver) -> Self {
        Self { questions, order, limit, receiver, count: 0, ended: false, reads_on: false, knows_paths: false }
    }

    fn is_full(&self) -> bool {
        self.count == self.limit
    }

    fn evaluate(&mut self, document: Checked<'_>) -> Result<(), Error> {
        if !self.questions.are_asked(document)? {
            return Ok(());
        }
        for (query, asked) in self.questions.queries.iter().enumerate() {
            let mut evaluation = self.questions.evaluate(asked, document, self.order);
            while let Some(found) = evaluation.next() {
                check(&evaluation, document)?;
                let text = &document.text[found.start..evaluation.end(found.start)];
                let (start, record) = (document.offset + found.start as u64, document.record);
                for _ in 0..found.times {
                    let place: Option<&mut dyn Place> = if self.knows_paths { Some(&mut evaluation) } else { None };
                    self.ended = self.receiver.found(&mut Match { text, start, record, query, place }).is_break();
                    self.count += 1;
                    if self.ended || self.is_full() {
                        return Ok(());
                    }
                }
            }
            check(&evaluation, document)?;
        }
        Ok(())
    }
}

impl Reader for Finder<'_> {
    fn take(&mut self, document: Checked<'_>) -> Result<ControlFlow<()>, Error> {
        self.evaluate(document)?;
        Ok(if self.ended || self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        self.receiver.refused(error)
    }

    fn wait(&mut self) {
        self.receiver.wait();
    }
}

impl Sink for Finder<'_> {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            if self.is_full() {
                break;
            }
            let Some(value) = self.questions.value(span, within) else { continue };
            self.evaluate(value)?;
            if self.ended {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(if self.is_full() && !self.reads_on { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        self.receiver.refused(error)
    }

    fn wait(&mut self) {
        self.receiver.wait();
    }
}

/// Counts what evaluations answer.
pub(super) struct Counter<'c> {
    pub(super) questions: Questions<'c>,
    pub(super) counts: &'c mut [u64],
    pub(super) on_error: &'c mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl Reader for Counter<'_> {
    fn take(&mut self, document: Checked<'_>) -> Result<ControlFlow<()>, Error> {
        if !self.questions.are_asked(document)? {
            return Ok(ControlFlow::Continue(()));
        }
        for (query, count) in self.questions.queries.iter().zip(&mut *self.counts) {
            let mut evaluation = self.questions.evaluate(query, document, Order::Document);
            while let Some(found) = evaluation.next() {
                *count = count.saturating_add(found.times);
            }
            check(&evaluation, document)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}

impl Sink for Counter<'_> {
    fn take(&mut self, matches: &[Span], within: Excerpt<'_>) -> Result<ControlFlow<()>, Error> {
        for &span in matches {
            let Some(value) = self.questions.value(span, within) else { continue };
            if Reader::take(self, value)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn refuse(&mut self, error: Error) -> ControlFlow<()> {
        (self.on_error)(error)
    }

    fn wait(&mut self) {}
}
