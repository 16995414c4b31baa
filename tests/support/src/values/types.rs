//! Types of each kind that `serde` knows, and random values of them.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::Deserialize;
use serde::Serialize;
use serde_json::Value;

use super::same;
use crate::random::Random;

/// Compares what is read as each type.
#[expect(clippy::zero_sized_map_values, reason = "the values are read, too")]
pub const ALL: [fn(&[u8]); 22] = [
    same::<Value>,
    same::<Vec<Value>>,
    same::<BTreeMap<String, Value>>,
    same::<Everything>,
    same::<Vec<Everything>>,
    same::<Vec<External>>,
    same::<Vec<Internal>>,
    same::<Vec<Adjacent>>,
    same::<Vec<Untagged>>,
    same::<Strict>,
    same::<Vec<Option<String>>>,
    same::<Vec<i8>>,
    same::<Vec<u64>>,
    same::<Vec<i64>>,
    same::<Vec<i128>>,
    same::<Vec<u128>>,
    same::<Vec<f32>>,
    same::<Vec<f64>>,
    same::<BTreeMap<i16, ()>>,
    same::<BTreeMap<bool, char>>,
    same::<BTreeMap<Unit, Bytes>>,
    same::<(Unit, Pair, Newtype, [u8; 2])>,
];

/// An externally tagged enum with variants of each kind.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
enum External {
    Unit,
    Newtype(u8),
    Tuple(i8, String),
    #[serde(rename = "struct")]
    Struct {
        a: Option<bool>,
        b: Vec<External>,
    },
}

/// An internally tagged enum.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Internal {
    UnitVariant,
    Newtype(Strict),
    StructVariant { a: i64 },
}

/// An adjacently tagged enum.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(String),
    Tuple(u8, u8),
    Struct { a: f64 },
}

/// An untagged enum.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
enum Untagged {
    Flag(bool),
    Integer(i64),
    Double(f64),
    Text(String),
    Pair(u8, u8),
    Struct { a: u8 },
    Null,
}

/// The name of a variant as a key.
#[derive(Clone, Copy, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
enum Unit {
    A,
    B,
}

/// A struct without room for unknown members.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
struct Strict {
    #[serde(default)]
    a: u32,
    #[serde(alias = "bee", default)]
    b: Option<String>,
}

/// A struct that is an array.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Pair(i32, Option<u8>);

/// A struct that is its content.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Newtype(String);

/// A struct that is `null`.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Nothing;

/// Bytes, written as an array and read from an array or a string.
#[derive(Clone, Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Bytes;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut elements: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = elements.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Visitor)
    }
}

/// A struct with a member of each kind.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Everything {
    flag: bool,
    tiny: i8,
    small: u16,
    medium_number: i32,
    large: u64,
    huge: i128,
    single: f32,
    double: f64,
    letter: char,
    text: String,
    optional: Option<Box<Everything>>,
    unit: (),
    nothing: Nothing,
    pair: Pair,
    newtype: Newtype,
    bytes: Bytes,
    list: Vec<External>,
    fixed: [u8; 3],
    by_name: BTreeMap<String, i64>,
    by_number: BTreeMap<i64, String>,
    by_variant: BTreeMap<Unit, bool>,
    internal: Internal,
    adjacent: Vec<Adjacent>,
    untagged: Vec<Untagged>,
    #[serde(default)]
    strict: Strict,
    #[serde(flatten)]
    others: BTreeMap<String, Untagged>,
}

/// A random value.
#[must_use]
pub fn random(random: &mut Random) -> Everything {
    Maker { random, levels: 3 }.everything()
}

struct Maker<'r> {
    random: &'r mut Random,
    levels: usize,
}

