//! The results as one page: bars and tables, then caveats on one line, the machine, the method and the command line, which open.
//!
//! The page is a single file without scripts, fonts or images from elsewhere, so that it can be mailed and archived. Bars are
//! small SVG drawings; all words are text beside them, so that they stay readable on a phone.

#![forbid(unsafe_code)]

use crate::args::bench::METHOD;
use crate::commands::bench::job::Job;
use crate::commands::bench::measured::Measured;
use crate::commands::bench::measured::Row;
use crate::commands::bench::results::Results;
use crate::commands::bench::suite::Conformance;
use crate::commands::bench::table;
use crate::figures::Count;
use crate::figures::Short;
use crate::figures::Size;
use crate::sanitize::markup;
use std::fmt;
use std::fmt::Formatter;

const STYLE: &str = include_str!("html/style.css");

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
            (env!("CARGO_PKG_VERSION"), markup(&machine.processor), markup(&machine.system));
        writeln!(f, "<p class=\"soft\">fjson {fjson} on {processor}, {system}</p>")?;
        if !measured.is_empty() {
            write_speed(f, measured)?;
        }
        if !races.is_empty() {
            f.write_str("<h2>Other programs</h2>\n<p>Whole processes on the same file, in turn.</p>\n")?;
        }
        for race in races {
            write!(f, "<h3>{}</h3>\n{}", markup(&race.subject), table::race(race).html())?;
        }
        if let Some(changes) = changes {
            write!(f, "<h2>Compared with the baseline</h2>\n{}", table::changes(changes).html())?;
        }
        if let Some(conformance) = conformance {
            write_conformance(f, conformance)?;
        }
        write_caveats(f, &self.0.warnings())?;
        f.write_str("<details class=\"card\"><summary>Machine</summary>\n<div class=\"scroll\"><table>\n")?;
        for (name, value) in machine.facts() {
            writeln!(f, "<tr><th>{name}</th><td class=\"wide\">{}</td></tr>", markup(&value))?;
        }
        writeln!(f, "</table></div></details>")?;
        writeln!(f, "<details class=\"card\"><summary>Method</summary>\n<p>{}</p></details>", markup(METHOD))?;
        write!(
            f,
            "<details class=\"card\"><summary>Command line</summary>\n<pre>{}</pre></details>\n",
            markup(command)
        )?;
        f.write_str("</body>\n</html>\n")
    }
}

/// Writes one line that says how many reasons there are to doubt the figures. It opens and lists them.
fn write_caveats(f: &mut Formatter<'_>, warnings: &[String]) -> fmt::Result {
    let Some(first) = warnings.first() else { return Ok(()) };
    let count = if warnings.len() == 1 { "1 caveat".to_owned() } else { format!("{} caveats", warnings.len()) };
    write!(f, "<details class=\"card warning\"><summary><strong>{count}:</strong> {}", markup(first))?;
    f.write_str(if warnings.len() == 1 { "</summary>\n" } else { " …</summary>\n" })?;
    write_list(f, &warnings.iter().map(|warning| markup(warning)).collect::<Vec<_>>())?;
    f.write_str("</details>\n")
}

/// Writes a bar for each operation and kernel, all documents on one scale.
///
/// The yardsticks are numbers in the caption: their bars would be so long that the others could not be compared.
fn write_speed(f: &mut Formatter<'_>, measured: &[Measured]) -> fmt::Result {
    let has_threads = measured.iter().flat_map(|measured| &measured.rows).any(|row| row.job.threads() > 1);
    let threads = if has_threads { " or on the number of threads after &times;" } else { "" };
    write!(f, "<h2>Speed</h2>\n<p>Gigabytes of input per second, on one thread{threads}; longer is faster. ")?;
    f.write_str("The mark at the end of a bar is the 95&nbsp;% interval.</p>\n<ul class=\"legend\">\n")?;
    let mut kernels: Vec<&str> = Vec::new();
    let mut longest: f64 = 0.0;
    for (measured, row) in measured.iter().flat_map(|measured| operations(measured).map(move |row| (measured, row))) {
        longest = longest.max(measured.speed(row).high);
        if !kernels.contains(&row.job.kernel()) {
            kernels.push(row.job.kernel());
            let bar = format!("<rect width=\"100%\" height=\"100%\" class=\"{}\"/>", class(row.job));
            writeln!(f, "<li><svg aria-hidden=\"true\">{bar}</svg>{}</li>", row.job.kernel())?;
        }
    }
    f.write_str("</ul>\n")?;
    measured.iter().try_for_each(|measured| write_document(f, measured, longest))
}

fn operations(measured: &Measured) -> impl Iterator<Item = &Row> {
    measured.rows.iter().filter(|row| !row.job.is_yardstick())
}

