//! Where time and cycles come from: the system's monotonic clock and the processor's counter, or in tests ones that do
//! as they are told.
//!
//! Nothing else here asks the system for the time, so that a test can say to the nanosecond what a measurement must
//! give.

#![forbid(unsafe_code)]

use crate::commands::bench::cycles::Counter;
use std::time::Duration;
use std::time::Instant;

pub trait Clock {
    /// The time since some moment that stays the same.
    fn now(&self) -> Duration;

    /// The cycles that this program has taken since then, all threads together; none where nobody counts them.
    fn cycles(&self) -> Option<u64>;
}

pub struct Monotonic {
    start: Instant,
    counter: Option<Counter>,
}

impl Monotonic {
    pub fn start() -> Self {
        Self { start: Instant::now(), counter: Counter::open() }
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

    /// Stands still unless it is moved; all copies of it show the same time.
    #[derive(Clone, Default)]
    pub struct Fake {
        now: Rc<Cell<Duration>>,
        /// Cycles per nanosecond; 0 if nobody counts them.
        rate: Rc<Cell<u64>>,
    }

    impl Fake {
        /// With a counter of a processor of so many gigahertz.
        pub fn counting(gigahertz: u64) -> Self {
            Self { rate: Rc::new(Cell::new(gigahertz)), ..Self::default() }
        }

        pub fn advance(&self, time: Duration) {
            self.now.set(self.now.get() + time);
        }

        /// The counter is taken away.
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
