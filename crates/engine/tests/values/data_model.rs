//! What a visitor receives for each type of the data model of `serde`: the same calls, with the same values, as from
//! `serde_json`.

use std::fmt;

use proof::random::rounds;
use proof::seeds;
use serde::de::DeserializeSeed;
use serde::de::Deserializer;
use serde::de::EnumAccess;
use serde::de::MapAccess;
use serde::de::SeqAccess;
use serde::de::VariantAccess;
use serde::de::Visitor;

/// A type of the data model, as a type asks for it.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Any,
    Bool,
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    U128,
    F32,
    F64,
    Char,
    Str,
    String,
    Bytes,
    ByteBuf,
    Option,
    Unit,
    UnitStruct,
    NewtypeStruct,
    Seq,
    Tuple,
    TupleStruct,
    Map,
    Struct,
    UnitVariant,
    NewtypeVariant,
    TupleVariant,
    StructVariant,
    Identifier,
    Ignored,
}

const ALL: [Asked; 34] = [
    Asked::Any,
    Asked::Bool,
    Asked::I8,
    Asked::I16,
    Asked::I32,
    Asked::I64,
    Asked::I128,
    Asked::U8,
    Asked::U16,
    Asked::U32,
    Asked::U64,
    Asked::U128,
    Asked::F32,
    Asked::F64,
    Asked::Char,
    Asked::Str,
    Asked::String,
    Asked::Bytes,
    Asked::ByteBuf,
    Asked::Option,
    Asked::Unit,
    Asked::UnitStruct,
    Asked::NewtypeStruct,
    Asked::Seq,
    Asked::Tuple,
    Asked::TupleStruct,
    Asked::Map,
    Asked::Struct,
    Asked::UnitVariant,
    Asked::NewtypeVariant,
    Asked::TupleVariant,
    Asked::StructVariant,
    Asked::Identifier,
    Asked::Ignored,
];

/// Asks for a type, and for the same type for everything inside; keeps the calls.
struct Recorder<'c> {
    asked: Asked,
    calls: &'c mut Vec<String>,
}

impl Recorder<'_> {
    #[expect(clippy::unnecessary_wraps, reason = "the methods of a visitor return a result")]
    fn keep<E>(self, call: impl fmt::Display) -> Result<(), E> {
        self.calls.push(call.to_string());
        Ok(())
    }

    /// Returns the recorder for a part.
    fn part(&mut self, asked: Asked) -> Recorder<'_> {
        Recorder { asked, calls: self.calls }
    }
}

impl<'de> DeserializeSeed<'de> for Recorder<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        match self.asked {
            Asked::Any => value.deserialize_any(self),
            Asked::Bool => value.deserialize_bool(self),
            Asked::I8 => value.deserialize_i8(self),
            Asked::I16 => value.deserialize_i16(self),
            Asked::I32 => value.deserialize_i32(self),
            Asked::I64 => value.deserialize_i64(self),
            Asked::I128 => value.deserialize_i128(self),
            Asked::U8 => value.deserialize_u8(self),
            Asked::U16 => value.deserialize_u16(self),
            Asked::U32 => value.deserialize_u32(self),
            Asked::U64 => value.deserialize_u64(self),
            Asked::U128 => value.deserialize_u128(self),
            Asked::F32 => value.deserialize_f32(self),
            Asked::F64 => value.deserialize_f64(self),
            Asked::Char => value.deserialize_char(self),
            Asked::Str => value.deserialize_str(self),
            Asked::String => value.deserialize_string(self),
            Asked::Bytes => value.deserialize_bytes(self),
            Asked::ByteBuf => value.deserialize_byte_buf(self),
            Asked::Option => value.deserialize_option(self),
            Asked::Unit => value.deserialize_unit(self),
            Asked::UnitStruct => value.deserialize_unit_struct("Name", self),
            Asked::NewtypeStruct => value.deserialize_newtype_struct("Name", self),
            Asked::Seq => value.deserialize_seq(self),
            Asked::Tuple => value.deserialize_tuple(2, self),
            Asked::TupleStruct => value.deserialize_tuple_struct("Name", 2, self),
            Asked::Map => value.deserialize_map(self),
            Asked::Struct => value.deserialize_struct("Name", &["a", "b"], self),
            Asked::UnitVariant | Asked::NewtypeVariant | Asked::TupleVariant | Asked::StructVariant => {
                value.deserialize_enum("Name", &["a", "b"], self)
            }
            Asked::Identifier => value.deserialize_identifier(self),
            Asked::Ignored => value.deserialize_ignored_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Recorder<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("anything")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.keep(format_args!("bool {value}"))
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.keep(format_args!("i64 {value}"))
    }

    fn visit_i128<E>(self, value: i128) -> Result<(), E> {
        self.keep(format_args!("i128 {value}"))
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.keep(format_args!("u64 {value}"))
    }

    fn visit_u128<E>(self, value: u128) -> Result<(), E> {
        self.keep(format_args!("u128 {value}"))
    }

    /// Where `serde_json` converts a double, fjson rounds the text.
    fn visit_f32<E>(self, value: f32) -> Result<(), E> {
        self.keep(format_args!("f32 {value:?}"))
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        #[expect(clippy::cast_possible_truncation, reason = "that is what a single does with it")]
        match self.asked {
            Asked::F32 => self.keep(format_args!("f32 {:?}", value as f32)),
            _ => self.keep(format_args!("f64 {value:?}")),
        }
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.keep(format_args!("str {value:?}"))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> Result<(), E> {
        self.keep(format_args!("borrowed str {value:?}"))
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<(), E> {
        self.keep(format_args!("bytes {value:?}"))
    }

    fn visit_borrowed_bytes<E>(self, value: &'de [u8]) -> Result<(), E> {
        self.keep(format_args!("borrowed bytes {value:?}"))
    }

    fn visit_none<E>(self) -> Result<(), E> {
        self.keep("none")
    }

    fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        self.calls.push("some".to_owned());
        value.deserialize_any(self)
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.keep("unit")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        self.calls.push("newtype".to_owned());
        value.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        self.calls.push("elements".to_owned());
        let asked = self.asked;
        while elements.next_element_seed(self.part(asked))?.is_some() {}
        self.keep("end")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<(), A::Error> {
        self.calls.push("members".to_owned());
        let asked = self.asked;
        while members.next_key_seed(self.part(asked))?.is_some() {
            members.next_value_seed(self.part(asked))?;
        }
        self.keep("end")
    }

    fn visit_enum<A: EnumAccess<'de>>(mut self, data: A) -> Result<(), A::Error> {
        self.calls.push("variant".to_owned());
        let ((), content) = data.variant_seed(self.part(Asked::Identifier))?;
        match self.asked {
            Asked::UnitVariant => content.unit_variant(),
            Asked::NewtypeVariant => content.newtype_variant_seed(self.part(Asked::Any)),
            Asked::TupleVariant => content.tuple_variant(2, self.part(Asked::Any)),
            _ => content.struct_variant(&["a", "b"], self.part(Asked::Any)),
        }
    }
}

