//! The writer: it writes what `serde_json` writes, and every sequence of calls gives valid JSON or an error.

use std::io;

use fjson::ErrorKind;
use fjson::Framing;
use fjson::Layout;
use fjson::Options;
use fjson::Output;
use fjson::Stream;
use fjson::Writer;
use fjson::is_valid;
use fjson::pretty;
use fjson::validate;
use proof::random::Random;
use proof::written::write;
use serde_json::Value;

fn text(random: &mut Random) -> String {
    let characters = ['a', 'b', ' ', '"', '\\', '\n', '\u{1}', 'é', '\u{2028}', '😀'];
    (0..random.below(40)).map(|_| characters[random.below(10)]).collect()
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 6 } else { 8 }) {
        0 => Value::Null,
        1 => random.one_in(2).into(),
        2 => (1000 * i64::from(random.byte()) - 100_000).into(),
        3 => (f64::from(random.byte()) / 64.0).into(),
        4 | 5 => text(random).into(),
        6 => (0..random.below(5)).map(|_| value(random, depth - 1)).collect(),
        _ => (0..random.below(5)).map(|_| (text(random), value(random, depth - 1))).collect(),
    }
}

#[test]
fn the_text_is_that_of_serde_json() {
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let value = value(&mut random, 4);
        let mut writer = Writer::new(Vec::new());
        write(&value, &mut writer);
        assert_eq!(writer.finish().expect("valid"), serde_json::to_vec(&value).expect("a text"));

        let mut writer = Writer::new(Vec::new()).layout(Layout::default());
        write(&value, &mut writer);
        let indented = serde_json::to_vec_pretty(&value).expect("a text");
        assert_eq!(writer.finish().expect("valid"), indented);

        let mut ours = Vec::new();
        pretty(&indented, &mut ours, &Layout::tab(), &Options::new()).expect("valid");
        let mut writer = Writer::new(Vec::new()).layout(Layout::tab());
        write(&value, &mut writer);
        assert_eq!(writer.end_document().error().map(ToString::to_string), None);
        assert_eq!(writer.finish().expect("valid"), ours);
    }
}

#[test]
fn a_stream_gets_the_same_text() {
    let mut random = Random::new(2);
    for _ in 0..20 {
        let value: Value = (0..2000).map(|_| value(&mut random, 3)).collect();
        let mut writer = Writer::new(Stream::new(Vec::new()));
        write(&value, &mut writer);
        assert_eq!(writer.finish().expect("valid"), serde_json::to_vec(&value).expect("a text"));
    }
}

/// Makes a random call and returns whether it was allowed according to a model of the open containers.
fn random_call<O: Output>(random: &mut Random, writer: &mut Writer<O>, model: &mut Model) -> bool {
    let may_value = match model.open.last() {
        None => !model.is_complete,
        Some(is_object) => *is_object == model.has_name,
    };
    let (is_allowed, is_value) = match random.below(7) {
        0 | 1 => {
            writer.begin_array();
            if may_value {
                model.open.push(false);
                model.has_name = false;
            }
            return may_value;
        }
        2 => {
            writer.begin_object();
            if may_value {
                model.open.push(true);
                model.has_name = false;
            }
            return may_value;
        }
        3 => {
            writer.end();
            (!model.has_name && model.open.pop().is_some(), true)
        }
        4 => {
            writer.name("a\n");
            let is_allowed = model.open.last() == Some(&true) && !model.has_name;
            model.has_name = true;
            (is_allowed, false)
        }
        5 => {
            writer.value(1);
            (may_value, true)
        }
        _ => {
            writer.break_line().raw("[ ]");
            (may_value, true)
        }
    };
    if is_value {
        model.has_name = false;
        model.is_complete = model.open.is_empty();
    }
    is_allowed
}

#[derive(Default)]
struct Model {
    /// Whether each open container is an object.
    open: Vec<bool>,
    has_name: bool,
    is_complete: bool,
}

#[test]
fn every_sequence_of_calls_gives_valid_text_or_an_error() {
    let mut random = Random::new(3);
    let mut complete = 0;
    for round in 0..200_000 {
        let writer = Writer::new(Vec::new());
        let mut writer = if round % 2 == 0 { writer } else { writer.layout(Layout::spaces(1)) };
        let mut model = Model::default();
        let is_allowed = (0..random.below(9)).all(|_| random_call(&mut random, &mut writer, &mut model));
        assert_eq!(writer.error().is_none(), is_allowed);
        match writer.finish() {
            Ok(text) => {
                assert!(is_allowed && model.is_complete);
                assert!(is_valid(&text), "{}", String::from_utf8_lossy(&text));
                complete += 1;
            }
            Err(error) => {
                assert!(!is_allowed || !model.is_complete);
                assert_eq!(error.kind(), ErrorKind::Misuse);
            }
        }
    }
    assert!(complete > 1000, "{complete}");
}

/// Returns the message of the error of these calls.
fn misused(calls: impl FnOnce(&mut Writer<Vec<u8>>) -> &mut Writer<Vec<u8>>) -> String {
    let mut writer = Writer::new(Vec::new());
    calls(&mut writer);
    let error = writer.finish().expect_err("misuse");
    assert_eq!(error.kind(), ErrorKind::Misuse);
    error.to_string()
}

