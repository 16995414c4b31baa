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
use crate::commands::bench::versus::Other;
use crate::commands::bench::versus::Race;
use crate::sanitize::markup as escaped;
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
            let has_more = measured.iter().flat_map(|measured| &measured.rows).any(|row| row.job.threads() > 1);
            let more = if has_more { ", or where it says &times; and a number on so many" } else { "" };
            write!(f, "<h2>Speed</h2>\n<p>Gigabytes of input per second, on one thread{more}; longer is faster. ")?;
            f.write_str("The mark at the end of a bar is the 95&nbsp;% interval.</p>\n")?;
            bars::write(f, measured)?;
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
    let rows = races.iter().flat_map(|race| race.others.iter().map(move |other| (race, other)));
    let rows = rows.map(|(race, Other { command, theirs, ratio })| {
        let command = format!("<code>{}</code>", escaped(command));
        let ours = format!("<code>{}</code>", escaped(&race.command));
        let interval = format!("{} to {}", Short(ratio.low), Short(ratio.high));
        let (our_time, their_time) = (Time(race.ours.median).to_string(), Time(theirs.median).to_string());
        let subject = escaped(&race.subject);
        [subject, ours, our_time, command, their_time, Short(ratio.median).to_string(), interval]
    });
    let heads = [
        ("document", ""),
        ("fjson", ""),
        ("time", "number"),
        ("other", ""),
        ("time", "number"),
        ("ratio", "number"),
        ("95 % interval", "number"),
    ];
    write_table(f, &heads, rows)
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
        let (job, threads) = (change.job, change.job.threads().to_string());
        [escaped(&change.subject), job.name().to_owned(), job.kernel().to_owned(), threads, trend, speed_up]
    });
    let heads =
        [("document", ""), ("verb", ""), ("kernel", ""), ("threads", "number"), ("trend", ""), ("speed", "number")];
    write_table(f, &heads, rows)
}

fn write_conformance(f: &mut Formatter<'_>, conformance: &Conformance) -> fmt::Result {
    f.write_str("<h2>Conformance</h2>\n")?;
    let [passed, failed, not_run] = conformance.sums().map(|count| Count(count).to_string());
    let mark = if conformance.passes() { "good" } else { "bad" };
    writeln!(f, "<p class=\"{mark}\">{passed} passed, {failed} failed, {not_run} not run</p>")?;
    let categories =
        conformance.suites.iter().flat_map(|suite| suite.categories.iter().map(move |category| (suite, category)));
    let rows = categories.map(|(suite, category)| {
        let failed = category.failed().count();
        let failed = if failed == 0 { "0".to_owned() } else { format!("<span class=\"bad\">{failed}</span>") };
        let (passed, not_run) = (Count(category.passed()).to_string(), Count(category.not_run()).to_string());
        let demand = category.demand.to_owned();
        [suite.name.to_owned(), category.name.to_owned(), demand, passed, failed, not_run, remark(category)]
    });
    let heads = [
        ("suite", ""),
        ("cases", ""),
        ("demand", ""),
        ("passed", "number"),
        ("failed", "number"),
        ("not run", "number"),
        ("", "wide"),
    ];
    write_table(f, &heads, rows)?;
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

/// A table of cells that are HTML; a head has the class of its column with it.
fn write_table<Row: AsRef<[String]>>(
    f: &mut Formatter<'_>,
    heads: &[(&str, &str)],
    rows: impl Iterator<Item = Row>,
) -> fmt::Result {
    f.write_str("<div class=\"card scroll\"><table>\n<tr>")?;
    for (head, class) in heads {
        write!(f, "<th class=\"{class}\">{head}</th>")?;
    }
    f.write_str("</tr>\n")?;
    for row in rows {
        f.write_str("<tr>")?;
        for (cell, (_, class)) in row.as_ref().iter().zip(heads) {
            write!(f, "<td class=\"{class}\">{cell}</td>")?;
        }
        f.write_str("</tr>\n")?;
    }
    f.write_str("</table></div>\n")
}
