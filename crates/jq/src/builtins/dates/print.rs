//! The formats of C's `strftime` in the locale `C`, with the flags and widths of the GNU library.

#![forbid(unsafe_code)]

use std::fmt::Write;

use crate::builtins::dates::civil::Civil;

pub(super) const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The greatest width of a field.
const WIDEST: usize = 1024;

/// What is known of the time zone.
pub(super) struct Zone<'z> {
    /// Seconds east of Greenwich.
    pub(super) offset: i32,
    pub(super) name: &'z str,
    /// Seconds since 1970.
    pub(super) seconds: i64,
}

/// How a field is written, if not as usual.
#[derive(Clone, Copy, Default)]
struct Flags {
    /// `_`, `-` or `0`
    padding: Option<char>,
    upper: bool,
    swap: bool,
    width: usize,
}

/// Returns a time in a format. What is no format is copied.
pub(super) fn print(civil: &Civil, zone: &Zone<'_>, format: &str) -> String {
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let (directive, after) = rest[at..].split_at(directive_length(&rest[at..]));
        rest = after;
        if !field(civil, zone, directive, &mut out) {
            out.push_str(directive);
        }
    }
    out.push_str(rest);
    out
}

/// Returns the length of a directive, from `%` to its letter.
fn directive_length(text: &str) -> usize {
    let modifiers =
        |character: char| matches!(character, '_' | '-' | '^' | '#' | 'E' | 'O') || character.is_ascii_digit();
    let end = text[1..].find(|character| !modifiers(character)).map_or(text.len(), |end| end + 1);
    end + text[end..].chars().next().map_or(0, char::len_utf8)
}

/// Appends the field of a directive. Returns false if there is no such directive.
fn field(civil: &Civil, zone: &Zone<'_>, directive: &str, out: &mut String) -> bool {
    let Some(letter) = directive[1..].chars().last() else { return false };
    let mut flags = Flags::default();
    for character in directive[1..directive.len() - letter.len_utf8()].chars() {
        match character {
            '_' | '-' => flags.padding = Some(character),
            '0' if flags.width == 0 => flags.padding = Some('0'),
            '^' => flags.upper = true,
            '#' => flags.swap = true,
            'E' | 'O' => {}
            _ => {
                let digit = character.to_digit(10).map_or(0, |digit| digit as usize);
                flags.width = (flags.width * 10 + digit).min(WIDEST);
            }
        }
    }
    let expanded = match letter {
        'c' => "%a %b %e %H:%M:%S %Y",
        'D' | 'x' => "%m/%d/%y",
        'F' => "%Y-%m-%d",
        'r' => "%I:%M:%S %p",
        'R' => "%H:%M",
        'T' | 'X' => "%H:%M:%S",
        '+' => "%a %b %e %H:%M:%S %Z %Y",
        _ => "",
    };
    if !expanded.is_empty() {
        text(&print(civil, zone, expanded), flags, out);
    } else if let Some((value, width, padding)) = number(civil, letter) {
        padded(value, width, padding, flags, out);
    } else {
        return other(civil, zone, letter, flags, out);
    }
    true
}

/// Returns the number of a directive, its width and how it is padded.
fn number(civil: &Civil, letter: char) -> Option<(i64, usize, char)> {
    let hour = (civil.hour + 11) % 12 + 1;
    let week = |first_day: i64| (civil.day_of_year + 7 - (civil.weekday - first_day).rem_euclid(7)) / 7;
    Some(match letter {
        'C' => (civil.year.div_euclid(100), 2, '0'),
        'd' => (civil.day, 2, '0'),
        'e' => (civil.day, 2, ' '),
        'g' => (civil.iso_week().0.rem_euclid(100), 2, '0'),
        'G' => (civil.iso_week().0, 1, '0'),
        'H' => (civil.hour, 2, '0'),
        'I' => (hour, 2, '0'),
        'j' => (civil.day_of_year + 1, 3, '0'),
        'k' => (civil.hour, 2, ' '),
        'l' => (hour, 2, ' '),
        'm' => (civil.month + 1, 2, '0'),
        'M' => (civil.minute, 2, '0'),
        'S' => (civil.second, 2, '0'),
        'u' => ((civil.weekday + 6) % 7 + 1, 1, '0'),
        'U' => (week(0), 2, '0'),
        'V' => (civil.iso_week().1, 2, '0'),
        'w' => (civil.weekday, 1, '0'),
        'W' => (week(1), 2, '0'),
        'y' => (civil.year.rem_euclid(100), 2, '0'),
        'Y' => (civil.year, 1, '0'),
        _ => return None,
    })
}

fn padded(value: i64, width: usize, padding: char, flags: Flags, out: &mut String) {
    let width = width.max(flags.width);
    let _ = match flags.padding.unwrap_or(if padding == ' ' { '_' } else { '0' }) {
        '-' => write!(out, "{value}"),
        '_' => write!(out, "{value:width$}"),
        _ => write!(out, "{value:0width$}"),
    };
}

/// Appends the text of a directive that is neither a number nor an abbreviation of others.
fn other(civil: &Civil, zone: &Zone<'_>, letter: char, mut flags: Flags, out: &mut String) -> bool {
    let index = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let weekday = WEEKDAYS.get(index(civil.weekday)).copied().unwrap_or("?");
    let month = MONTHS.get(index(civil.month)).copied().unwrap_or("?");
    let short = |name: &'static str| name.get(..3).unwrap_or(name);
    match letter {
        'a' | 'A' | 'b' | 'B' | 'h' => {
            // Names have small letters only, so `#` can only make them capital.
            flags.upper |= std::mem::take(&mut flags.swap);
            let name = match letter {
                'a' => short(weekday),
                'A' => weekday,
                'B' => month,
                _ => short(month),
            };
            text(name, flags, out);
        }
        'n' => text("\n", flags, out),
        't' => text("\t", flags, out),
        '%' => text("%", flags, out),
        'p' => text(if civil.hour >= 12 { "PM" } else { "AM" }, flags, out),
        'P' => text(if civil.hour >= 12 { "pm" } else { "am" }, flags, out),
        's' => text(&zone.seconds.to_string(), flags, out),
        'z' => {
            let sign = if zone.offset < 0 { '-' } else { '+' };
            let minutes = zone.offset.unsigned_abs() / 60;
            text(&format!("{sign}{:02}{:02}", minutes / 60, minutes % 60), flags, out);
        }
        'Z' => text(zone.name, flags, out),
        _ => return false,
    }
    true
}

fn text(text: &str, flags: Flags, out: &mut String) {
    let padding = if flags.padding == Some('0') { '0' } else { ' ' };
    out.extend((text.chars().count()..flags.width).map(|_| padding));
    if flags.upper {
        out.push_str(&text.to_ascii_uppercase());
    } else if flags.swap {
        out.push_str(&text.to_ascii_lowercase());
    } else {
        out.push_str(text);
    }
}
