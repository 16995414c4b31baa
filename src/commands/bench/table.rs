//! The results for people: tables as text, and after them the warnings. The page shows the same tables.

#![forbid(unsafe_code)]

use crate::commands::bench::baseline::Change;
use crate::commands::bench::baseline::Trend;
use crate::commands::bench::grid::Grid;
use crate::commands::bench::measured::Measured;
use crate::commands::bench::results::Results;
use crate::commands::bench::statistics::Estimate;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Conformance;
use crate::commands::bench::versus::Race;
use crate::figures::Count;
use crate::figures::Percent;
use crate::figures::Short;
use crate::figures::Size;
use crate::figures::Time;
use crate::name::Name;
use std::fmt;
use std::fmt::Display;
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
            write!(f, "\n{}: whole processes in turn\n{}", race.subject, self::race(race))?;
        }
        if let Some(changes) = changes {
            let regressions = changes.iter().filter(|change| change.is_regression()).count();
            write!(f, "\nCompared with the baseline\n{}", self::changes(changes))?;
            writeln!(f, "  {regressions} slower beyond the noise of both runs")?;
        }
        if let Some(conformance) = conformance {
            write_conformance(f, conformance)?;
        }
        let warnings = self.0.warnings();
        if !warnings.is_empty() {
            f.write_str("\nWarnings:\n")?;
        }
        warnings.iter().try_for_each(|warning| writeln!(f, "  {warning}"))
    }
}

fn write_measured(f: &mut Formatter<'_>, measured: &Measured) -> fmt::Result {
    let Measured { name, bytes, documents, tokens, .. } = measured;
    write!(f, "\n{name}: {}, {} tokens", Size(*bytes), Count(*tokens))?;
    if *documents != 1 {
        write!(f, ", {} documents", Count(*documents))?;
    }
    write!(f, "; median of {} samples\n{}", measured.samples(), figures(measured))?;
    let query = measured.query(|expression| format!("`{expression}`"));
    let notes = query.iter().chain(&measured.notes).map(String::as_str);
    notes.chain(measured.noise()).try_for_each(|note| writeln!(f, "  {note}"))
}

/// Returns the figures of a document.
pub fn figures(measured: &Measured) -> Grid {
    let mut headings = vec!["operation", "kernel", "threads", "GB/s", "95 % interval", "spread", "ns/token"];
    if measured.counts_cycles() {
        headings.push("cycles/byte");
    }
    let columns = headings.len();
    headings.push("");
    let mut grid = Grid::new(2..columns, &headings);
    let short = |number: Option<f64>| number.map(|number| Short(number).to_string()).unwrap_or_default();
    for row in &measured.rows {
        let speed = measured.speed(row);
        let (job, median, spread) = (row.job, Short(speed.median), Percent(speed.spread));
        let (per_token, cycles) = (short(measured.per_token(row)), measured.cycles(row));
        let cycles = short(cycles.map(|cycles| cycles.median));
        let cells: [&dyn Display; 8] = [
            &job.name(),
            &job.kernel(),
            &job.threads(),
            &median,
            &interval(speed, Short),
            &spread,
            &per_token,
            &cycles,
        ];
        let remark = if row.is_noisy() { "noisy" } else { "" };
        grid.push("", &[&cells[..columns], &[&remark]].concat());
    }
    grid
}

/// Returns the times of a race between processes.
pub fn race(race: &Race) -> Grid {
    let mut grid = Grid::new(1..6, &["command", "time", "95 % interval", "spread", "ratio", "95 % interval", ""]);
    let ours = race.ours;
    grid.push("", &[&race.command, &Time(ours.median), &interval(ours, Time), &Percent(ours.spread)]);
    for other in &race.others {
        let (time, ratio) = (other.theirs, other.ratio);
        let verdict = match ratio {
            ratio if ratio.low > 1.0 => "fjson is faster",
            ratio if ratio.high < 1.0 => "fjson is slower",
            _ => "no difference can be seen",
        };
        grid.push(
            "",
            &[
                &other.command,
                &Time(time.median),
                &interval(time, Time),
                &Percent(time.spread),
                &Short(ratio.median),
                &interval(ratio, Short),
                &verdict,
            ],
        );
    }
    grid
}

/// Returns the comparison with the baseline.
pub fn changes(changes: &[Change]) -> Grid {
    let mut grid = Grid::new(3..4, &["document", "operation", "kernel", "threads", "trend", "speed"]);
    for change in changes {
        let (job, trend) = (change.job, change.trend());
        let class = match trend {
            Trend::Slower if change.is_regression() => "bad",
            Trend::Faster => "good",
            _ => "",
        };
        let speed_up = format_args!("x {:.3}", change.speed_up()).to_string();
        grid.push(class, &[&change.subject, &job.name(), &job.kernel(), &job.threads(), &trend.name(), &speed_up]);
    }
    grid
}

/// Returns the counts of each category and of all.
pub fn conformance(conformance: &Conformance) -> Grid {
    let mut grid = Grid::new(3..6, &["suite", "cases", "expected", "passed", "failed", "not run", ""]);
    for suite in &conformance.suites {
        for category in &suite.categories {
            let [passed, failed, not_run] =
                [category.passed(), category.failed().count(), category.not_run()].map(Count);
            let class = match (failed.0, not_run.0) {
                (0, 0) => "",
                (0, _) => "partial",
                _ => "bad",
            };
            let cells: [&dyn Display; 7] =
                [&suite.name, &category.name, &category.expected, &passed, &failed, &not_run, &remark(category)];
            grid.push(class, &cells);
        }
    }
    for missing in &conformance.missing {
        let class = if missing.is_required { "bad" } else { "partial" };
        grid.push(class, &[&missing.name(), &"", &"", &"", &"", &"", &missing.remark()]);
    }
    let [passed, failed, not_run] = conformance.sums().map(Count);
    let missing = conformance.names_of_missing();
    let remark = if missing.is_empty() { String::new() } else { format!("without {missing}") };
    let class = if missing.is_empty() { "" } else { "partial" };
    grid.push(class, &[&"all", &"", &"", &passed, &failed, &not_run, &remark]);
    grid
}

fn write_conformance(f: &mut Formatter<'_>, conformance: &Conformance) -> fmt::Result {
    write!(f, "\nConformance\n{}", self::conformance(conformance))?;
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

fn remark(category: &Category) -> String {
    if let Some((_, needs)) = category.not_run {
        return needs.to_owned();
    }
    if category.expected == "either" {
        let accepted = category.cases.iter().filter(|case| case.accepted).count();
        return format!("{accepted} accepted, {} rejected", category.cases.len() - accepted);
    }
    String::new()
}

fn interval<T: Display>(estimate: Estimate, unit: fn(f64) -> T) -> String {
    format!("{} to {}", unit(estimate.low), unit(estimate.high))
}
