//! The results as one page: bars, tables, the machine, the method, and the command that gives them again.
//!
//! The page is a single file without a script, a font or a picture from elsewhere, so that it can be mailed, kept, and
//! opened in ten years. A bar is a small drawing as wide as its column; all words are text beside it, so that they stay
//! readable on a phone.

#![forbid(unsafe_code)]

mod bars;

use crate::args::bench::METHOD;
use crate::commands::bench::baseline::Change;
use crate::commands::bench::baseline::Trend;
use crate::commands::bench::figures::Count;
use crate::commands::bench::figures::Short;
use crate::commands::bench::figures::Time;
use crate::commands::bench::machine::Machine;
use crate::commands::bench::results::Results;
use crate::commands::bench::suite::Conformance;
use crate::commands::bench::table::remark;
use crate::commands::bench::versus::Race;
use crate::report::escaped;
use std::fmt;
use std::fmt::Formatter;

const STYLE: &str = include_str!("style.css");

/// Displays as the page.
pub struct Page<'a>(pub &'a Results);

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Results { machine, measured, races, changes, conformance, command } = self.0;
        f.write_str("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")?;
        f.write_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")?;
        f.write_str("<link rel=\"icon\" href=\"data:,\">\n<title>fjson bench</title>\n")?;
        writeln!(f, "<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>fjson bench</h1>")?;
        let (fjson, processor, system) =
            (env!("CARGO_PKG_VERSION"), escaped(&machine.processor), escaped(&machine.system));
        writeln!(f, "<p class=\"soft\">fjson {fjson} on {processor}, {system}</p>")?;
        write_warnings(f, &self.0.warnings())?;
        if !measured.is_empty() {
            f.write_str("<h2>Speed</h2>\n<p>Gigabytes of input per second, on one thread; longer is faster.</p>\n")?;
            bars::write_legend(f, measured)?;
            for measured in measured {
                bars::write(f, measured)?;
            }
        }
        if !races.is_empty() {
            write_races(f, races)?;
        }
        if let Some(changes) = changes {
            write_changes(f, changes)?;
        }
        if let Some(conformance) = conformance {
            write_conformance(f, conformance)?;
        }
        write_machine(f, machine)?;
        writeln!(f, "<h2>Method</h2>\n<p>{}</p>", escaped(METHOD))?;
        writeln!(f, "<h2>The same again</h2>\n<pre>{}</pre>\n</body>\n</html>", escaped(command))
    }
}

fn write_warnings(f: &mut Formatter<'_>, warnings: &[String]) -> fmt::Result {
    if warnings.is_empty() {
        return Ok(());
    }
    f.write_str("<div class=\"card warning\">\n<strong>To be taken with care</strong>\n")?;
    write_list(f, warnings.iter().map(|warning| escaped(warning)))?;
    f.write_str("</div>\n")
}

fn write_races(f: &mut Formatter<'_>, races: &[Race]) -> fmt::Result {
    f.write_str("<h2>Other programs</h2>\n<p>Whole processes on the same file, in turn.</p>\n")?;
    let rows = races.iter().map(|race| {
        let command = format!("<code>{}</code>", escaped(&race.command));
        let ours = format!("fjson {}", race.verb.name());
        let interval = format!("{} to {}", Short(race.ratio.low), Short(race.ratio.high));
        let (our_time, their_time) = (Time(race.ours.median).to_string(), Time(race.theirs.median).to_string());
        [escaped(&race.subject), ours, our_time, command, their_time, Short(race.ratio.median).to_string(), interval]
    });
    write_table(f, 2, ["document", "fjson", "time", "other", "time", "ratio", "95 % interval"], rows)?;
    Ok(())
}