#[test]
fn every_misuse_is_named() {
    assert_eq!(misused(|it| it), "`finish` before the document is complete, after 0 bytes of output");
    let message = "`finish` before the document is complete, after 1 byte of output";
    assert_eq!(misused(Writer::begin_array), message);
    let message = "`value` after the end of the document, after 1 byte of output";
    assert_eq!(misused(|it| it.value(1).value(2)), message);
    let message = "`begin_array` after the end of the document, after 2 bytes of output";
    assert_eq!(misused(|it| it.begin_object().end().begin_array()), message);
    let message = "`value` in an object without a name before it, after 1 byte of output";
    assert_eq!(misused(|it| it.begin_object().value(1)), message);
    let message = "`begin_object` in an object without a name before it, after 1 byte of output";
    assert_eq!(misused(|it| it.begin_object().begin_object()), message);
    let message = "`end` after a name without a value, after 5 bytes of output";
    assert_eq!(misused(|it| it.begin_object().name("a").end()), message);
    let message = "`name` after a name without a value, after 5 bytes of output";
    assert_eq!(misused(|it| it.begin_object().name("a").name("b")), message);
    assert_eq!(misused(|it| it.begin_array().name("b")), "`name` outside an object, after 1 byte of output");
    assert_eq!(misused(Writer::end), "`end` without an object or array to end, after 0 bytes of output");
    let message = "`end_document` before the document is complete, after 1 byte of output";
    assert_eq!(misused(|it| it.begin_array().end_document()), message);
    let message = misused(|it| it.begin_array().raw("[1,]"));
    assert!(
        message.starts_with("`raw` with text that is not valid JSON (")
            && message.ends_with(", after 1 byte of output")
    );
}

#[test]
fn nothing_is_written_after_misuse() {
    let mut text = b"before".to_vec();
    let mut writer = Writer::new(&mut text);
    writer.begin_object().value(1).name("a").value(2).end().begin_array().raw("3").end_document();
    assert_eq!(writer.error().map(|error| (error.kind(), error.offset())), Some((ErrorKind::Misuse, 1)));
    assert!(writer.finish().is_err());
    assert_eq!(text, b"before{");
}

/// A writer that takes `left` bytes.
struct Limited {
    left: usize,
}

impl io::Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::new(io::ErrorKind::QuotaExceeded, "full"));
        }
        let taken = bytes.len().min(self.left);
        self.left -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_error_of_the_stream_is_kept() {
    for left in [0, 10, 40_000, 100_000] {
        let mut writer = Writer::new(Stream::new(Limited { left }));
        writer.begin_array();
        for index in 0..20_000_u32 {
            writer.value(index);
        }
        writer.end();
        let error = writer.finish().err().expect("no room");
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Io, "cannot write the output: full"));
        let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<io::Error>());
        assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::QuotaExceeded));
    }
}

#[test]
fn documents_on_lines() {
    let mut writer = Writer::new(Vec::new());
    writer.value(1).end_document().begin_array().end().end_document();
    let text = writer.finish().expect("valid");
    assert_eq!(text, b"1\n[]\n");
    let lines = Options::new().framing(Framing::Lines);
    assert_eq!(validate(&text, &lines).expect("valid").documents, 2);
}

/// A value whose implementation panics in the middle of its text.
struct Panicking(Display);

/// Writes parts of a text with the function that it is given.
type Display = fn(&mut dyn FnMut(&str));

/// A call of the writer.
type Call = fn(&mut Writer<Vec<u8>>);

impl std::fmt::Display for Panicking {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (self.0)(&mut |text| formatter.write_str(text).expect("it is text"));
        Ok(())
    }
}

impl serde::Serialize for Panicking {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// After a panic in a value, nothing follows, and the text is not complete.
#[test]
fn a_panic_is_an_error_of_the_writer() {
    struct Elements;
    impl serde::Serialize for Elements {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut elements = serializer.serialize_seq(None)?;
            serde::ser::SerializeSeq::serialize_element(&mut elements, &13)?;
            panic!("in the middle of an array")
        }
    }
    let displayed = Panicking(|write| {
        write("half");
        panic!("in the middle of a string")
    });
    let calls: [(&str, Call); 7] = [
        ("end", |writer| {
            writer.end();
        }),
        ("value", |writer| {
            writer.value(1);
        }),
        ("raw", |writer| {
            writer.raw("1");
        }),
        ("name", |writer| {
            writer.name("a");
        }),
        ("begin_array", |writer| {
            writer.begin_array();
        }),
        ("serialize", |writer| {
            writer.serialize(&1);
        }),
        ("end_document", |writer| {
            writer.end_document();
        }),
    ];
    for layout in [None, Some(Layout::default())] {
        for (name, call) in calls {
            for value in [&Elements as &dyn Dynamic, &displayed] {
                let mut writer = Writer::new(Vec::new());
                writer = if let Some(layout) = layout { writer.layout(layout) } else { writer };
                writer.begin_array();
                let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| value.write(&mut writer)));
                assert!(unwound.is_err());
                call(&mut writer);
                writer.end();
                let error = writer.finish().expect_err("it is not complete");
                let message = format!("`{name}` after a panic in an implementation of `Serialize` or `Display`");
                assert!(error.to_string().starts_with(&message), "{error}");
                assert_eq!(error.kind(), ErrorKind::Misuse);
            }
        }
    }
    let mut writer = Writer::new(Vec::new());
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| Elements.write(&mut writer)));
    assert!(unwound.is_err());
    assert!(writer.finish().expect_err("it is not complete").to_string().starts_with("`finish` after a panic"));
}

/// A value of any type that can be serialized.
trait Dynamic {
    fn write(&self, writer: &mut Writer<Vec<u8>>);
}

impl<T: serde::Serialize> Dynamic for T {
    fn write(&self, writer: &mut Writer<Vec<u8>>) {
        writer.serialize(self);
    }
}
