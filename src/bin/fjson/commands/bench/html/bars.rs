//! The bars of one document: a row per verb and kernel, drawn to the scale of its fastest.

#![forbid(unsafe_code)]

use crate::commands::bench::figures::Count;
use crate::commands::bench::figures::Percent;
use crate::commands::bench::figures::Short;
use crate::commands::bench::figures::Size;
use crate::commands::bench::html::write_table;
use crate::commands::bench::results::Measured;
use crate::commands::bench::results::Row;
use crate::commands::bench::work::Job;
use crate::report::escaped;
use std::fmt;
use std::fmt::Formatter;

/// What the colours mean.
pub fn write_legend(f: &mut Formatter<'_>, measured: &[Measured]) -> fmt::Result {
    let mut kernels = Vec::new();
    for row in measured.iter().flat_map(|measured| &measured.rows) {
        let named = if row.job.is_yardstick() { ("yardstick", "std") } else { (row.job.kernel(), class(row.job)) };
        if !kernels.contains(&named) {
            kernels.push(named);
        }
    }
    f.write_str("<ul class=\"legend\">\n")?;
    for (name, class) in kernels {
        writeln!(
            f,
            "<li><svg aria-hidden=\"true\"><rect width=\"100%\" height=\"100%\" class=\"{class}\"/></svg>{name}</li>"
        )?;
    }
    f.write_str("</ul>\n")?;
    Ok(())
}

pub fn write(f: &mut Formatter<'_>, measured: &Measured) -> fmt::Result {
    let Measured { name, bytes, structurals, .. } = measured;
    let samples = measured.samples();
    write!(f, "<figure>\n<h3>{}</h3>\n<figcaption>", escaped(name))?;
    write!(f, "{}, {} structurals, median of {samples} samples; ", Size(*bytes), Count(*structurals))?;
    f.write_str("the mark at the end of a bar is the 95 % interval</figcaption>\n")?;
    let longest = measured.rows.iter().map(|row| measured.speed(row).high).fold(0.0, f64::max);
    let mut before = None;
    for row in &measured.rows {
        write_bar(f, measured, row, longest, before.is_some_and(|name| name != row.job.name()))?;
        before = Some(row.job.name());
    }
    for note in &measured.notes {
        writeln!(f, "<p class=\"soft\">{}</p>", escaped(note))?;
    }
    write_figures(f, measured)?;
    f.write_str("</figure>\n")?;
    Ok(())
}

fn write_bar(f: &mut Formatter<'_>, measured: &Measured, row: &Row, longest: f64, is_first: bool) -> fmt::Result {
    let speed = measured.speed(row);
    let percent = |speed: f64| speed / longest * 100.0;
    let (low, high) = (percent(speed.low), percent(speed.high));
    let (verb, kernel, class) = (row.job.name(), row.job.kernel(), class(row.job));
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
    writeln!(f, "<span class=\"value\">{}</span></div>", Short(speed.median))?;
    Ok(())
}

/// All figures in numbers.
fn write_figures(f: &mut Formatter<'_>, measured: &Measured) -> fmt::Result {
    f.write_str("<details><summary>In numbers</summary>\n")?;
    let rows = measured.rows.iter().map(|row| {
        let speed = measured.speed(row);
        let per_structural = measured.per_structural(row).map(|time| Short(time).to_string()).unwrap_or_default();
        [
            row.job.name().to_owned(),
            row.job.kernel().to_owned(),
            Short(speed.median).to_string(),
            format!("{} to {}", Short(speed.low), Short(speed.high)),
            Percent(speed.spread).to_string(),
            per_structural,
        ]
    });
    write_table(f, 2, ["verb", "kernel", "GB/s", "95 % interval", "spread", "ns/structural"], rows)?;
    f.write_str("</details>\n")?;
    Ok(())
}

/// The class of a bar; a kernel without a colour of its own has that of `other`.
fn class(job: Job) -> &'static str {
    match job.kernel() {
        known @ ("avx512" | "avx2" | "portable" | "std" | "simdutf8") => known,
        _ => "other",
    }
}