fn write_changes(f: &mut Formatter<'_>, changes: &[Change]) -> fmt::Result {
    f.write_str("<h2>Compared with the baseline</h2>\n")?;
    let rows = changes.iter().map(|change| {
        let mark = match change.trend() {
            Trend::Slower if change.is_regression() => "bad",
            Trend::Faster => "good",
            _ => "soft",
        };
        let trend = format!("<span class=\"{mark}\">{}</span>", change.trend().name());
        let speed_up = format!("&times;&nbsp;{:.3}", change.speed_up());
        [escaped(&change.subject), change.job.to_owned(), change.kernel.to_owned(), trend, speed_up]
    });
    write_table(f, 4, ["document", "verb", "kernel", "trend", "speed"], rows)?;
    Ok(())
}

fn write_conformance(f: &mut Formatter<'_>, conformance: &Conformance) -> fmt::Result {
    f.write_str("<h2>Conformance</h2>\n")?;
    let (mark, verdict) = if conformance.passes() { ("good", "Nothing failed.") } else { ("bad", "This run fails.") };
    writeln!(f, "<p class=\"{mark}\">{verdict}</p>")?;
    let categories =
        conformance.suites.iter().flat_map(|suite| suite.categories.iter().map(move |category| (suite, category)));
    let rows = categories.map(|(suite, category)| {
        let failed = category.failed().count();
        let failed = if failed == 0 { "0".to_owned() } else { format!("<span class=\"bad\">{failed}</span>") };
        let (passed, not_run) = (Count(category.passed()).to_string(), Count(category.not_run()).to_string());
        let demand = category.demand.to_owned();
        [suite.name.to_owned(), category.name.to_owned(), demand, passed, failed, not_run, remark(category)]
    });
    write_table(f, 3, ["suite", "cases", "demand", "passed", "failed", "not run", ""], rows)?;
    let failed = conformance.failed().map(|(suite, case, failure)| {
        format!("<strong class=\"bad\">Wrong:</strong> {}, {}: {}", suite.name, escaped(&case.name), escaped(failure))
    });
    let missing = conformance.missing.iter().map(|missing| {
        let mark = if missing.is_required { "bad" } else { "soft" };
        format!("<strong class=\"{mark}\">Not tested:</strong> {}", escaped(&missing.what))
    });
    let lines: Vec<_> = failed.chain(missing).collect();
    if lines.is_empty() { Ok(()) } else { write_list(f, lines.into_iter()) }
}

fn write_machine(f: &mut Formatter<'_>, machine: &Machine) -> fmt::Result {
    f.write_str("<h2>Machine</h2>\n<div class=\"card scroll\"><table>\n")?;
    for (name, value) in machine.facts() {
        writeln!(f, "<tr><th>{name}</th><td class=\"wide\">{}</td></tr>", escaped(&value))?;
    }
    f.write_str("</table></div>\n")
}

/// A list of lines that are HTML.
fn write_list(f: &mut Formatter<'_>, lines: impl Iterator<Item = String>) -> fmt::Result {
    f.write_str("<ul>\n")?;
    for line in lines {
        writeln!(f, "<li>{line}</li>")?;
    }
    f.write_str("</ul>\n")
}

/// A table of cells that are HTML; `words` says how many columns at the left are words.
fn write_table<const COLUMNS: usize>(
    f: &mut Formatter<'_>,
    words: usize,
    heads: [&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
) -> fmt::Result {
    let is_number = |column: usize| column >= words;
    f.write_str("<div class=\"card scroll\"><table>\n<tr>")?;
    for (column, head) in heads.into_iter().enumerate() {
        let class = if is_number(column) { " class=\"number\"" } else { "" };
        write!(f, "<th{class}>{head}</th>")?;
    }
    f.write_str("</tr>\n")?;
    for row in rows {
        f.write_str("<tr>")?;
        for (column, cell) in row.iter().enumerate() {
            let class = if is_number(column) { " class=\"number\"" } else { "" };
            write!(f, "<td{class}>{cell}</td>")?;
        }
        f.write_str("</tr>\n")?;
    }
    f.write_str("</table></div>\n")?;
    Ok(())
}
