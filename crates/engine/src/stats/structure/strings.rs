//! What the strings at one place have in common: their format, and which they are if there are few.
//!
//! This is noted only on request, because it takes time and memory: a copy of each string, and up to a KiB for each place.

#![forbid(unsafe_code)]

use crate::scalar::Surrogates;
use crate::scalar::unescape;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::net::Ipv6Addr;

/// Maximum number of different strings that are kept, and of the bytes of each.
const MAX_VALUES: usize = 16;
const MAX_VALUE_BYTES: usize = 32;

/// Maximum number of bytes of a string that may have a format.
const MAX_FORMAT_BYTES: usize = 2048;

/// The name of a format, and whether a string has it.
type Format = (&'static str, fn(&str) -> bool);

/// The formats that are recognized, as JSON Schema calls them. Each test accepts only what every validator should: no leap seconds, no
/// host names in other scripts, no exotic addresses.
const FORMATS: [Format; 8] = [
    ("date-time", is_date_time),
    ("date", is_date),
    ("time", is_time),
    ("uuid", is_uuid),
    ("ipv4", |text| text.parse::<Ipv4Addr>().is_ok()),
    ("ipv6", |text| text.parse::<Ipv6Addr>().is_ok()),
    ("email", is_email),
    ("uri", is_uri),
];

/// What is known of at least one string.
#[derive(Clone, Debug)]
pub(super) struct Strings {
    /// The different strings; `None` if there are too many, or if one is too long or has a lone surrogate.
    values: Option<BTreeSet<Box<str>>>,
    /// A bit for each of [`FORMATS`] that all of them have.
    formats: u8,
}

impl Default for Strings {
    fn default() -> Self {
        Self { values: Some(BTreeSet::new()), formats: u8::MAX }
    }
}

impl Strings {
    /// Adds a string, given whether it has escapes.
    pub(super) fn add(&mut self, text: &[u8], escapes: bool) {
        if self.values.is_none() && self.formats == 0 {
            return;
        }
        // A copy, because a memory-mapped file may change while its bytes are converted to characters.
        let text = (text.len() <= MAX_FORMAT_BYTES).then(|| text.to_vec());
        let text = text.and_then(|text| {
            if !escapes {
                return Some(text);
            }
            unescape(&text, Surrogates::Refuse).ok().map(Cow::into_owned)
        });
        let Some(text) = text.and_then(|text| String::from_utf8(text).ok()) else {
            (self.values, self.formats) = (None, 0);
            return;
        };
        for (index, (_, has_format)) in FORMATS.iter().enumerate() {
            if self.formats & 1 << index != 0 && !has_format(&text) {
                self.formats &= !(1 << index);
            }
        }
        self.add_value(&text);
    }

    fn add_value(&mut self, text: &str) {
        let Some(values) = self.values.as_mut().filter(|values| !values.contains(text)) else { return };
        if values.len() < MAX_VALUES && text.len() <= MAX_VALUE_BYTES {
            values.insert(Box::from(text));
        } else {
            self.values = None;
        }
    }

    /// Adds the strings of another place.
    pub(super) fn add_all(&mut self, others: &Self) {
        self.formats &= others.formats;
        match &others.values {
            Some(values) => values.iter().for_each(|value| self.add_value(value)),
            None => self.values = None,
        }
    }

    /// Returns the different strings in the order of their bytes.
    pub(super) fn values(&self) -> Option<Vec<&str>> {
        Some(self.values.as_ref()?.iter().map(|value| &**value).collect())
    }

    /// Returns the format of all strings.
    pub(super) fn format(&self) -> Option<&'static str> {
        FORMATS.get(self.formats.trailing_zeros() as usize).map(|(name, _)| *name)
    }
}

/// Reads two digits. Returns their number and the rest.
fn two_digits(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(2)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten().map(|number| (number, rest))
}

fn is_date(text: &str) -> bool {
    let date = || {
        let (century, rest) = two_digits(text)?;
        let (year, rest) = two_digits(rest)?;
        let (month, rest) = two_digits(rest.strip_prefix('-')?)?;
        let (day, rest) = two_digits(rest.strip_prefix('-')?)?;
        let year = century * 100 + year;
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days = match month {
            2 if is_leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        Some((1..=days).contains(&day) && rest.is_empty())
    };
    date().unwrap_or_default()
}

fn is_time(text: &str) -> bool {
    let time = || {
        let (hour, rest) = two_digits(text)?;
        let (minute, rest) = two_digits(rest.strip_prefix(':')?)?;
        let (second, mut rest) = two_digits(rest.strip_prefix(':')?)?;
        if let Some(fraction) = rest.strip_prefix('.') {
            rest = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
            if !(1..=9).contains(&(fraction.len() - rest.len())) {
                return None;
            }
        }
        let is_offset = rest == "Z" || {
            let (hour, rest) = two_digits(rest.strip_prefix(['+', '-'])?)?;
            let (minute, rest) = two_digits(rest.strip_prefix(':')?)?;
            hour < 24 && minute < 60 && rest.is_empty()
        };
        Some(hour < 24 && minute < 60 && second < 60 && is_offset)
    };
    time().unwrap_or_default()
}

fn is_date_time(text: &str) -> bool {
    text.split_once('T').is_some_and(|(date, time)| is_date(date) && is_time(time))
}

fn is_uuid(text: &str) -> bool {
    let is_valid = |(index, byte): (usize, u8)| match index {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == 36 && text.bytes().enumerate().all(is_valid)
}

/// Whether a text is a name of hosts with letters, digits and hyphens, such as `api.example.com`.
fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        let is_plain = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        // Two hyphens mark names in other scripts, which have rules of their own.
        is_plain
            && (1..64).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && !label.contains("--")
    };
    text.len() < 254 && text.split('.').all(is_label)
}

