//! The processor's own count of its cycles, where the system lets a user have it.
//!
//! A second is not the same length on every processor, nor on one that changes its clock rate; a cycle is. Virtual
//! machines often have no such counter, and a system may keep it to itself (`kernel.perf_event_paranoid`): then there
//! is none here, and nothing that would look like it.

#![forbid(unsafe_code)]

#[cfg(target_os = "linux")]
pub use linux::Counter;

#[cfg(not(target_os = "linux"))]
pub use nowhere::Counter;

#[cfg(target_os = "linux")]
mod linux {
    use perf_event::Builder;
    use perf_event::events::Hardware;
    use std::cell::RefCell;

    /// Counts the cycles of user code, of this thread and of all that it starts.
    pub struct Counter(RefCell<perf_event::Counter>);

    impl Counter {
        pub fn open() -> Option<Self> {
            let mut builder = Builder::new().kind(Hardware::CPU_CYCLES);
            builder.inherit(true);
            let mut counter = builder.build().ok()?;
            counter.enable().ok()?;
            Some(Self(RefCell::new(counter)))
        }

        /// The count so far; none if it has not run all the time, because then it would be an estimate.
        pub fn read(&self) -> Option<u64> {
            let read = self.0.borrow_mut().read_count_and_time().ok()?;
            (read.time_running == read.time_enabled).then_some(read.count)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod nowhere {
    /// Only Linux lets every user count.
    pub enum Counter {}

    impl Counter {
        pub fn open() -> Option<Self> {
            None
        }

        pub fn read(&self) -> Option<u64> {
            match *self {}
        }
    }
}
