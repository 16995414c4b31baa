//! The statistics as a table.

#![forbid(unsafe_code)]

use crate::commands::stats::Sums;
use crate::figures::Count;
use crate::sanitize;
use fjson::stats::Containers;
use fjson::stats::Distinct;
use fjson::stats::Numbers;
use fjson::stats::Strings;

/// Label, count and remark.
type Row = (String, String, String);

pub fn text(sums: &Sums) -> String {
    let Sums { inputs, failed, stats, top, .. } = sums;
    let whitespace = stats.bytes.saturating_sub(stats.token_bytes);
    let invalid = if stats.invalid > 0 { format!("{} invalid", grouped(stats.invalid)) } else { String::new() };
    // The text after an error has not been counted, so the share of whitespace is unknown.
    let is_known = stats.invalid == 0 && *failed == 0;
    let spread = if is_known { format!("{} whitespace", share(whitespace, stats.bytes)) } else { String::new() };
    let read = if *failed > 0 {
        format!("{} failed; all counts are of what was read", grouped(*failed))
    } else {
        String::new()
    };
    let mut sections = vec![(
        "Input",
        vec![
            row("inputs", *inputs, read),
            row("documents", stats.documents, invalid),
            row("bytes", stats.bytes, spread),
            row("depth", stats.depth, String::new()),
        ],
    )];
    let literals = [("true", stats.trues), ("false", stats.falses), ("null", stats.nulls)];
    let scalars = stats.strings.count + stats.numbers.count + literals.iter().map(|(_, count)| count).sum::<u64>();
    let all = scalars + stats.objects.count + stats.arrays.count;
    let of_all = |label, count, more: String| {
        let more = if more.is_empty() { more } else { format!("; {more}") };
        row(label, count, format!("{:>7}{more}", share(count, all)))
    };
    let mut values = vec![
        of_all("objects", stats.objects.count, containers(&stats.objects, "members")),
        of_all("arrays", stats.arrays.count, containers(&stats.arrays, "elements")),
        of_all(
            "strings",
            stats.strings.count,
            lengths(stats.strings.count, stats.strings.bytes, stats.strings.longest),
        ),
        of_all(
            "numbers",
            stats.numbers.count,
            lengths(stats.numbers.count, stats.numbers.bytes, stats.numbers.longest),
        ),
    ];
    values.extend(literals.map(|(label, count)| of_all(label, count, String::new())));
    sections.push(("Values", values));
    if stats.numbers.count > 0 {
        sections.push(("Numbers", numbers(&stats.numbers)));
    }
    if stats.strings.count > 0 {
        sections.push(("Strings", strings(&stats.strings, stats.distinct_strings())));
    }
    if stats.keys.count > 0 {
        let mut rows =
            vec![row("keys", stats.keys.count, lengths(stats.keys.count, stats.keys.bytes, stats.keys.longest))];
        rows.extend(strings(&stats.keys, stats.distinct_keys()));
        let unchecked = stats.unchecked_keys;
        let more = if unchecked > 0 { format!("{} not checked", grouped(unchecked)) } else { String::new() };
        rows.push(row("duplicate", stats.repeated_keys, more));
        sections.push(("Keys", rows));
        let frequent = stats.frequent_keys(*top).into_iter().map(|it| {
            let range = if it.at_most > it.count { format!("at most {}", grouped(it.at_most)) } else { String::new() };
            row(&sanitize::text(&it.key), it.count, range)
        });
        sections.push(("Most frequent keys", frequent.collect()));
    }
    laid_out(&sections)
}

fn row(label: &str, count: u64, more: String) -> Row {
    (label.to_owned(), grouped(count).to_string(), more)
}

fn containers(containers: &Containers, members: &str) -> String {
    let Containers { count, empty, members: sum, largest, .. } = *containers;
    if count == 0 {
        return String::new();
    }
    format!("{} {members} on average, at most {}; {} empty", average(sum, count), grouped(largest), grouped(empty))
}

fn lengths(count: u64, bytes: u64, longest: u64) -> String {
    if count == 0 {
        return String::new();
    }
    format!("{} bytes on average, at most {}", average(bytes, count), grouped(longest))
}

fn numbers(numbers: &Numbers) -> Vec<Row> {
    let of = |label, count| row(label, count, format!("{:>7}", share(count, numbers.count)));
    let extreme = |label: &str, text: &Option<String>| {
        let text = text.as_deref().unwrap_or_default();
        // Long numbers are truncated.
        let shown = if text.len() > 40 { format!("{}…", &text[..40]) } else { text.to_owned() };
        (label.to_owned(), shown, String::new())
    };
    vec![
        of("integers", numbers.integers),
        of("negative", numbers.negative),
        of("inexact as double", numbers.inexact),
        extreme("least", &numbers.least),
        extreme("greatest", &numbers.greatest),
    ]
}

fn strings(strings: &Strings, distinct: Distinct) -> Vec<Row> {
    let of = |label, count| row(label, count, format!("{:>7}", share(count, strings.count)));
    let repeated = strings.count.saturating_sub(distinct.count);
    let estimated = if distinct.is_exact { "" } else { ", estimated" };
    let mut rows = vec![
        row("distinct", distinct.count, format!("{:>7} are repeated{estimated}", share(repeated, strings.count))),
        of("with escapes", strings.escaped),
        of("non-ASCII", strings.non_ascii),
    ];
    if strings.lone_surrogates > 0 {
        rows.push(of("with lone surrogates", strings.lone_surrogates));
    }
    rows
}

/// Returns a number that is displayed with thousands separators.
fn grouped(count: u64) -> Count<u64> {
    Count(count)
}

/// Formats a share as a percentage with one decimal place.
fn share(part: u64, whole: u64) -> String {
    let thousandths =
        if whole == 0 { 0 } else { (u128::from(part) * 1000 + u128::from(whole) / 2) / u128::from(whole) };
    format!("{}.{} %", thousandths / 10, thousandths % 10)
}

/// Formats an average with one decimal place.
fn average(sum: u64, count: u64) -> String {
    let tenths = (u128::from(sum) * 10 + u128::from(count) / 2) / u128::from(count.max(1));
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn laid_out(sections: &[(&str, Vec<Row>)]) -> String {
    let widest = |cell: fn(&Row) -> &String| {
        sections.iter().flat_map(|(_, rows)| rows).map(|row| cell(row).chars().count()).max().unwrap_or_default()
    };
    let (labels, counts) = (widest(|row| &row.0).min(40), widest(|row| &row.1));
    let mut text = String::new();
    for (title, rows) in sections {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(title);
        text.push('\n');
        for (label, count, more) in rows {
            let line = format!("  {label:<labels$}  {count:>counts$}  {more}");
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}