fn is_email(text: &str) -> bool {
    let is_atom = |atom: &str| {
        !atom.is_empty() && atom.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_+-".contains(&byte))
    };
    let is_top =
        |host: &str| host.rsplit_once('.').is_some_and(|(_, top)| top.bytes().all(|byte| byte.is_ascii_alphabetic()));
    text.split_once('@')
        .is_some_and(|(name, host)| name.len() <= 64 && name.split('.').all(is_atom) && is_host(host) && is_top(host))
}

/// Whether a text is a URI with a host, such as `https://example.com/a?b=c#d`.
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let is_scheme = scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic());
    let (host, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let (host, port) = host.split_once(':').unwrap_or((host, "0"));
    let is_port = port.parse::<u16>().is_ok() && port.bytes().all(|byte| byte.is_ascii_digit());
    let mut bytes = path.bytes();
    let mut fragments = 0;
    let mut is_path = true;
    while let Some(byte) = bytes.next() {
        is_path &= match byte {
            b'%' => [bytes.next(), bytes.next()].iter().all(|byte| byte.is_some_and(|byte| byte.is_ascii_hexdigit())),
            b'#' => {
                fragments += 1;
                fragments == 1
            }
            byte => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte),
        };
    }
    is_scheme && is_host(host) && is_port && is_path
}

#[cfg(test)]
mod tests {
    use super::Strings;

    fn of(texts: &[&str]) -> Strings {
        let mut strings = Strings::default();
        for text in texts {
            strings.add(text.as_bytes(), text.contains('\\'));
        }
        strings
    }

    #[test]
    fn formats_are_those_of_all_strings() {
        for (texts, expected) in [
            (&["2024-02-29", "2000-02-29"][..], Some("date")),
            (&["2023-02-29"], None),
            (&["1900-02-29"], None),
            (&["2024-13-01"], None),
            (&["2024-04-31"], None),
            (&["2024-1-01"], None),
            (&["2024-12-31T23:59:59Z", "2024-12-31T23:59:59.123456+05:30"], Some("date-time")),
            (&["2024-12-31T23:59:60Z"], None),
            (&["2024-12-31T23:59:59"], None),
            (&["2024-12-31T23:59:59.Z"], None),
            (&["2024-12-31", "2024-12-31T23:59:59Z"], None),
            (&["23:59:59-00:00"], Some("time")),
            (&["24:00:00Z"], None),
            (&["123e4567-e89b-12d3-a456-426614174000"], Some("uuid")),
            (&["123e4567-e89b-12d3-a456-42661417400g"], None),
            (&["192.168.0.1"], Some("ipv4")),
            (&["192.168.0.01"], None),
            (&["::1", "2001:db8::192.0.2.1"], Some("ipv6")),
            (&["a.b+c@example.com"], Some("email")),
            (&["a..b@example.com"], None),
            (&["a@localhost"], None),
            (&["a@-b.com"], None),
            (&["https:\\/\\/example.com:8080/a%20b?c=d#e", "s3://bucket"], Some("uri")),
            (&["https://example.com/a b"], None),
            (&["https://example.com/%2"], None),
            (&["https://example.com/#a#b"], None),
            (&["https://example.com:99999/"], None),
            (&["https://"], None),
            (&["é"], None),
            (&[""], None),
        ] {
            assert_eq!(of(texts).format(), expected, "{texts:?}");
        }
        assert_eq!(of(&["192.168.0.1", "x"]).format(), None);
        assert_eq!(of(&[&format!("https://example.com/{}", "a".repeat(2048))]).format(), None);
    }

    #[test]
    fn few_short_strings_are_kept() {
        assert_eq!(of(&["b", "a", "\\u0062"]).values(), Some(vec!["a", "b"]));
        assert_eq!(of(&["\\ud800"]).values(), None);
        assert_eq!(of(&[&"x".repeat(33), "x"]).values(), None);
        let many: Vec<_> = (0..17).map(|number| number.to_string()).collect();
        let many: Vec<_> = many.iter().map(|text| &**text).collect();
        assert_eq!(of(&many[..16]).values().map(|values| values.len()), Some(16));
        assert_eq!(of(&many).values(), None);
    }

    /// The strings of several parts are those of all of them, in whatever order.
    #[test]
    fn parts_add_up() {
        let all = [&["a", "b"][..], &["2024-01-01"], &["2024-01-02", "a"], &["192.168.0.1"]];
        let many: Vec<_> = ('a'..='p').map(|letter| letter.to_string()).collect();
        let many: Vec<_> = many.iter().map(|text| &**text).collect();
        for first in all.into_iter().chain([&many[..]]) {
            for second in all {
                let mut sum = of(first);
                sum.add_all(&of(second));
                let whole = of(&[first, second].concat());
                assert_eq!((sum.values(), sum.format()), (whole.values(), whole.format()), "{first:?} {second:?}");
            }
        }
    }
}
