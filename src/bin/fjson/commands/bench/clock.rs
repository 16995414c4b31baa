//! Where the time comes from: the system's monotonic clock, or in tests one that does as it is told.
//!
//! Nothing else here asks the system for the time, so that a test can say to the nanosecond what a measurement must give.

#![forbid(unsafe_code)]

use std::time::Duration;
use std::time::Instant;

pub trait Clock {
    /// The time since some moment that stays the same.
    fn now(&self) -> Duration;
}

pub struct Monotonic(Instant);

impl Monotonic {
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for Monotonic {
    fn now(&self) -> Duration {
        self.0.elapsed()
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
    pub struct Fake(Rc<Cell<Duration>>);

    impl Fake {
        pub fn advance(&self, time: Duration) {
            self.0.set(self.0.get() + time);
        }
    }

    impl Clock for Fake {
        fn now(&self) -> Duration {
            self.0.get()
        }
    }
}
