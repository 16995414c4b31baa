//! The progress of a measurement: a percentage on a terminal, after the first second.
//!
//! It is written between two samples by the thread that takes them. Another thread would disturb the samples.

#![forbid(unsafe_code)]

use crate::commands::bench::clock::Clock;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::time::Duration;

const FIRST_SHOWN_AFTER: Duration = Duration::from_secs(1);
const SHOWN_EVERY: Duration = Duration::from_millis(200);
const CLEAR_LINE: &str = "\r\x1b[K";

pub struct Progress<'a> {
    clock: &'a dyn Clock,
    /// When the progress is written next, or `None` if it is never written.
    due: Option<Duration>,
    is_shown: bool,
}

impl<'a> Progress<'a> {
    pub fn new(clock: &'a dyn Clock, quiet: bool) -> Self {
        let is_wanted = !quiet && io::stderr().is_terminal();
        Self { clock, due: is_wanted.then(|| clock.now() + FIRST_SHOWN_AFTER), is_shown: false }
    }

    /// Reports that a fraction of `what` is done.
    pub fn show(&mut self, what: &str, done: f64) {
        let now = self.clock.now();
        if self.due.is_some_and(|due| now >= due) {
            self.due = Some(now + SHOWN_EVERY);
            self.is_shown = true;
            write!(io::stderr(), "{CLEAR_LINE}{:3.0} % {what}", done * 100.0).ok();
        }
    }

    /// Removes the progress before other output.
    pub fn hide(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            write!(io::stderr(), "{CLEAR_LINE}").ok();
        }
    }
}
