//! Parsers of option values. Their errors are shown by clap after the name of the option.

#![forbid(unsafe_code)]

use fjson::ArrayMatching;
use fjson::Isa;
use fjson::Layout;
use ignore::overrides::OverrideBuilder;
use std::time::Duration;

/// Parses the value of `--max-depth`.
pub fn depth_limit(value: &str) -> Result<u64, String> {
    if value == "none" {
        return Ok(u64::MAX);
    }
    value.parse().map_err(|_| String::from("expected a number of levels, or `none`"))
}

/// Parses the value of `--max-errors`.
pub fn count(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| String::from("expected a number; 0 shows all errors"))
}

/// Parses the value of `--threads`.
pub fn threads(value: &str) -> Result<usize, String> {
    value.parse().map_err(|_| String::from("expected a number of threads; 0 stands for one per processor"))
}

/// Parses the value of `--top`.
pub fn keys(value: &str) -> Result<usize, String> {
    value.parse().map_err(|_| String::from("expected a number of keys"))
}

/// Parses the value of `--levels`.
pub fn levels(value: &str) -> Result<u64, String> {
    value.parse().ok().filter(|levels| *levels <= 256).ok_or_else(|| String::from("expected a number from 0 to 256"))
}

/// Parses the value of `--max-keys`.
pub fn map_keys(value: &str) -> Result<usize, String> {
    value.parse().ok().filter(|keys| *keys <= 10_000).ok_or_else(|| String::from("expected a number from 0 to 10000"))
}

/// Parses the value of `--max-bytes`, `--max-memory` and `--size`.
pub fn size(value: &str) -> Result<u64, String> {
    let (digits, unit) = match value.char_indices().last() {
        Some((at, 'K' | 'k')) => (&value[..at], 10),
        Some((at, 'M' | 'm')) => (&value[..at], 20),
        Some((at, 'G' | 'g')) => (&value[..at], 30),
        _ => (value, 0),
    };
    let size = digits.parse::<u64>().ok().and_then(|size| size.checked_mul(1 << unit));
    size.ok_or_else(|| "expected a number of bytes, or a number with the suffix K, M or G".to_owned())
}

/// The part of an input to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The bytes from `from` up to `to`, or to the end.
    Bytes { from: u64, to: Option<u64> },
    /// One of `count` equal parts, counted from 1.
    Numbered { number: u64, count: u64 },
}

/// Parses the value of `--range`.
pub fn part(value: &str) -> Result<Part, String> {
    if let Some((number, count)) = value.split_once('/') {
        let numbers = number.parse().ok().zip(count.parse().ok());
        let numbers = numbers.filter(|(number, count)| (1..=*count).contains(number));
        return numbers.map(|(number, count)| Part::Numbered { number, count }).ok_or_else(|| {
            "expected K/N, the number of a part and the number of all parts: 1/4 is the first of four".to_owned()
        });
    }
    let (from, to) = value.split_once("..").ok_or("expected FROM..TO in bytes, or K/N for one of N equal parts")?;
    bytes(from, to)
}

/// Returns the part between two offsets, each of which may be empty.
pub fn bytes(from: &str, to: &str) -> Result<Part, String> {
    let from = if from.is_empty() { 0 } else { size(from)? };
    let to = if to.is_empty() { None } else { Some(size(to)?) };
    if to.is_some_and(|to| to < from) {
        return Err("the end of the range is before its start".to_owned());
    }
    Ok(Part::Bytes { from, to })
}

impl Part {
    /// Whether the part is the whole input, whatever its size.
    pub fn is_everything(self) -> bool {
        matches!(self, Self::Bytes { from: 0, to: None } | Self::Numbered { count: 1, .. })
    }

    /// Returns the number of bytes of an input with this size that are in the part.
    pub fn length(self, size: u64) -> u64 {
        let (from, to) = self.range(size);
        to.map_or(size, |to| to.min(size)).saturating_sub(from)
    }

    /// Returns the range of bytes of an input with this size. The end is unknown for the last part.
    pub fn range(self, size: u64) -> (u64, Option<u64>) {
        match self {
            Self::Bytes { from, to } => (from, to),
            Self::Numbered { number, count } => {
                let border = |number: u64| {
                    u64::try_from(u128::from(size) * u128::from(number) / u128::from(count)).unwrap_or(size)
                };
                (border(number - 1), (number < count).then(|| border(number)))
            }
        }
    }
}

/// Parses the value of `--indent`.
pub fn indent(value: &str) -> Result<u8, String> {
    let spaces = value.parse().ok().filter(|&spaces| spaces <= 16);
    spaces.ok_or_else(|| String::from("expected a number of spaces from 0 to 16"))
}

/// Parses the value of `--indent` of a command that also has `--tab`.
pub fn indent_or_tab(value: &str) -> Result<u8, String> {
    indent(value).map_err(|message| message + "; use `--tab` for tabs")
}

