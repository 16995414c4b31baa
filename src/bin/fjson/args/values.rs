//! Parsers of option values. Their errors are shown by clap after the name of the option.

#![forbid(unsafe_code)]

use fjson::Isa;
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

/// Parses the value of `--indent`.
pub fn indent(value: &str) -> Result<u8, String> {
    let spaces = value.parse().ok().filter(|&spaces| spaces <= 16);
    spaces.ok_or_else(|| String::from("expected a number of spaces from 0 to 16; use `--tab` for tabs"))
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

/// Parses the value of `--limit`.
pub fn limit(value: &str) -> Result<u64, String> {
    value.parse().ok().filter(|&limit| limit > 0).ok_or_else(|| String::from("expected a number of matches, 1 or more"))
}

/// Parses the value of `--time`.
pub fn seconds(value: &str) -> Result<Duration, String> {
    let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|seconds| !seconds.is_zero()).ok_or_else(|| "expected a number of seconds above 0".to_owned())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units() {
        for (value, bytes) in [("0", 0), ("100", 100), ("64K", 65_536), ("2m", 2 << 20), ("1G", 1 << 30)] {
            assert_eq!(size(value), Ok(bytes));
        }
        for value in ["", "K", "-1", "1.5M", "1T", "20000000000G", "1é"] {
            assert!(size(value).is_err(), "{value}");
        }
    }
}
