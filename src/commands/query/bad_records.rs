//! The file of `--bad-records`: one JSON object for each record that `--skip-bad` leaves out.
//!
//! The file is created or replaced only if all inputs have been read, so that it never has a part of the records.

#![forbid(unsafe_code)]

use crate::exit::RunError;
use crate::json_text::JsonText;
use crate::json_text::JsonWriter;
use crate::name::Name;
use crate::outputs::Outputs;
use crate::report;
use crate::report::Skipped;
use crate::sanitize;
use crate::target::Target;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
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
    /// Creates the file, which must not be standard output: the matches are there.
    pub fn create(path: &Path, outputs: &mut Outputs<'_>) -> Result<Self, RunError> {
        if path == "-" {
            return Err(RunError::new(Name::Path(path.to_path_buf()), MATCHES_ARE_THERE));
        }
        Ok(Self { target: outputs.create(path)?, text: String::new() })
    }

    /// Adds a record of the input `name`. Its text is known if the library was told to keep it.
    pub fn add(&mut self, name: &Name, skipped: &Skipped) -> Result<(), RunError> {
        let Skipped { error, reason } = skipped;
        let message = reason.map_or_else(|| error.to_string(), str::to_owned);
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
        writer.name("message").text(&sanitize::text(&message));
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

    /// Writes the rest. Makes the file visible if it is complete, because all inputs have been read.
    pub fn finish(mut self, is_complete: bool) -> Result<(), RunError> {
        self.flush()?;
        if is_complete { self.target.commit() } else { Ok(()) }
    }
}
