//! The file of `--bad-records`: one JSON object for each record that `--skip-bad` leaves out.
//!
//! The file is created or replaced when all inputs have been read, so that it never has a part of the records.

#![forbid(unsafe_code)]

use crate::commands::query::output::Output;
use crate::exit::RunError;
use crate::json_text::JsonText;
use crate::json_text::JsonWriter;
use crate::name::Name;
use crate::report;
use crate::sanitize;
use crate::source::Source;
use crate::target::Target;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use fjson::Error;
use std::mem;
use std::path::Path;

const MATCHES_ARE_THERE: &str = "standard output has the matches; write the bad records to another file";

/// Size of the output buffer.
const BUFFER_SIZE: usize = 64 * 1024;

pub struct BadRecords {
    target: Target,
    /// Lines that have not been written to `target` yet.
    text: String,
}

impl BadRecords {
    /// Creates the file, which must not be the one that the matches are written to.
    pub fn create(path: &Path, output: &Output<'_>) -> Result<Self, RunError> {
        let target = Target::create(path)?;
        if path == "-" || output.is_replaced_by(&target) {
            return Err(RunError::new(Name::Path(path.to_path_buf()), MATCHES_ARE_THERE));
        }
        Ok(Self { target, text: String::new() })
    }

    /// Fails if `source` is the file that is written to.
    pub fn check_differs_from(&self, source: &Source) -> Result<(), RunError> {
        self.target.output_file().check_differs_from(source)
    }

    /// Adds a record of the input `name`. Its text is known if the library was told to keep it.
    pub fn add(&mut self, name: &Name, error: &Error) -> Result<(), RunError> {
        let text = error.record_text().map(<[u8]>::to_vec);
        let (text, bytes) = match text.map(String::from_utf8) {
            Some(Ok(text)) => (Some(text), None),
            Some(Err(error)) => (None, Some(BASE64_STANDARD.encode(error.as_bytes()))),
            None => (None, None),
        };
        let mut writer = JsonWriter::default();
        writer.begin_object();
        writer.name("file").text(&name.to_string());
        writer.name("offset").value(error.record_offset());
        writer.name("line").value(error.line());
        writer.name("kind").text(&report::kind(error));
        writer.name("message").text(&sanitize::text(&error.to_string()));
        writer.name("error_offset").value(error.offset());
        writer.name("pointer").optional_text(error.pointer());
        writer.name("text").optional_text(text.as_deref());
        writer.name("base64").optional_text(bytes.as_deref());
        writer.end();
        self.text += &writer.last_text();
        if self.text.len() >= BUFFER_SIZE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), RunError> {
        self.target.print(mem::take(&mut self.text))
    }

    /// Makes the complete file visible.
    pub fn commit(mut self) -> Result<(), RunError> {
        self.flush()?;
        self.target.commit()
    }
}
