//! The operations `read` and `write`: all values of a document are read in place, or read and written again.

#![forbid(unsafe_code)]

use fjson::Elements;
use fjson::Error;
use fjson::Kind;
use fjson::Members;
use fjson::Parser;
use fjson::Summary;
use fjson::Value;
use fjson::Writer;
use std::hint::black_box;

/// Decodes all keys and values and appends their number to `output`.
pub fn read(text: &[u8], parser: &mut Parser, output: &mut Vec<u8>) -> Result<Summary, Error> {
    let mut count = 0_u64;
    visit_all(parser.document(text)?.root(), &mut |event| match event {
        Event::Begin(_) => count += 1,
        Event::Name(value) | Event::Scalar(value) => {
            count += 1;
            match value.kind() {
                Kind::String => drop(black_box(value.as_str_lossy())),
                Kind::Number => drop(black_box(value.as_f64())),
                _ => drop(black_box(value.as_bool())),
            }
        }
        Event::End => {}
    });
    output.extend_from_slice(&count.to_ne_bytes());
    Ok(one_document(text))
}

/// Decodes all keys and values and writes them again.
pub fn write(text: &[u8], parser: &mut Parser, output: &mut Vec<u8>) -> Result<Summary, Error> {
    let mut writer = Writer::new(output);
    visit_all(parser.document(text)?.root(), &mut |event| {
        match event {
            Event::Begin(Kind::Object) => writer.begin_object(),
            Event::Begin(_) => writer.begin_array(),
            Event::Name(name) => writer.name(&name.as_str_lossy().unwrap_or_default()),
            Event::Scalar(value) => write_scalar(value, &mut writer),
            Event::End => writer.end(),
        };
    });
    writer.finish()?;
    Ok(one_document(text))
}

fn write_scalar<'w, 'o>(value: Value<'_>, writer: &'w mut Writer<&'o mut Vec<u8>>) -> &'w mut Writer<&'o mut Vec<u8>> {
    match value.kind() {
        Kind::String => writer.value(value.as_str_lossy().unwrap_or_default()),
        Kind::Number => match (value.as_i64(), value.as_u64()) {
            (Some(integer), _) => writer.value(integer),
            (_, Some(integer)) => writer.value(integer),
            _ => writer.value(value.as_f64()),
        },
        _ => writer.value(value.as_bool()),
    }
}

fn one_document(text: &[u8]) -> Summary {
    let mut summary = Summary::default();
    (summary.documents, summary.bytes) = (1, text.len() as u64);
    summary
}

/// A part of a document, in its order.
enum Event<'d> {
    Begin(Kind),
    Name(Value<'d>),
    Scalar(Value<'d>),
    End,
}

/// What is left of an open container.
enum Open<'d> {
    Array(Elements<'d>),
    Object(Members<'d>),
}

/// Visits all parts of a value. It does not recurse, because documents may be deep.
fn visit_all<'d>(root: Value<'d>, visit: &mut impl FnMut(Event<'d>)) {
    let mut open = Vec::new();
    let mut next = Some(root);
    loop {
        if let Some(value) = next {
            match value.kind() {
                Kind::Array => {
                    visit(Event::Begin(Kind::Array));
                    open.push(Open::Array(value.iter()));
                }
                Kind::Object => {
                    visit(Event::Begin(Kind::Object));
                    open.push(Open::Object(value.members()));
                }
                _ => visit(Event::Scalar(value)),
            }
        }
        next = match open.last_mut() {
            None => return,
            Some(Open::Array(elements)) => elements.next(),
            Some(Open::Object(members)) => members.next().map(|member| {
                visit(Event::Name(member.key));
                member.value
            }),
        };
        if next.is_none() {
            visit(Event::End);
            open.pop();
        }
    }
}
