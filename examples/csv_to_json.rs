//! Converts CSV to an array of objects with the [`Writer`](fjson::Writer), line by line and in bounded memory.
//!
//! ```sh
//! cargo run --example csv_to_json < table.csv > table.json
//! ```

use std::error::Error;
use std::io;
use std::io::BufRead;
use std::io::Write;

use fjson::Stream;
use fjson::Writer;

fn main() -> Result<(), Box<dyn Error>> {
    convert(io::stdin().lock(), io::stdout().lock())
}

/// Writes an object for each line after the first, which has the names of the members. Fields are separated by commas. Those with
/// double quotes may contain commas, but no line breaks.
///
/// # Errors
///
/// If the input is empty, not UTF-8, or cannot be read, or if the output cannot be written.
pub fn convert(input: impl BufRead, output: impl Write) -> Result<(), Box<dyn Error>> {
    let mut lines = input.lines();
    let names = fields(&lines.next().ok_or("the input is empty")??);
    // The stream has a buffer of its own. An error of the output is remembered until `finish`.
    let mut writer = Writer::new(Stream::new(output));
    writer.begin_array();
    for line in lines {
        writer.break_line().begin_object();
        for (name, field) in names.iter().zip(fields(&line?)) {
            writer.name(name);
            write_field(&field, &mut writer);
        }
        writer.end();
    }
    writer.break_line().end().end_document();
    writer.finish()?;
    Ok(())
}

/// Writes a field as null, a number or a string.
fn write_field<W: Write>(field: &str, writer: &mut Writer<Stream<W>>) {
    if field.is_empty() {
        writer.value(());
    } else if fjson::scalar::Number::new(field.as_bytes()).is_some() {
        // The text of the number is kept: `1.50` stays `1.50`.
        writer.raw(field);
    } else {
        writer.value(field);
    }
}

/// Splits a line into its fields.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        let field = fields.last_mut().expect("there always is a field");
        match character {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            _ => field.push(character),
        }
    }
    fields
}