fn write_document(f: &mut Formatter<'_>, measured: &Measured, longest: f64) -> fmt::Result {
    let Measured { name, bytes, tokens, .. } = measured;
    let samples = measured.samples();
    write!(f, "<figure>\n<h3>{}</h3>\n<figcaption>", markup(name))?;
    write!(f, "{}, {} tokens, median of {samples} samples", Size(*bytes), Count(*tokens))?;
    for row in measured.rows.iter().filter(|row| row.job.is_yardstick()) {
        write!(f, "; {} ({}) {}", row.job.name(), row.job.kernel(), Short(measured.speed(row).median))?;
    }
    f.write_str("</figcaption>\n")?;
    let mut before = None;
    for row in operations(measured) {
        write_bar(f, measured, row, longest, before.is_some_and(|name| name != row.job.name()))?;
        before = Some(row.job.name());
    }
    let query = measured.query(|expression| format!("<code>{}</code>", markup(expression)));
    let notes = measured.notes.iter().map(String::as_str).chain(measured.noise());
    for note in query.into_iter().chain(notes.map(markup)) {
        writeln!(f, "<p class=\"soft\">{note}</p>")?;
    }
    write!(f, "<details><summary>All figures</summary>\n{}</details>\n", table::figures(measured).html())?;
    f.write_str("</figure>\n")
}

fn write_bar(f: &mut Formatter<'_>, measured: &Measured, row: &Row, longest: f64, is_first: bool) -> fmt::Result {
    let speed = measured.speed(row);
    let percent = |speed: f64| speed / longest * 100.0;
    let (low, high) = (percent(speed.low), percent(speed.high));
    let (operation, class) = (row.job.name(), class(row.job));
    let kernel = match row.job.threads() {
        1 => row.job.kernel().to_owned(),
        threads => format!("{} \u{d7}\u{a0}{threads}", row.job.kernel()),
    };
    let first = if is_first { " first" } else { "" };
    let (noisy, partial) = if row.is_noisy() { (", noisy", " partial") } else { ("", "") };
    let (middle, ends) = (Short(speed.median), [speed.low, speed.high].map(Short));
    let label = format!("{operation}, {kernel}: {middle} GB/s, {} to {}{noisy}", ends[0], ends[1]);
    write!(f, "<div class=\"bar{first}\"><span>{operation}</span><span class=\"soft\">{kernel}</span>")?;
    write!(f, "<svg role=\"img\" aria-label=\"{label}\"><title>{label}</title>")?;
    f.write_str("<rect class=\"track\" width=\"100%\" height=\"100%\"/>")?;
    write!(f, "<rect class=\"{class}\" width=\"{:.2}%\" height=\"100%\"/>", percent(speed.median))?;
    // A short interval is drawn wide enough to be visible.
    let (x, width) = (low.min(99.6), (high - low).max(0.4));
    write!(f, "<rect class=\"interval\" x=\"{x:.2}%\" y=\"40%\" width=\"{width:.2}%\" height=\"20%\"/></svg>")?;
    writeln!(f, "<span class=\"value{partial}\">{middle}</span></div>")
}

/// Returns the CSS class of a bar. Kernels without a color of their own share `other`.
fn class(job: Job) -> &'static str {
    match job.kernel() {
        known @ ("avx512" | "avx2" | "neon" | "portable") => known,
        _ => "other",
    }
}

fn write_conformance(f: &mut Formatter<'_>, conformance: &Conformance) -> fmt::Result {
    let [passed, failed, not_run] = conformance.sums();
    let missing = conformance.missing.len();
    let class = match (conformance.passes(), not_run + missing) {
        (true, 0) => "good",
        (true, _) => "partial",
        (false, _) => "bad",
    };
    write!(f, "<h2>Conformance</h2>\n<p class=\"{class}\">{} passed, {} failed", Count(passed), Count(failed))?;
    if not_run > 0 {
        write!(f, ", {} not run", Count(not_run))?;
    }
    if missing > 0 {
        write!(f, "; not found: {}", markup(&conformance.names_of_missing()))?;
    }
    write!(f, "</p>\n{}", table::conformance(conformance).html())?;
    let failed = conformance.failed().map(|(suite, case, failure)| {
        format!("<strong class=\"bad\">Wrong:</strong> {}, {}: {}", suite.name, markup(&case.name), markup(failure))
    });
    let missing = conformance.missing.iter().map(|missing| {
        let class = if missing.is_required { "bad" } else { "partial" };
        format!("<strong class=\"{class}\">Not tested:</strong> {}", markup(&missing.what))
    });
    write_list(f, &failed.chain(missing).collect::<Vec<_>>())
}

/// Writes a list of items that are HTML, or nothing if there are none.
fn write_list(f: &mut Formatter<'_>, items: &[String]) -> fmt::Result {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(f, "<ul>\n{}\n</ul>", items.iter().map(|item| format!("<li>{item}</li>")).collect::<Vec<_>>().join("\n"))
}
