//! The bars: a row per verb and kernel, all documents drawn to one scale.
//!
//! The yardsticks have no bars. Memory is so fast beside anything that looks at its bytes that nothing else could be
//! seen; they are numbers in the caption.

#![forbid(unsafe_code)]

use crate::commands::bench::figures::Count;
use crate::commands::bench::figures::Short;
use crate::commands::bench::figures::Size;
use crate::commands::bench::html::write_table;
use crate::commands::bench::results::Measured;
use crate::commands::bench::results::Row;
use crate::commands::bench::table;
use crate::commands::bench::work::Job;
use crate::sanitize::markup as escaped;
use std::fmt;
use std::fmt::Formatter;

/// The bars of all documents, and what their colours mean.
pub fn write(f: &mut Formatter<'_>, measured: &[Measured]) -> fmt::Result {
    let verbs = measured.iter().flat_map(|measured| verbs(measured).map(move |row| (measured, row)));
    let mut kernels: Vec<(&str, &str)> = Vec::new();
    let mut longest: f64 = 0.0;
    for (measured, row) in verbs {
        longest = longest.max(measured.speed(row).high);
        let kernel = (row.job.kernel(), class(row.job));
        if !kernels.contains(&kernel) {
            kernels.push(kernel);
        }
    }
    f.write_str("<ul class=\"legend\">\n")?;
    for (name, class) in kernels {
        let sample =
            format!("<svg aria-hidden=\"true\"><rect width=\"100%\" height=\"100%\" class=\"{class}\"/></svg>");
        writeln!(f, "<li>{sample}{name}</li>")?;
    }
    f.write_str("</ul>\n")?;
    measured.iter().try_for_each(|measured| write_document(f, measured, longest))
}

fn verbs(measured: &Measured) -> impl Iterator<Item = &Row> {
    measured.rows.iter().filter(|row| !row.job.is_yardstick())
}

fn write_document(f: &mut Formatter<'_>, measured: &Measured, longest: f64) -> fmt::Result {
    let Measured { name, bytes, structurals, .. } = measured;
    let samples = measured.samples();
    write!(f, "<figure>\n<h3>{}</h3>\n<figcaption>", escaped(name))?;
    write!(f, "{}, {} structurals, median of {samples} samples", Size(*bytes), Count(*structurals))?;
    for row in measured.rows.iter().filter(|row| row.job.is_yardstick()) {
        write!(f, "; {} ({}) {}", row.job.name(), row.job.kernel(), Short(measured.speed(row).median))?;
    }
    f.write_str("</figcaption>\n")?;
    let mut before = None;
    for row in verbs(measured) {
        write_bar(f, measured, row, longest, before.is_some_and(|name| name != row.job.name()))?;
        before = Some(row.job.name());
    }
    let asked = measured.asked(|expression| format!("<code>{}</code>", escaped(expression)));
    for note in asked.into_iter().chain(measured.notes.iter().map(|note| escaped(note))) {
        writeln!(f, "<p class=\"soft\">{note}</p>")?;
    }
    write_figures(f, measured)?;
    f.write_str("</figure>\n")
}

fn write_bar(f: &mut Formatter<'_>, measured: &Measured, row: &Row, longest: f64, is_first: bool) -> fmt::Result {
    let speed = measured.speed(row);
    let percent = |speed: f64| speed / longest * 100.0;
    let (low, high) = (percent(speed.low), percent(speed.high));
    let (verb, class) = (row.job.name(), class(row.job));
    let kernel = match row.job.threads() {
        1 => row.job.kernel().to_owned(),
        threads => format!("{} \u{d7}\u{a0}{threads}", row.job.kernel()),
    };
    let first = if is_first { " first" } else { "" };
    let label =
        format!("{verb}, {kernel}: {} GB/s, {} to {}", Short(speed.median), Short(speed.low), Short(speed.high));
    write!(f, "<div class=\"bar{first}\"><span>{verb}</span><span class=\"soft\">{kernel}</span>")?;
    write!(f, "<svg role=\"img\" aria-label=\"{label}\"><title>{label}</title>")?;
    f.write_str("<rect class=\"track\" width=\"100%\" height=\"100%\"/>")?;
    write!(f, "<rect class=\"{class}\" width=\"{:.2}%\" height=\"100%\"/>", percent(speed.median))?;
    // An interval that is too short to be seen is still there.
    let (x, width) = (low.min(99.6), (high - low).max(0.4));
    write!(f, "<rect class=\"interval\" x=\"{x:.2}%\" y=\"40%\" width=\"{width:.2}%\" height=\"20%\"/></svg>")?;
    writeln!(f, "<span class=\"value\">{}</span></div>", Short(speed.median))
}

/// All figures in numbers.
fn write_figures(f: &mut Formatter<'_>, measured: &Measured) -> fmt::Result {
    f.write_str("<details><summary>In numbers</summary>\n")?;
    let class = |place| if place < 2 { "" } else { "number" };
    let heads: Vec<_> = table::heads(measured).enumerate().map(|(place, head)| (head, class(place))).collect();
    write_table(f, &heads, measured.rows.iter().map(|row| table::cells(measured, row)))?;
    f.write_str("</details>\n")
}

/// The class of a bar; a kernel without a colour of its own has that of `other`.
fn class(job: Job) -> &'static str {
    match job.kernel() {
        known @ ("avx512" | "avx2" | "portable") => known,
        _ => "other",
    }
}
