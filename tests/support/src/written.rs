//! Checks of the writer: what it writes is read back as the same value, and no sequence of calls makes it write anything invalid.

use std::collections::BTreeMap;

use fjson::ErrorKind;
use fjson::Layout;
use fjson::Output;
use fjson::Stream;
use fjson::Writer;
use fjson::scalar::Escape;
use serde_json::Value;

use crate::random::Random;
use crate::typed;

/// Checks the text as a string, as a document if it is one, as the seed of a value, and as a sequence of calls.
///
/// # Panics
/// If a check fails.
pub fn check(text: &[u8], random: &mut Random) {
    string(&String::from_utf8_lossy(text));
    if let Ok(value) = serde_json::from_slice(text) {
        document(&value);
    }
    let value = typed::any(random);
    let written = fjson::to_string(&value).expect("a text");
    assert_eq!(written, serde_json::to_string(&value).expect("a text"));
    calls(text);
}

/// Checks that a string, written with any escapes, is read back.
///
/// # Panics
/// If a check fails.
pub fn string(value: &str) {
    let plain = Escape::minimal();
    for escape in [plain, plain.js(), plain.html(), plain.ascii(), plain.ascii().html()] {
        let mut writer = Writer::new(Vec::new()).escape(escape);
        writer.begin_object().name(value).value(value).end();
        let written = writer.finish().expect("valid");
        // A map of strings, as `serde_json` reads an object with the name of its raw values into a `Value` in a way of its own.
        let read: BTreeMap<String, String> = serde_json::from_slice(&written).expect("an object");
        assert_eq!(read, BTreeMap::from([(value.to_owned(), value.to_owned())]), "{escape:?}");
        assert!(!written.iter().any(|byte| !byte.is_ascii()) || escape != plain.ascii());
        if escape == plain {
            assert_eq!(written, serde_json::to_vec(&read).expect("a text"));
        }
    }
}

/// Checks that a document is written as the reference writes it, token by token and as a value, to a vector and to a stream.
///
/// # Panics
/// If a check fails.
pub fn document(value: &Value) {
    let compact = serde_json::to_vec(value).expect("a text");
    let indented = serde_json::to_vec_pretty(value).expect("a text");

    let mut writer = Writer::new(Vec::new());
    write(value, &mut writer);
    assert_eq!(writer.finish().expect("valid"), compact);
    assert_eq!(fjson::to_vec(value).expect("a text"), compact);

    let mut writer = Writer::new(Stream::new(Vec::new())).layout(Layout::default());
    write(value, &mut writer);
    assert_eq!(writer.finish().expect("valid"), indented);
    assert_eq!(fjson::to_vec_pretty(value, &Layout::default()).expect("a text"), indented);

    let mut writer = Writer::new(Vec::new());
    writer.begin_array().serialize(value).raw(std::str::from_utf8(&indented).expect("UTF-8")).end();
    let text = writer.finish().expect("valid");
    assert_eq!(text, [b"[", &compact[..], b",", &indented, b"]"].concat());
}

/// Writes a value token by token.
pub fn write<O: Output>(value: &Value, writer: &mut Writer<O>) {
    match value {
        Value::Null => writer.value(()),
        Value::Bool(value) => writer.value(value),
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(unsigned), _) => writer.value(unsigned),
            (_, Some(signed)) => writer.value(signed),
            _ => writer.value(number.as_f64()),
        },
        Value::String(text) => writer.value(text),
        Value::Array(elements) => {
            writer.begin_array();
            for element in elements {
                write(element, writer);
            }
            writer.end()
        }
        Value::Object(members) => {
            writer.begin_object();
            for (name, value) in members {
                write(value, writer.name(name));
            }
            writer.end()
        }
    };
}

/// Makes a call for each byte. The result is valid, or an error that says so.
///
/// # Panics
/// If a check fails.
pub fn calls(bytes: &[u8]) {
    let writer = Writer::new(Vec::new());
    let mut writer = if bytes.len().is_multiple_of(2) { writer } else { writer.layout(Layout::tab()) };
    for byte in bytes.iter().take(1000) {
        match byte % 12 {
            0 | 1 => writer.begin_array(),
            2 | 3 => writer.begin_object(),
            4 => writer.name("a"),
            5 => writer.name("\"\u{1}"),
            6 => writer.value(byte),
            7 => writer.value(None::<f64>),
            8 => writer.raw("{\"b\": []}"),
            9 => writer.break_line(),
            10 => writer.serialize(&[1, 2]),
            _ => writer.end(),
        };
    }
    match writer.finish() {
        Ok(text) => assert!(fjson::is_valid(&text), "{}", String::from_utf8_lossy(&text)),
        Err(error) => assert_eq!(error.kind(), ErrorKind::Misuse),
    }
}
