//! A bar that grows while something is measured: on a terminal, after the first second.
//!
//! It is drawn between two samples by the thread that takes them. A thread of its own would wake up in the middle of one
//! and be measured with it.

#![forbid(unsafe_code)]

use crate::commands::bench::clock::Clock;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::time::Duration;

const FIRST_SHOWN_AFTER: Duration = Duration::from_secs(1);
const SHOWN_EVERY: Duration = Duration::from_millis(200);
const WIDTH: usize = 30;

pub struct Progress<'a> {
    clock: &'a dyn Clock,
    /// When the bar is drawn next; never, if nobody would see it.
    due: Option<Duration>,
    shown: bool,
}

impl<'a> Progress<'a> {
    pub fn new(clock: &'a dyn Clock, quiet: bool) -> Self {
        let wanted = !quiet && io::stderr().is_terminal();
        Self { clock, due: wanted.then(|| clock.now() + FIRST_SHOWN_AFTER), shown: false }
    }

    /// So much of `what` is done.
    pub fn show(&mut self, what: &str, done: f64) {
        let now = self.clock.now();
        if self.due.is_some_and(|due| now >= due) {
            self.due = Some(now + SHOWN_EVERY);
            self.shown = true;
            io::stderr().write_all(bar(what, done).as_bytes()).ok();
        }
    }

    /// Takes the bar away: something else is to be said.
    pub fn hide(&mut self) {
        if std::mem::take(&mut self.shown) {
            io::stderr().write_all(b"\r\x1b[K").ok();
        }
    }
}

fn bar(what: &str, done: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the width")]
    let full = (done.clamp(0.0, 1.0) * crate::commands::bench::figures::real(WIDTH)) as usize;
    format!("\r\x1b[K[{}{}] {:3.0} % {what}", "#".repeat(full), " ".repeat(WIDTH - full), done * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bar_grows() {
        assert_eq!(bar("a", 0.0), format!("\r\x1b[K[{}]   0 % a", " ".repeat(30)));
        assert_eq!(bar("a", 0.5), format!("\r\x1b[K[{}{}]  50 % a", "#".repeat(15), " ".repeat(15)));
        assert_eq!(bar("a", 1.0), format!("\r\x1b[K[{}] 100 % a", "#".repeat(30)));
    }
}
