//! `--emit`: writes a generated document to standard output, with no more memory for a gigabyte than for a kilobyte.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::Length;
use crate::commands::bench::shapes::Shape;
use crate::exit::Exit;
use crate::exit::Trouble;
use crate::target::Target;

pub fn run(shape: Shape, size: u64) -> Result<Exit, Trouble> {
    let mut target = Target::stdout()?;
    shape.write(Length::Bytes(size), &mut |chunk| target.print(chunk))?;
    Ok(Exit::Fine)
}

/// The value of `--size`: bytes, or KiB, MiB, GiB with the letter behind the number.
pub fn size(value: &str) -> Result<u64, String> {
    let (digits, unit) = match value.char_indices().last() {
        Some((at, 'K' | 'k')) => (&value[..at], 10),
        Some((at, 'M' | 'm')) => (&value[..at], 20),
        Some((at, 'G' | 'g')) => (&value[..at], 30),
        _ => (value, 0),
    };
    let size = digits.parse::<u64>().ok().and_then(|size| size.checked_mul(1 << unit));
    size.ok_or_else(|| "give a number of bytes, or a number and K, M or G".to_owned())
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
