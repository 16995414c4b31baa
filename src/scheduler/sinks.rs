//! The sinks for the events and output of one input: one that passes them to the handler, and one that sends them to the reporter.

#![forbid(unsafe_code)]

use crate::exit::RunError;
use crate::name::Name;
use crate::report::Event;
use crate::scheduler::EventHandler;
use crate::scheduler::EventSink;
use crate::scheduler::output_order::OutputOrder;
use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

/// Limits of a batch of messages, in messages and in bytes of output.
const BATCH_MESSAGES: usize = 4;
pub(super) const BATCH_BYTES: usize = 128 << 10;

const OUT_OF_MEMORY: &str = "out of memory while holding output until its turn";

/// An event or output of an input.
pub(super) enum Message {
    Event(Event),
    Bytes(Vec<u8>),
}

/// An event sink that passes everything directly to the handler.
pub struct DirectSink<'n> {
    name: &'n Name,
    handler: &'n mut dyn EventHandler,
    result: Result<(), RunError>,
}

impl<'n> DirectSink<'n> {
    pub fn new(name: &'n Name, handler: &'n mut dyn EventHandler) -> Self {
        Self { name, handler, result: Ok(()) }
    }

    /// Returns the error of the handler, if it failed.
    pub fn into_result(self) -> Result<(), RunError> {
        self.result
    }

    fn store(&mut self, result: Result<(), RunError>) -> ControlFlow<()> {
        self.result = result;
        if self.result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl EventSink for DirectSink<'_> {
    fn send(&mut self, event: Event) -> ControlFlow<()> {
        let result = self.handler.handle(self.name, event);
        self.store(result)
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let result = self.handler.write(bytes);
        self.store(result)
    }
}

/// An event sink that sends messages to the reporter in batches.
pub(super) struct ChannelSink {
    name: Name,
    sender: SyncSender<Vec<Message>>,
    output_order: Arc<OutputOrder>,
    /// Number of the input.
    number: u64,
    batch: Vec<Message>,
    /// Number of bytes of output in the batch.
    bytes: usize,
    /// A batch is sent once it has this many messages or this many bytes of output.
    limits: (usize, usize),
}

impl ChannelSink {
    /// Creates the sink of the input with this number. Messages about a file are sent in batches, others immediately.
    pub(super) fn new(
        name: Name,
        sender: SyncSender<Vec<Message>>,
        output_order: Arc<OutputOrder>,
        number: u64,
        is_file: bool,
    ) -> Self {
        let limits = if is_file { (BATCH_MESSAGES, BATCH_BYTES) } else { (1, 1) };
        Self { name, sender, output_order, number, batch: Vec::new(), bytes: 0, limits }
    }
}

impl EventSink for ChannelSink {
    fn send(&mut self, event: Event) -> ControlFlow<()> {
        self.batch.push(Message::Event(event));
        if self.batch.len() < self.limits.0 { ControlFlow::Continue(()) } else { self.send_batch() }
    }

    fn write(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(BATCH_BYTES - self.bytes));
            if let Some(Message::Bytes(last)) = self.batch.last_mut() {
                last.extend_from_slice(now);
            } else {
                let Some(mut first) = self.output_order.memory(self.number, BATCH_BYTES) else {
                    self.batch.push(Message::Event(Event::RunError(RunError::new(self.name.clone(), OUT_OF_MEMORY))));
                    return ControlFlow::Break(());
                };
                first.extend_from_slice(now);
                self.batch.push(Message::Bytes(first));
            }
            self.bytes += now.len();
            if self.bytes >= self.limits.1 {
                self.send_batch()?;
            }
            rest = later;
        }
        ControlFlow::Continue(())
    }
}

impl ChannelSink {
    fn send_batch(&mut self) -> ControlFlow<()> {
        if self.bytes > 0 {
            self.output_order.hold(self.number, mem::take(&mut self.bytes));
        }
        let sent = self.sender.send(mem::take(&mut self.batch));
        if sent.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl Drop for ChannelSink {
    fn drop(&mut self) {
        // An error only means that the reporter has ended.
        if !self.batch.is_empty() {
            let _ = self.send_batch();
        }
    }
}
