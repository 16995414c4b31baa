//! `--emit`: writes a generated document to standard output, with no more memory for a gigabyte than for a kilobyte.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::Length;
use crate::commands::bench::shapes::Shape;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::target::Target;

pub fn run(shape: Shape, size: u64) -> Result<Exit, RunError> {
    let mut target = Target::stdout()?;
    shape.write(Length::Bytes(size), &mut |chunk| target.print(chunk))?;
    Ok(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use crate::args::values::size;

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
