//! Single cases: special values, errors, and text that is written unchanged.

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use fjson::ErrorKind;
use fjson::Layout;
use fjson::Serializer;
use fjson::Stream;
use fjson::Writer;
use fjson::scalar::Escape;
use serde::Serialize;
use serde::ser::SerializeMap;
use serde::ser::SerializeStruct;

/// Checks that both libraries write the same, also indented, and returns it.
fn same(value: &impl Serialize) -> String {
    let text = fjson::to_string(value).expect("a text");
    assert_eq!(text, serde_json::to_string(value).expect("a text"));
    let indented = fjson::to_string_pretty(value, &Layout::default()).expect("a text");
    assert_eq!(indented, serde_json::to_string_pretty(value).expect("a text"));
    text
}

#[test]
fn numbers_without_a_form_in_json_are_null() {
    assert_eq!(same(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]), "[null,null,null,-0.0]");
    assert_eq!(same(&[f32::NAN, f32::MIN_POSITIVE]), "[null,1.1754944e-38]");
}

#[test]
fn integers_at_their_limits() {
    let signed = (i8::MIN, i16::MIN, i32::MIN, i64::MIN, i128::MIN);
    assert_eq!(
        same(&signed),
        "[-128,-32768,-2147483648,-9223372036854775808,-170141183460469231731687303715884105728]"
    );
    let unsigned = (u8::MAX, u16::MAX, u32::MAX, u64::MAX, u128::MAX);
    assert_eq!(same(&unsigned), "[255,65535,4294967295,18446744073709551615,340282366920938463463374607431768211455]");
}

#[test]
fn empty_containers() {
    #[derive(Serialize)]
    struct Empty {}
    assert_eq!(same(&(Vec::<u8>::new(), BTreeMap::<u8, u8>::new(), Empty {})), "[[],{},{}]");
}

/// Floating-point numbers and options can be keys, too.
#[test]
fn other_keys() {
    struct Entry<K>(K);
    impl<K: Serialize> Serialize for Entry<K> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let mut map = serializer.serialize_map(None)?;
            map.serialize_entry(&self.0, &1)?;
            map.end()
        }
    }
    assert_eq!(same(&Entry(1.5)), r#"{"1.5":1}"#);
    assert_eq!(same(&Entry(0.1_f32)), r#"{"0.1":1}"#);
    assert_eq!(same(&Entry(Some(u128::MAX))), r#"{"340282366920938463463374607431768211455":1}"#);
    assert_eq!(same(&Entry(std::net::Ipv4Addr::LOCALHOST)), r#"{"127.0.0.1":1}"#);

    let refused = |result: Result<String, fjson::Error>, expected: serde_json::Error| {
        let error = result.expect_err("no key");
        assert_eq!((error.kind(), error.to_string()), (ErrorKind::Data, expected.to_string()));
    };
    macro_rules! refuse {
        ($($key:expr),+) => {
            $(refused(fjson::to_string(&Entry($key)), serde_json::to_string(&Entry($key)).expect_err("no key"));)+
        };
    }
    refuse!(f64::NAN, f32::INFINITY, (), None::<u8>, [1], (1, 2), Entry(1), Result::<u8, u8>::Ok(1));
}

/// A value whose text is written in pieces.
struct Pieces(&'static [&'static str]);

impl fmt::Display for Pieces {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| formatter.write_str(piece))
    }
}

