//! The results for people: tables of plain text, and under them whatever speaks against the figures.

#![forbid(unsafe_code)]

use crate::commands::bench::baseline::Change;
use crate::commands::bench::columns;
use crate::commands::bench::figures::Count;
use crate::commands::bench::figures::Percent;
use crate::commands::bench::figures::Short;
use crate::commands::bench::figures::Size;
use crate::commands::bench::figures::Time;
use crate::commands::bench::results::Measured;
use crate::commands::bench::results::Results;
use crate::commands::bench::results::Row;
use crate::commands::bench::statistics::Estimate;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Conformance;
use crate::commands::bench::versus::Other;
use crate::commands::bench::versus::Race;
use crate::name::Name;
use std::fmt;
use std::fmt::Formatter;

/// Displays as the tables.
pub struct Table<'a>(pub &'a Results);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Results { machine, measured, races, changes, conformance, .. } = self.0;
        writeln!(f, "fjson {} on {}, {}", env!("CARGO_PKG_VERSION"), machine.processor, machine.system)?;
        for measured in measured {
            write_measured(f, measured)?;
        }
        for race in races {
            write_race(f, race)?;
        }
        if let Some(changes) = changes {
            write_changes(f, changes)?;
        }
        if let Some(conformance) = conformance {
            write_conformance(f, conformance)?;
        }
        let warnings = self.0.warnings();
        if !warnings.is_empty() {
            f.write_str("\nTo be taken with care:\n")?;
        }
        warnings.iter().try_for_each(|warning| writeln!(f, "  {warning}"))
    }
}

fn write_measured(f: &mut Formatter<'_>, measured: &Measured) -> fmt::Result {
    let Measured { name, bytes, documents, structurals, .. } = measured;
    write!(f, "\n{name}: {}, {} structurals", Size(*bytes), Count(*structurals))?;
    if *documents != 1 {
        write!(f, ", {} documents", Count(usize::try_from(*documents).unwrap_or(usize::MAX)))?;
    }
    writeln!(f, "; median of {} samples", measured.samples())?;
    let mut rows = vec![heads(measured).map(str::to_owned).collect()];
    rows.extend(measured.rows.iter().map(|row| cells(measured, row)));
    columns::write(f, 2..8, &rows)?;
    let asked = measured.asked(|expression| format!("`{expression}`"));
    asked.iter().chain(&measured.notes).try_for_each(|note| writeln!(f, "  {note}"))
}

/// What stands above the figures of a document.
pub fn heads(measured: &Measured) -> impl Iterator<Item = &'static str> {
    let heads = ["verb", "kernel", "threads", "GB/s", "95 % interval", "spread", "ns/structural"];
    heads.into_iter().chain(measured.counts_cycles().then_some("cycles/byte"))
}

/// The figures of one job.
pub fn cells(measured: &Measured, row: &Row) -> Vec<String> {
    let speed = measured.speed(row);
    let short = |number: Option<f64>| number.map(|number| Short(number).to_string()).unwrap_or_default();
    let mut cells = vec![
        row.job.name().to_owned(),
        row.job.kernel().to_owned(),
        row.job.threads().to_string(),
        Short(speed.median).to_string(),
        interval(speed),
        Percent(speed.spread).to_string(),
        short(measured.per_structural(row)),
    ];
    if measured.counts_cycles() {
        cells.push(short(measured.cycles(row).map(|cycles| cycles.median)));
    }
    cells
}

fn write_race(f: &mut Formatter<'_>, race: &Race) -> fmt::Result {
    writeln!(f, "\n{}: whole processes in turn", race.subject)?;
    let time = |time: &Estimate| {
        let (low, high) = (Time(time.low), Time(time.high));
        [Time(time.median).to_string(), format!("{low} to {high}"), Percent(time.spread).to_string()]
    };
    let mut rows = vec![line(["command", "time", "95 % interval", "spread", "ratio", "95 % interval", ""])];
    let [median, interval, spread] = time(&race.ours);
    rows.push(line([&race.command, &median, &interval, &spread]));
    for Other { command, theirs, ratio } in &race.others {
        let [median, interval, spread] = time(theirs);
        let (times, certain) = (Short(ratio.median).to_string(), self::interval(*ratio));
        rows.push(line([command, &median, &interval, &spread, &times, &certain, verdict(ratio)]));
    }
    columns::write(f, 1..6, &rows)
}

/// What a ratio of times means.
fn verdict(ratio: &Estimate) -> &'static str {
    match ratio {
        ratio if ratio.low > 1.0 => "fjson is faster",
        ratio if ratio.high < 1.0 => "fjson is slower",
        _ => "no difference can be seen",
    }
}

fn write_changes(f: &mut Formatter<'_>, changes: &[Change]) -> fmt::Result {
    f.write_str("\nCompared with the baseline\n")?;
    let mut rows = vec![line(["document", "verb", "kernel", "threads", "trend", "speed"])];
    rows.extend(changes.iter().map(|change| {
        let (job, threads) = (change.job, change.job.threads().to_string());
        let speed_up = format!("x {:.3}", change.speed_up());
        line([&change.subject, job.name(), job.kernel(), &threads, change.trend().name(), &speed_up])
    }));
    columns::write(f, 3..4, &rows)?;
    let regressions = changes.iter().filter(|change| change.is_regression()).count();
    writeln!(f, "  {regressions} slower beyond the noise of both runs")
}

fn write_conformance(f: &mut Formatter<'_>, conformance: &Conformance) -> fmt::Result {
    f.write_str("\nConformance\n")?;
    let mut rows = vec![line(["suite", "cases", "demand", "passed", "failed", "not run", ""])];
    for suite in &conformance.suites {
        for category in &suite.categories {
            let counts = [category.passed(), category.failed().count(), category.not_run()];
            let [passed, failed, not_run] = counts.map(|count| Count(count).to_string());
            let remark = remark(category);
            rows.push(line([suite.name, category.name, category.demand, &passed, &failed, &not_run, &remark]));
        }
    }
    let [passed, failed, not_run] = conformance.sums().map(|sum| Count(sum).to_string());
    rows.push(line(["all", "", "", &passed, &failed, &not_run, ""]));
    columns::write(f, 3..6, &rows)?;
    for (suite, case, failure) in conformance.failed() {
        writeln!(f, "  WRONG    {}, {}: {failure}", suite.name, case.name)?;
    }
    for missing in &conformance.missing {
        let consequence = if missing.is_required { "required, so this fails" } else { "not tested" };
        writeln!(f, "  MISSING  {} ({consequence})", missing.what)?;
    }
    if !conformance.missing.is_empty() {
        f.write_str("  corpus/get in the source of fjson obtains the suites; --corpus DIR names their folder\n")?;
    }
    for suite in &conformance.suites {
        if let Some(place) = &suite.place {
            writeln!(f, "  {} was found in {}", suite.name, Name::Path(place.clone()))?;
        }
    }
    Ok(())
}

/// What stands beside the counts.
pub fn remark(category: &Category) -> String {
    if let Some((_, needs)) = category.not_run {
        return needs.to_owned();
    }
    if category.demand == "either" {
        let accepted = category.cases.iter().filter(|case| case.accepted).count();
        return format!("{accepted} accepted, {} rejected", category.cases.len() - accepted);
    }
    String::new()
}

fn interval(estimate: Estimate) -> String {
    format!("{} to {}", Short(estimate.low), Short(estimate.high))
}

fn line<const COLUMNS: usize>(cells: [&str; COLUMNS]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}
