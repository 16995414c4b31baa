//! `--paths` and `--infer-schema`: the structure of documents, as a table of 80 columns, as one JSON document on one line, and as a JSON
//! Schema.

#![forbid(unsafe_code)]

use crate::figures::Count;
use crate::figures::Size;
use crate::json_text::JsonText;
use crate::json_text::JsonWriter;
use crate::report::counted;
use crate::sanitize;
use fjson::Structure;
use fjson::stats::Containers;
use fjson::stats::Place;
use fjson::stats::Step;
use fjson_schema::Strictness;
use unicode_width::UnicodeWidthChar;
use unicode_width::UnicodeWidthStr;

/// Width of the table, unless paths or counts are long.
const WIDTH: usize = 80;

/// Maximum width of the column of paths. Longer ones are on lines of their own.
const MAX_PATH: usize = 32;

/// A row of the table: the values at one place that have one type.
struct Row {
    /// The path, in the first row of a place.
    path: String,
    kind: &'static str,
    count: String,
    /// How many of the objects or arrays around have the path, in the first row of the place of a member.
    share: String,
    values: String,
}

/// Returns the table.
pub fn table(structure: &Structure, inputs: u64) -> String {
    let documents = counted(structure.documents(), "document");
    let invalid = structure.invalid();
    let invalid = if invalid > 0 { format!(" ({} invalid)", Count(invalid)) } else { String::new() };
    let size = Size(usize::try_from(structure.bytes()).unwrap_or(usize::MAX));
    let mut text = format!("{documents}{invalid} in {}, {size}\n\n", counted(inputs, "input"));
    let header = ["Path", "Type", "Count", "Share", "Values"].map(str::to_owned);
    let [path, _, count, share, values] = header;
    let mut rows = vec![Row { path, kind: "Type", count, share, values }];
    rows.extend(structure.places().flat_map(|place| place_rows(&place)));
    let path_width =
        rows.iter().map(|row| row.path.width()).filter(|&width| width <= MAX_PATH).max().unwrap_or_default();
    let count_width = rows.iter().map(|row| row.count.len()).max().unwrap_or_default();
    for Row { path, kind, count, share, values } in &rows {
        let mut path = path.as_str();
        if path.width() > path_width {
            text.push_str(path);
            text.push('\n');
            path = "";
        }
        let padding = path_width - path.width();
        let start = format!("{path}{:padding$}  {kind:<7}  {count:>count_width$}  {share:>5}  ", "");
        let line = start.clone() + &cut(values, WIDTH.saturating_sub(start.width()));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for note in notes(structure) {
        text.push('\n');
        text.push_str(&note);
        text.push('\n');
    }
    text
}

/// Returns what must be known to read the table.
fn notes(structure: &Structure) -> Vec<String> {
    let mut notes = Vec::new();
    if structure.places().any(|place| place.step() == Step::AnyMember) {
        notes.push(
            "* stands for the keys of an object that is taken for a map, because it has many\n\
             different keys (--max-keys sets how many) or one of more than 256 bytes."
                .to_owned(),
        );
    }
    if structure.deeper_values() > 0 {
        notes.push(format!(
            "Not described: {} with more levels; --levels sets how many.",
            counted(structure.deeper_values(), "value")
        ));
    }
    if structure.unlisted_values() > 0 {
        notes.push(format!(
            "Not described: {}, because there are more than 50,000 paths.",
            counted(structure.unlisted_values(), "value")
        ));
    }
    notes
}

/// Returns the rows of a place, one for each type.
fn place_rows(place: &Place<'_>) -> Vec<Row> {
    let mut share = match place.step() {
        Step::Member(_) => percentage(place.present(), place.parents()),
        _ => String::new(),
    };
    let mut path = sanitize::text(&place.path());
    let mut rows = Vec::new();
    for (kind, count, values) in kinds(place) {
        let (path, share) = (std::mem::take(&mut path), std::mem::take(&mut share));
        rows.push(Row { path, kind, count: Count(count).to_string(), share, values });
    }
    rows
}

/// Returns the types of the values at a place, their numbers, and what is known of their values.
fn kinds(place: &Place<'_>) -> Vec<(&'static str, u64, String)> {
    let (objects, arrays, strings, numbers) = (place.objects(), place.arrays(), place.strings(), place.numbers());
    let example = |is_shown: fn(char) -> bool| {
        let example = place.example().filter(|example| example.starts_with(is_shown)).unwrap_or_default();
        sanitize::text(example)
    };
    let members = if place.is_map() { "keys" } else { "members" };
    let length = match (strings.shortest, strings.longest) {
        (least, greatest) if least == greatest => counted(greatest, "character"),
        (least, greatest) => format!("{} to {} characters", Count(least), Count(greatest)),
    };
    let shown = example(|first| first == '"');
    let text = if shown.is_empty() { length } else { format!("{length}, {shown}") };
    let numeric = if numbers.integers == numbers.count { "integer" } else { "number" };
    let [least, greatest] =
        [&numbers.least, &numbers.greatest].map(|text| cut(text.as_deref().unwrap_or_default(), 24));
    let range = if least == greatest { least } else { format!("{least} to {greatest}") };
    let (trues, falses) = (place.trues(), place.falses());
    let literals = match (trues, falses) {
        (_, 0) => "true".to_owned(),
        (0, _) => "false".to_owned(),
        _ => format!("{} true", Count(trues)),
    };
    let all = [
        ("object", objects.count, sizes(objects, members)),
        ("array", arrays.count, sizes(arrays, "elements")),
        ("string", strings.count, text),
        (numeric, numbers.count, range),
        ("boolean", trues + falses, literals),
        ("null", place.nulls(), String::new()),
    ];
    all.into_iter().filter(|(_, count, _)| *count > 0).collect()
}

/// Describes the numbers of members or elements.
fn sizes(containers: &Containers, members: &str) -> String {
    let Containers { count, members: sum, largest, .. } = *containers;
    match largest {
        0 => "empty".to_owned(),
        1 if count == sum => format!("1 {}", members.trim_end_matches('s')),
        _ if u128::from(count) * u128::from(largest) == u128::from(sum) => format!("{} {members}", Count(largest)),
        _ => format!("up to {} {members}", Count(largest)),
    }
}

/// Formats a share in percent. Only 0 is 0 %, and only everything is 100 %.
fn percentage(part: u64, whole: u64) -> String {
    match u128::from(part) * 100 / u128::from(whole.max(1)) {
        0 if part > 0 => "<1 %".to_owned(),
        percent => format!("{percent} %"),
    }
}

/// Cuts a text to this width.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    let mut rest = width.saturating_sub(1);
    for character in text.chars() {
        let Some(left) = rest.checked_sub(character.width().unwrap_or_default()) else { break };
        rest = left;
        cut.push(character);
    }
    if width > 0 {
        cut.push('…');
    }
    cut
}

