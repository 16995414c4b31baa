//! The formats: `@csv`, `@base64` and so on.

#![forbid(unsafe_code)]
#![expect(clippy::needless_pass_by_value, reason = "all native functions have the same signature")]

use crate::builtins::strings::to_string;
use crate::eval::Context;
use crate::value::Array;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Text;
use crate::value::Value;
use crate::value::lossy_text;
use crate::write;

/// The names of the formats.
pub(crate) const FORMATS: &[&str] =
    &["@base32", "@base32d", "@base64", "@base64d", "@csv", "@html", "@json", "@sh", "@text", "@tsv", "@uri", "@urid"];

/// `format(name)`
pub(super) fn run(context: &mut Context, input: Value, arguments: &mut [Value]) -> Result<Value, Error> {
    match arguments[0].as_str() {
        Some(name) => {
            let text = format(&name, &input, context.room())?;
            context.reserve(text.len())?;
            Ok(text.into())
        }
        None => Err(Error::of(&arguments[0], "is not a valid format")),
    }
}

/// Returns a value in a format, whose name may begin with `@`. Everything after `limit` bytes may be missing.
///
/// # Errors
/// If the value does not fit the format, or there is no such format.
pub(crate) fn format(name: &str, value: &Value, limit: usize) -> Result<Text, Error> {
    let string = || to_string(value.clone(), limit);
    let encoded = |bits, alphabet, group| {
        let text = string();
        // What is encoded is longer.
        encode(&text.as_bytes()[..text.len().min(limit.saturating_add(1))], bits, alphabet, group)
    };
    let text = match name.strip_prefix('@').unwrap_or(name) {
        "text" => return Ok(string()),
        "json" => write::beginning(value, limit),
        "csv" => row(value, ',', limit, "cannot be csv-formatted, only array", |text, out| {
            out.push('"');
            escape(text, limit, out, |character| (character == '"').then_some("\"\""));
            out.push('"');
        })?,
        "tsv" => row(value, '\t', limit, "cannot be tsv-formatted, only array", |text, out| {
            escape(text, limit, out, |character| match character {
                '\t' => Some("\\t"),
                '\r' => Some("\\r"),
                '\n' => Some("\\n"),
                '\\' => Some("\\\\"),
                _ => None,
            });
        })?,
        "html" => html(&string(), limit),
        "uri" => uri(&string(), limit),
        "urid" => decoded_uri(string())?,
        "sh" => shell(value.clone(), limit)?,
        "base64" => encoded(6, BASE64, 4),
        "base32" => encoded(5, BASE32, 8),
        "base64d" => decode(string(), 6, BASE64, "base64")?,
        "base32d" => decode(string(), 5, BASE32, "base32")?,
        _ => return Err(Error::new(format!("{name} is not a valid format"))),
    };
    Ok(text.into())
}

/// Appends a text, some of whose characters are replaced, up to `limit` bytes. The character NUL becomes `\0`.
fn escape(text: &str, limit: usize, out: &mut String, replacement: impl Fn(char) -> Option<&'static str>) {
    for character in text.chars() {
        if out.len() > limit {
            return;
        }
        match if character == '\0' { Some("\\0") } else { replacement(character) } {
            Some(replacement) => out.push_str(replacement),
            None => out.push(character),
        }
    }
}

/// Returns an array as a row of a table.
fn row(
    value: &Value,
    separator: char,
    limit: usize,
    not_array: &str,
    string: impl Fn(&str, &mut String),
) -> Result<String, Error> {
    let Some(items) = value.to_array() else { return Err(Error::of(value, not_array)) };
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if out.len() > limit {
            break;
        }
        if at > 0 {
            out.push(separator);
        }
        match item.kind() {
            Kind::Null => {}
            Kind::Number if item.as_number().is_some_and(f64::is_nan) => {}
            Kind::Boolean | Kind::Number => out.push_str(&write::to_json(item)),
            Kind::String => string(&item.as_str().unwrap_or_default(), &mut out),
            Kind::Array | Kind::Object => return Err(Error::of(item, "is not valid in a csv row")),
        }
    }
    Ok(out)
}

fn html(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, limit, &mut out, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\'' => Some("&apos;"),
        '"' => Some("&quot;"),
        _ => None,
    });
    out
}

fn shell(value: Value, limit: usize) -> Result<String, Error> {
    let items = value.into_array().unwrap_or_else(|value| Array::from(vec![value]));
    let mut out = String::new();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        match item.kind() {
            Kind::String => {
                out.push('\'');
                let text = item.as_str().unwrap_or_default();
                escape(&text, limit, &mut out, |character| (character == '\'').then_some("'\\''"));
                out.push('\'');
            }
            Kind::Array | Kind::Object => return Err(Error::of(item, "can not be escaped for shell")),
            _ => out.push_str(&write::to_json(item)),
        }
        if out.len() > limit {
            break;
        }
    }
    Ok(out)
}

fn uri(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if out.len() > limit {
            break;
        }
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
            out.push('%');
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
    }
    out
}

fn decoded_uri(text: Text) -> Result<String, Error> {
    let decoded = || {
        let mut out = Vec::with_capacity(text.len());
        let mut bytes = text.bytes();
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        while let Some(byte) = bytes.next() {
            out.push(if byte == b'%' { (digit(bytes.next())? << 4) | digit(bytes.next())? } else { byte });
        }
        String::from_utf8(out).ok()
    };
    match decoded() {
        Some(decoded) => Ok(decoded),
        None => Err(Error::of(&text.into(), "is not a valid uri encoding")),
    }
}

const BASE64: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Returns bytes as characters of an alphabet, each for a number of bits, padded to groups of characters.
fn encode(bytes: &[u8], bits: u32, alphabet: &[u8], group: usize) -> String {
    let mut out = String::with_capacity((bytes.len() * 8 / bits as usize + group).next_multiple_of(group));
    let (mut buffer, mut filled) = (0_u32, 0);
    let character = |index: u32| char::from(alphabet[index as usize & (alphabet.len() - 1)]);
    for byte in bytes {
        buffer = (buffer << 8) | u32::from(*byte);
        filled += 8;
        while filled >= bits {
            filled -= bits;
            out.push(character(buffer >> filled));
        }
    }
    if filled > 0 {
        out.push(character(buffer << (bits - filled)));
    }
    while !out.len().is_multiple_of(group) {
        out.push('=');
    }
    out
}

/// Returns what [`encode`] has encoded. Padding may be missing; bytes that are not UTF-8 are replaced.
fn decode(text: Text, bits: u32, alphabet: &[u8], name: &str) -> Result<String, Error> {
    let mut out = Vec::with_capacity(text.len() * bits as usize / 8);
    let (mut buffer, mut filled) = (0, 0);
    for byte in text.bytes().take_while(|byte| *byte != b'=') {
        let Some(index) = (0_u32..).zip(alphabet).find(|(_, character)| **character == byte) else {
            return Err(Error::of(&text.into(), &format!("is not valid {name} data")));
        };
        buffer = ((buffer << bits) | index.0) & 0xffff;
        filled += bits;
        if filled >= 8 {
            filled -= 8;
            out.push((buffer >> filled).to_le_bytes()[0]);
        }
    }
    // The last character has bits of no byte.
    if filled >= bits {
        return Err(Error::of(&text.into(), &format!("trailing {name} byte found")));
    }
    Ok(lossy_text(out))
}
