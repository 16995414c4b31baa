//! Time and processor cycles: the monotonic clock and the cycle counter of the system, or a fake clock in tests.
//!
//! All measurements take a `Clock`, so that tests can expect exact figures.

#![forbid(unsafe_code)]

use crate::platform::CycleCounter;
use std::time::Duration;
use std::time::Instant;

pub trait Clock {
    /// Returns the time since a fixed moment.
    fn now(&self) -> Duration;

    /// Returns the cycles of all threads of this program since a fixed moment, or `None` if they are not counted.
    fn cycles(&self) -> Option<u64>;
}

pub struct Monotonic {
    start: Instant,
    counter: Option<CycleCounter>,
}

impl Monotonic {
    pub fn start() -> Self {
        Self { start: Instant::now(), counter: CycleCounter::open() }
    }
}

impl Clock for Monotonic {
    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn cycles(&self) -> Option<u64> {
        self.counter.as_ref()?.read()
    }
}

#[cfg(test)]
pub mod fake {
    use super::Clock;
    use std::cell::Cell;
    use std::rc::Rc;
    use std::time::Duration;

    /// A clock that only moves when a test advances it. Its clones show the same time.
    #[derive(Clone, Default)]
    pub struct Fake {
        now: Rc<Cell<Duration>>,
        /// Cycles per nanosecond; 0 if cycles are not counted.
        rate: Rc<Cell<u64>>,
    }

    impl Fake {
        /// Returns a clock with a cycle counter of a processor of `gigahertz` GHz.
        pub fn counting(gigahertz: u64) -> Self {
            Self { rate: Rc::new(Cell::new(gigahertz)), ..Self::default() }
        }

        pub fn advance(&self, time: Duration) {
            self.now.set(self.now.get() + time);
        }

        pub fn stop_counting(&self) {
            self.rate.set(0);
        }
    }

    impl Clock for Fake {
        fn now(&self) -> Duration {
            self.now.get()
        }

        fn cycles(&self) -> Option<u64> {
            let nanos = u64::try_from(self.now.get().as_nanos()).expect("a short time");
            Some(self.rate.get()).filter(|&rate| rate > 0).map(|rate| nanos * rate)
        }
    }
}
