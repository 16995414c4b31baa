//! Filters log records, one per line: keeps the errors, with fewer members and one more.
//!
//! ```sh
//! cargo run --example log_pipeline < service.log > errors.log
//! ```

use std::error::Error;
use std::io;
use std::io::BufRead;
use std::io::Write;

use fjson::Parser;
use fjson::Stream;
use fjson::Writer;

fn main() -> Result<(), Box<dyn Error>> {
    let (kept, invalid) = filter(io::stdin().lock(), io::stdout().lock())?;
    writeln!(io::stderr(), "{kept} errors, {invalid} invalid lines")?;
    Ok(())
}

/// Writes the records of the level `error`. Returns their number, and the number of lines that are not JSON.
///
/// # Errors
///
/// If the input cannot be read or the output cannot be written. An invalid line is not an error.
pub fn filter(mut input: impl BufRead, output: impl Write) -> Result<(u64, u64), Box<dyn Error>> {
    let mut parser = Parser::new();
    let mut writer = Writer::new(Stream::new(output));
    let (mut line, mut number, mut kept, mut invalid) = (Vec::new(), 0_u64, 0, 0);
    while input.read_until(b'\n', &mut line)? > 0 {
        number += 1;
        match parser.document(&line) {
            Ok(record) => {
                if record.get("level").and_then(fjson::Value::as_str).as_deref() == Some("error") {
                    writer.begin_object().name("line").value(number);
                    // The text of a value is copied as it is, whatever it is.
                    for name in ["time", "message"] {
                        if let Some(value) = record.get(name) {
                            writer.name(name).raw(value.raw());
                        }
                    }
                    writer.end().end_document();
                    kept += 1;
                }
            }
            Err(_) => invalid += 1,
        }
        line.clear();
    }
    if kept > 0 {
        writer.finish()?;
    }
    Ok((kept, invalid))
}