impl Serialize for Pieces {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[test]
fn displayed_values() {
    assert_eq!(same(&Pieces(&[])), "\"\"");
    assert_eq!(same(&[Pieces(&["a", "", "\"b\"", "\\", "é\n"])]), r#"["a\"b\"\\é\n"]"#);
    assert_eq!(same(&BTreeMap::from([("a", Pieces(&["\u{1}", "x"]))])), r#"{"a":"\u0001x"}"#);
}

#[test]
fn raw_values_are_written_unchanged() {
    let raw = |text: &str| serde_json::value::RawValue::from_string(text.to_owned()).expect("valid");
    let values = BTreeMap::from([("a", raw("1.500e+400")), ("b", raw("{\"x\" : [ ]}")), ("c", raw("\"\\u0041\""))]);
    assert_eq!(same(&values), r#"{"a":1.500e+400,"b":{"x" : [ ]},"c":"\u0041"}"#);
}

/// What a struct with the name that stands for raw text must hold is a string.
#[test]
fn raw_values_are_strings() {
    struct Wrong;
    impl Serialize for Wrong {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let name = "$serde_json::private::RawValue";
            let mut fields = serializer.serialize_struct(name, 1)?;
            fields.serialize_field(name, &1)?;
            fields.end()
        }
    }
    let error = fjson::to_string(&Wrong).expect_err("not a string");
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Data, "raw JSON text must be a string"));
}

#[test]
fn an_error_of_a_type_is_kept() {
    struct Refusing;
    impl Serialize for Refusing {
        fn serialize<S: serde::Serializer>(&self, _serializer: S) -> Result<S::Ok, S::Error> {
            Err(serde::ser::Error::custom("the value is secret"))
        }
    }
    let error = fjson::to_vec(&[Refusing]).expect_err("an error");
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Data, "the value is secret"));

    let mut writer = Writer::new(Vec::new());
    writer.begin_array().serialize(&Refusing).value(1).end();
    assert_eq!(writer.finish().expect_err("an error").to_string(), "the value is secret");
}

#[test]
fn an_error_of_the_writer_is_kept() {
    struct Full;
    impl io::Write for Full {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::StorageFull, "no space"))
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    for length in [1, 100_000] {
        let numbers: Vec<u32> = (0..length).collect();
        let compact = fjson::to_writer(Full, &numbers);
        let indented = fjson::to_writer_pretty(Full, &numbers, &Layout::tab());
        for result in [compact, indented] {
            let error = result.expect_err("no space");
            assert_eq!(
                (error.kind(), error.to_string().as_str()),
                (ErrorKind::Io, "cannot write the output: no space")
            );
            let source = std::error::Error::source(&error).and_then(|source| source.downcast_ref::<io::Error>());
            assert_eq!(source.map(io::Error::kind), Some(io::ErrorKind::StorageFull));
        }
    }
}

/// A stream passes its text on in pieces, which make up the whole.
#[test]
fn a_long_text_is_streamed() {
    struct Pieces(Vec<Vec<u8>>);
    impl io::Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(bytes.to_vec());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    fn check(values: &impl Serialize) {
        let mut serializer = Serializer::new(Stream::new(Pieces(Vec::new())));
        values.serialize(&mut serializer).expect("a text");
        let pieces = serializer.finish().expect("a text").0;
        assert!(pieces.len() > 10 && pieces.iter().all(|piece| piece.len() < 40_000));
        assert_eq!(pieces.concat(), serde_json::to_vec(values).expect("a text"));
    }
    check(&(0..20_000).map(|id| (id, "a text of some length", [Some(1.5), None])).collect::<Vec<_>>());
    check(&(0..200_000).collect::<Vec<u32>>());
    check(&(0..50_000).map(|id| (format!("key {id}"), id)).collect::<BTreeMap<_, u32>>());
}

#[test]
fn values_within_a_written_document() {
    let value = BTreeMap::from([("a", vec![1, 2]), ("b", vec![])]);
    for layout in [None, Some(Layout::default()), Some(Layout::tab())] {
        let writer = Writer::new(Vec::new());
        let mut writer = if let Some(layout) = layout { writer.layout(layout) } else { writer };
        writer.begin_array().serialize(&value).begin_object().name("é").serialize(&value).end().end();
        let text = writer.finish().expect("valid");
        let both = (&value, BTreeMap::from([("é", &value)]));
        let expected = match layout {
            None => fjson::to_vec(&both),
            Some(layout) => fjson::to_vec_pretty(&both, &layout),
        };
        assert_eq!(String::from_utf8_lossy(&text), String::from_utf8_lossy(&expected.expect("a text")));
    }
}

#[test]
fn escapes_beyond_the_minimal_ones() {
    #[derive(Serialize)]
    struct Names {
        é: char,
        #[serde(rename = "<")]
        less: Result<&'static str, ()>,
    }
    let mut text = b"[".to_vec();
    let mut serializer = Serializer::new(&mut text).escape(Escape::minimal().ascii().html());
    Names { é: '\u{2028}', less: Ok("</😀>") }.serialize(&mut serializer).expect("a text");
    let expected = br#"[{"\u00e9":"\u2028","\u003c":{"Ok":"\u003c/\ud83d\ude00\u003e"}}"#;
    assert_eq!(String::from_utf8_lossy(&text), String::from_utf8_lossy(expected));
}