/// Parses the value of `--width`.
pub fn width(value: &str) -> Result<u32, String> {
    let columns = value.parse().ok().filter(|columns| (1..=Layout::MAX_WIDTH).contains(columns));
    columns.ok_or_else(|| format!("expected a number of columns from 1 to {}", Layout::MAX_WIDTH))
}

/// Parses the value of `--kernel`.
pub fn kernel(name: &str) -> Result<Isa, String> {
    if name == "auto" { Ok(Isa::detect()) } else { name.parse().map_err(|error| format!("{error}")) }
}

/// Parses the value of `--glob`.
pub fn glob(value: &str) -> Result<String, String> {
    match OverrideBuilder::new("").add(value) {
        Ok(_) => Ok(value.to_owned()),
        Err(ignore::Error::Glob { err, .. }) => Err(err),
        Err(error) => Err(error.to_string()),
    }
}

/// Parses the value of `--null`, which is printed in rows as it is.
pub fn null(value: &str) -> Result<String, String> {
    let is_allowed = !value.contains([',', '"', '\t', '\n', '\r']);
    is_allowed
        .then(|| value.to_owned())
        .ok_or_else(|| "expected a text without commas, quotes, tabs and line breaks".into())
}

/// Parses the value of `--limit`.
pub fn limit(value: &str) -> Result<u64, String> {
    value.parse().ok().filter(|&limit| limit > 0).ok_or_else(|| String::from("expected a number of matches, 1 or more"))
}

/// Parses the value of `--time`.
pub fn seconds(value: &str) -> Result<Duration, String> {
    let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|seconds| !seconds.is_zero()).ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

/// Parses the value of `--context`.
pub fn neighbors(value: &str) -> Result<usize, String> {
    value.parse().map_err(|_| String::from("expected a number of members or elements"))
}

/// Parses the value of `--tolerance`.
pub fn tolerance(value: &str) -> Result<f64, String> {
    let tolerance = value.parse().ok().filter(|tolerance: &f64| tolerance.is_finite() && *tolerance >= 0.0);
    tolerance.ok_or_else(|| "expected a number, such as 1e-9".to_owned())
}

/// Parses the value of `--key`.
pub fn pointer(value: &str) -> Result<String, String> {
    let is_pointer = value.is_empty() || value.starts_with('/');
    is_pointer.then(|| value.to_owned()).ok_or_else(|| format!("expected a JSON Pointer, such as /{value}"))
}

/// Parses the value of `--array`.
pub fn array_matching(value: &str) -> Result<ArrayMatching, String> {
    match value {
        "lcs" => Ok(ArrayMatching::Sequence),
        "position" => Ok(ArrayMatching::Position),
        "set" => Ok(ArrayMatching::Set),
        _ => match value.strip_prefix("key=") {
            Some(key) => pointer(key).map(ArrayMatching::Key),
            None => Err("expected lcs, position, set or key=POINTER, such as key=/id".to_owned()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (value, bytes) in [("0", 0), ("100", 100), ("64K", 65_536), ("2m", 2 << 20), ("1G", 1 << 30)] {
            assert_eq!(size(value), Ok(bytes));
        }
        for value in ["", "K", "-1", "1.5M", "1T", "20000000000G", "1é"] {
            assert!(size(value).is_err(), "{value}");
        }
    }

    #[test]
    fn parts_are_bytes_or_numbered() {
        let bytes = |from, to| Ok(Part::Bytes { from, to });
        for (value, expected) in [
            ("0..10", bytes(0, Some(10))),
            ("1K..2k", bytes(1024, Some(2048))),
            ("..1M", bytes(0, Some(1 << 20))),
            ("5..", bytes(5, None)),
            ("..", bytes(0, None)),
            ("2/3", Ok(Part::Numbered { number: 2, count: 3 })),
        ] {
            assert_eq!(part(value), expected, "{value}");
        }
        for value in ["", "5", "5..4", "a..b", "1...2", "0/3", "4/3", "1/0", "/", "1/", "-1/2", "1..2..3"] {
            assert!(part(value).is_err(), "{value}");
        }
    }

    /// Numbered parts are adjacent, and about equally long.
    #[test]
    fn numbered_parts_cover_everything() {
        for (size, count) in [(0, 1), (0, 5), (1, 3), (10, 3), (1 << 40, 7), (u64::MAX, u64::MAX), (u64::MAX, 3)] {
            let range = |number| Part::Numbered { number, count }.range(size);
            assert_eq!((range(1).0, range(count).1), (0, None));
            for number in 1..count.min(10) {
                let (from, to) = range(number);
                assert_eq!(to, Some(range(number + 1).0));
                assert!((size / count..=size / count + 1).contains(&(to.unwrap_or(0) - from)));
            }
        }
    }
}