#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "any bits will do")]
impl Maker<'_> {
    fn integer(&mut self) -> i64 {
        let shift = self.random.below(64);
        (self.random.bits() as i64) >> shift
    }

    /// A finite double. Its text may look like an integer.
    fn double(&mut self) -> f64 {
        let double = match self.random.below(3) {
            0 => f64::from(self.integer() as i32) / 8.0,
            _ => f64::from_bits(self.random.bits()),
        };
        if double.is_finite() { double } else { 0.5 }
    }

    fn text(&mut self) -> String {
        let texts = [
            "",
            "a",
            "\"\\",
            "\u{1f600}\u{e9}",
            "\n\u{1}\u{7f}",
            "plain text that is longer than a word",
            "</b>\u{2028}",
        ];
        (0..self.random.below(3)).map(|_| self.random.pick(&texts)).collect()
    }

    fn list<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.random.below(4)).map(|_| make(self)).collect()
    }

    fn external(&mut self) -> External {
        match self.random.below(if self.levels > 0 { 4 } else { 3 }) {
            0 => External::Unit,
            1 => External::Newtype(self.random.byte()),
            2 => External::Tuple(self.random.byte() as i8, self.text()),
            _ => {
                self.levels -= 1;
                let a = self.random.one_in(2).then(|| self.random.one_in(2));
                let b = self.list(Self::external);
                self.levels += 1;
                External::Struct { a, b }
            }
        }
    }

    fn untagged(&mut self) -> Untagged {
        match self.random.below(7) {
            0 => Untagged::Flag(self.random.one_in(2)),
            1 => Untagged::Integer(self.integer()),
            2 => Untagged::Double(f64::from(self.integer() as i32) + 0.5),
            3 => Untagged::Text(self.text()),
            4 => Untagged::Pair(self.random.byte(), self.random.byte()),
            5 => Untagged::Struct { a: self.random.byte() },
            _ => Untagged::Null,
        }
    }

    fn strict(&mut self) -> Strict {
        Strict { a: self.random.bits() as u32, b: self.random.one_in(2).then(|| self.text()) }
    }

    fn everything(&mut self) -> Everything {
        let internal = match self.random.below(3) {
            0 => Internal::UnitVariant,
            1 => Internal::Newtype(self.strict()),
            _ => Internal::StructVariant { a: self.integer() },
        };
        let adjacent = self.list(|maker| match maker.random.below(4) {
            0 => Adjacent::Unit,
            1 => Adjacent::Newtype(maker.text()),
            2 => Adjacent::Tuple(maker.random.byte(), maker.random.byte()),
            _ => Adjacent::Struct { a: maker.double() },
        });
        let optional = if self.levels > 0 && self.random.one_in(3) {
            self.levels -= 1;
            let inner = self.everything();
            self.levels += 1;
            Some(Box::new(inner))
        } else {
            None
        };
        let single = self.double() as f32;
        Everything {
            flag: self.random.one_in(2),
            tiny: self.random.byte() as i8,
            small: self.random.bits() as u16,
            medium_number: self.integer() as i32,
            large: self.integer().unsigned_abs(),
            huge: i128::from(self.integer()) << self.random.below(64),
            single: if single.is_finite() { single } else { 1.0 },
            double: self.double(),
            letter: char::from(self.random.byte()),
            text: self.text(),
            optional,
            unit: (),
            nothing: Nothing,
            pair: Pair(self.integer() as i32, self.random.one_in(2).then(|| self.random.byte())),
            newtype: Newtype(self.text()),
            bytes: Bytes(self.list(|maker| maker.random.byte())),
            list: self.list(Self::external),
            fixed: [0; 3].map(|_| self.random.byte()),
            by_name: self.list(|maker| (maker.text(), maker.integer())).into_iter().collect(),
            by_number: self.list(|maker| (maker.integer(), maker.text())).into_iter().collect(),
            by_variant: self.list(|maker| (Unit::B, maker.random.one_in(2))).into_iter().collect(),
            internal,
            adjacent,
            untagged: self.list(Self::untagged),
            strict: self.strict(),
            others: self.list(|maker| (format!("other {}", maker.text()), maker.untagged())).into_iter().collect(),
        }
    }
}
