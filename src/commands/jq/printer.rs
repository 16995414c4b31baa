//! The text of outputs, to the byte like jq.

#![forbid(unsafe_code)]

use crate::commands::jq::settings::Settings;
use fjson_jq::value::Value;
use fjson_jq::write;
use fjson_jq::write::Colors;
use fjson_jq::write::Indent;
use fjson_jq::write::Style;

/// The record separator of RFC 7464.
const RECORD_SEPARATOR: u8 = 0x1e;

/// Why an output has no text: what jq says.
pub const NUL: &str = "Cannot dump a string containing NUL with --raw-output0 option";

/// Why an output has no text: jq would cut it.
const TOO_DEEP: &str = "the output is nested more than 10,000 levels deep";

/// Writes outputs. All threads share one.
pub struct Printer {
    style: Style,
    /// For strings with `-r -a`: quotes and escapes, without colors.
    ascii: Option<Style>,
    raw: bool,
    seq: bool,
    /// What follows each output.
    end: &'static [u8],
    nul_is_end: bool,
}

impl Printer {
    /// Creates a printer; `colors` are those of the output, if it has any.
    pub fn new(settings: &Settings, colors: Option<Colors>) -> Self {
        let style = Style { indent: settings.indent, sort_keys: settings.sort_keys, ascii: settings.ascii, colors };
        let ascii = Style { ascii: true, ..Style::default() };
        let end: &[u8] = match settings {
            Settings { raw0: true, .. } => b"\0",
            Settings { join: true, .. } => b"",
            _ => b"\n",
        };
        Self {
            style,
            ascii: settings.ascii.then_some(ascii),
            raw: settings.raw,
            seq: settings.seq,
            end,
            nul_is_end: settings.raw0,
        }
    }

    /// Appends an output.
    ///
    /// # Errors
    /// If it cannot be told from the next one, or is nested too deep; nothing has been appended then.
    pub fn print(&self, value: &Value, out: &mut Vec<u8>) -> Result<(), &'static str> {
        match value.as_str() {
            Some(text) if self.raw => {
                if let Some(style) = &self.ascii {
                    write::write(value, style, out);
                } else if self.nul_is_end && text.contains('\0') {
                    return Err(NUL);
                } else {
                    out.extend_from_slice(text.as_bytes());
                }
            }
            _ => {
                let before = out.len();
                if self.seq {
                    out.push(RECORD_SEPARATOR);
                }
                if !write::write(value, &self.style, out) {
                    out.truncate(before);
                    return Err(TOO_DEEP);
                }
            }
        }
        out.extend_from_slice(self.end);
        Ok(())
    }

    /// Returns the text of a message of `debug`.
    pub fn debug(&self, value: &Value) -> String {
        let mut text = Vec::new();
        let message = Value::from(vec!["DEBUG:".into(), value.clone()]);
        write::write(&message, &Style { indent: Indent::Compact, ..self.style.clone() }, &mut text);
        text.push(b'\n');
        String::from_utf8(text).unwrap_or_default()
    }
}
