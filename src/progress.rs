//! The progress bar: bytes read, speed and time left, on one line of a terminal.

#![forbid(unsafe_code)]

use crate::terminal;
use indicatif::MultiProgress;
use indicatif::ProgressBar;
use indicatif::ProgressDrawTarget;
use indicatif::ProgressState;
use indicatif::ProgressStyle;
use std::fmt::Write;
use std::time::Duration;
use unicode_width::UnicodeWidthChar;

/// Width of a terminal that does not tell its own.
const USUAL_COLUMNS: usize = 80;

/// Columns from which there is room for the bar and the speed, and columns that these need.
const WIDE: usize = 60;

/// Least number of columns for the name of the input.
const SHORTEST_NAME: usize = 16;

pub struct Progress {
    /// Can hide the bar, which a `ProgressBar` alone cannot.
    screen: MultiProgress,
    bar: ProgressBar,
    total: Option<u64>,
    columns: usize,
}

impl Progress {
    /// Creates the bar of a process that has run for `elapsed`. `total` is the number of bytes to read, if it is known.
    pub fn new(elapsed: Duration, total: Option<u64>) -> Self {
        let screen = MultiProgress::with_draw_target(ProgressDrawTarget::stderr());
        let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new).with_elapsed(elapsed);
        Self { bar: screen.add(bar), screen, total, columns: 0 }
    }

    /// Shows the number of bytes read, and the name of the input.
    pub fn show(&mut self, read: u64, name: &str) {
        let columns = columns();
        if columns != self.columns {
            self.columns = columns;
            self.bar.set_style(style(columns, self.total.is_some()));
        }
        self.bar.set_prefix(label(name, columns));
        self.bar.set_position(self.total.map_or(read, |total| read.min(total)));
        self.bar.tick();
    }

    /// Removes the bar until it is shown again.
    pub fn hide(&self) {
        // An error of the terminal does not matter for the work.
        self.screen.clear().ok();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Returns the width of the terminal.
fn columns() -> usize {
    terminal::columns().unwrap_or(USUAL_COLUMNS)
}

fn style(columns: usize, has_total: bool) -> ProgressStyle {
    let template = match (has_total, columns >= WIDE) {
        (true, true) => {
            "{prefix}[{wide_bar}] {percent:>3}%  {decimal_bytes}/{decimal_total_bytes}  {speed}  {left} left"
        }
        (true, false) => "{percent:>3}%  {decimal_bytes}/{decimal_total_bytes}  {left} left",
        (false, true) => "{spinner} {prefix}{decimal_bytes} read  {speed}  {time}",
        (false, false) => "{spinner} {decimal_bytes} read  {time}",
    };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    // indicatif estimates the speed from the last steps, which jumps where windows are large.
    style
        .progress_chars("=> ")
        .tick_chars("-\\|/ ")
        .with_key("speed", |state: &ProgressState, out: &mut dyn Write| {
            write!(out, "{}/s", indicatif::DecimalBytes(per_second(state))).ok();
        })
        .with_key("left", |state: &ProgressState, out: &mut dyn Write| {
            let rest = state.len().unwrap_or_default().saturating_sub(state.pos());
            match per_second(state) {
                0 => out.write_str("?").ok(),
                speed => out.write_str(&time(rest.div_ceil(speed))).ok(),
            };
        })
        .with_key("time", |state: &ProgressState, out: &mut dyn Write| {
            out.write_str(&time(state.elapsed().as_secs())).ok();
        })
}

/// Returns the average number of bytes per second.
fn per_second(state: &ProgressState) -> u64 {
    let speed = u128::from(state.pos()) * 1000 / state.elapsed().as_millis().max(1);
    u64::try_from(speed).unwrap_or(u64::MAX)
}

fn time(seconds: u64) -> String {
    match seconds {
        ..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        3600.. => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Returns the name and a space, or the end of the name if there is no room for all of it, or nothing.
fn label(name: &str, columns: usize) -> String {
    let room = (columns.saturating_sub(WIDE) / 2).saturating_sub(1);
    if room < SHORTEST_NAME {
        return String::new();
    }
    let width = |text: &str| text.chars().map(|character| character.width().unwrap_or(0)).sum::<usize>();
    if width(name) <= room {
        return format!("{name} ");
    }
    let mut end = name;
    while width(end) + 3 > room {
        end = end.strip_prefix(|_| true).unwrap_or_default();
    }
    format!("...{end} ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        let times: Vec<_> = [0, 59, 60, 3599, 3600, 90_000].into_iter().map(time).collect();
        assert_eq!(times, ["0 s", "59 s", "1 min 00 s", "59 min 59 s", "1 h 00 min", "25 h 00 min"]);
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        assert_eq!(label("a.json", 80), "");
        assert_eq!(label("a.json", 100), "a.json ");
        assert_eq!(label("a/long/folder/with/a.json", 100), "...lder/with/a.json ");
        assert_eq!(label("日本語日本語日本語日本語.json", 100), "...本語日本語.json ");
    }
}