/// Returns the JSON document.
pub fn json(structure: &Structure, inputs: u64) -> String {
    let mut writer = JsonWriter::default();
    writer.begin_object();
    writer.name("inputs").value(inputs);
    writer.name("documents").value(structure.documents());
    writer.name("invalid").value(structure.invalid());
    writer.name("bytes").value(structure.bytes());
    writer.name("unlisted_values").value(structure.unlisted_values());
    writer.name("deeper_values").value(structure.deeper_values());
    writer.name("paths").begin_array();
    for place in structure.places() {
        write_place(&place, &mut writer);
    }
    writer.end().end();
    writer.last_text()
}

fn write_place(place: &Place<'_>, writer: &mut JsonWriter) {
    writer.begin_object();
    writer.name("path").text(&place.path());
    writer.name("count").value(place.count());
    writer.name("present").value(place.present());
    writer.name("parents").value(place.parents());
    let numbers = place.numbers();
    writer.name("types").begin_object();
    for (name, count) in [
        ("object", place.objects().count),
        ("array", place.arrays().count),
        ("string", place.strings().count),
        ("integer", numbers.integers),
        ("number", numbers.count - numbers.integers),
        ("true", place.trues()),
        ("false", place.falses()),
        ("null", place.nulls()),
    ] {
        if count > 0 {
            writer.name(name).value(count);
        }
    }
    writer.end();
    for (name, Containers { count, empty, members, largest, .. }) in
        [("members", place.objects()), ("elements", place.arrays())]
    {
        if *count > 0 {
            writer.name(name).begin_object().name("count").value(members);
            writer.name("largest").value(largest).name("empty").value(empty).end();
        }
    }
    if place.objects().count > 0 {
        writer.name("is_map").value(place.is_map());
    }
    let strings = place.strings();
    if strings.count > 0 {
        writer.name("length").begin_object();
        writer.name("least").value(strings.shortest).name("greatest").value(strings.longest).end();
    }
    if numbers.count > 0 {
        // As strings, because the number type of a program may not be able to hold them.
        writer.name("least").optional_text(numbers.least.as_deref());
        writer.name("greatest").optional_text(numbers.greatest.as_deref());
    }
    if let Some(example) = place.example() {
        writer.name("example").raw(&shown(example));
    }
    writer.end();
}

/// Returns the JSON Schema.
pub fn schema(structure: &Structure, strictness: Strictness) -> String {
    let schema = fjson_schema::infer(structure, strictness);
    schema.lines().map(|line| shown(line) + "\n").collect()
}

/// Returns JSON in which invisible characters, which only strings have, are escaped.
fn shown(json: &str) -> String {
    let mut shown = String::new();
    for character in json.chars() {
        if sanitize::is_visible(character) {
            shown.push(character);
        } else {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                shown.extend(["\\u", &format!("{unit:04x}")]);
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::cut;
    use super::percentage;
    use super::shown;

    #[test]
    fn shares_are_exact_at_the_ends() {
        for (part, whole, expected) in
            [(0, 9, "0 %"), (1, 1000, "<1 %"), (999, 1000, "99 %"), (7, 7, "100 %"), (1, 2, "50 %"), (0, 0, "0 %")]
        {
            assert_eq!(percentage(part, whole), expected);
        }
    }

    #[test]
    fn texts_are_cut_by_width() {
        for (text, width, expected) in
            [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("ab", 0, "")]
        {
            assert_eq!(cut(text, width), expected);
        }
    }

    #[test]
    fn examples_have_no_invisible_characters() {
        assert_eq!(shown("\"a\u{9b}\u{e0001}é\""), "\"a\\u009b\\udb40\\udc01é\"");
    }
}