/// Asks both libraries for a type.
fn compare(asked: Asked, text: &[u8]) {
    let (mut calls, mut expected) = (Vec::new(), Vec::new());
    let mut parser = fjson::Parser::new();
    let result =
        parser.deserializer(text).and_then(|mut value| Recorder { asked, calls: &mut calls }.deserialize(&mut value));
    let mut theirs = serde_json::Deserializer::from_slice(text);
    let as_expected = Recorder { asked, calls: &mut expected }.deserialize(&mut theirs).and_then(|()| theirs.end());
    let text = text.escape_ascii();
    match as_expected {
        Ok(()) => assert_eq!((result.is_ok(), calls), (true, expected), "{asked:?} {text}"),
        Err(_) => assert!(result.is_err(), "{asked:?} {text}"),
    }
}

#[test]
fn every_type_and_every_kind_of_value() {
    let texts = [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "7",
        "-7",
        "255",
        "65536",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "-170141183460469231731687303715884105728",
        "1.5",
        "-0.0",
        "1e2",
        "1e400",
        "16777217.0",
        "1.17549435e-38",
        "\"\"",
        "\"a\"",
        "\"b\"",
        "\"\\u0061\"",
        "\"two\"",
        "\"\\ud83d\\ude00\"",
        "\"12\"",
        "\"-1.5\"",
        "\"true\"",
        "[]",
        "[1]",
        "[1, 2]",
        "[null, [], {}]",
        "[[\"a\", \"\\n\"], [true]]",
        "{}",
        "{\"a\": 1}",
        "{\"a\": null}",
        "{\"a\": []}",
        "{\"b\": [1, 2]}",
        "{\"a\": {\"a\": 1, \"b\": 2}}",
        "{\"a\": 1, \"b\": 2}",
        "{\"a\": 1, \"a\": [{\"b\": {}}]}",
        "{\"12\": 1}",
        "{\"-1.5\": \"a\"}",
        "{\"true\": false}",
        "{\"\\u0061\": \"\\u0062\"}",
        "{\"12\": 13, \"18446744073709551616\": 18446744073709551616}",
    ];
    for text in texts {
        for asked in ALL {
            compare(asked, text.as_bytes());
        }
    }
}

#[test]
fn every_type_and_many_documents() {
    rounds(49_000, |random| {
        let text = seeds::pick(random);
        // Deep documents are refused at another depth.
        if text.len() < 4000 && fjson::validate(&text, &fjson::Options::new().max_depth(Some(100))).is_ok() {
            compare(ALL[random.below(ALL.len())], &text);
        }
    });
}
