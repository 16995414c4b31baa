//! The cycle counter of Linux, on processors that `perf-event` knows.

#![forbid(unsafe_code)]

use perf_event::Builder;
use perf_event::Counter;
use perf_event::events::Hardware;
use std::cell::RefCell;

/// The cycle counter of the processor, for user code in this thread and in all threads that it starts. Virtual machines often have
/// none, and Linux may refuse it to users (`kernel.perf_event_paranoid`). Cycles are never estimated from the time.
pub struct CycleCounter(RefCell<Counter>);

impl CycleCounter {
    pub fn open() -> Option<Self> {
        let mut builder = Builder::new().kind(Hardware::CPU_CYCLES);
        builder.inherit(true);
        let mut counter = builder.build().ok()?;
        counter.enable().ok()?;
        Some(Self(RefCell::new(counter)))
    }

    /// Returns the count, or `None` if the counter was not always running, because then the count is an estimate.
    pub fn read(&self) -> Option<u64> {
        let read = self.0.borrow_mut().read_count_and_time().ok()?;
        (read.time_running == read.time_enabled).then_some(read.count)
    }
}
