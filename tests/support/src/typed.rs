//! Random values of Rust types with every representation that serde knows, to compare libraries that read and write them.

#![expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "any value will do")]

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use serde::Deserialize;
use serde::Deserializer;
use serde::Serialize;
use serde::Serializer;

use crate::random::Random;

/// A value of one of the types.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Typed {
    /// A unit variant.
    Nothing,
    /// Fields of simple types.
    Fields(Fields),
    /// Enums.
    Enums(Vec<Enums>),
    /// Maps.
    Maps(Box<Maps>),
    /// A struct with flattened parts.
    Flattened(Flattened),
    /// A tuple variant.
    Tuple(i8, Text, (f32, [u8; 3])),
    /// A struct variant.
    Struct {
        /// The only field of it.
        list: Vec<Typed>,
        /// A newtype.
        newtype: Newtype,
    },
    /// Any JSON value.
    Json(serde_json::Value),
}

/// Fields of simple types, some renamed or left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Fields {
    is_set: bool,
    tiny: i8,
    small_number: u16,
    signed: i64,
    unsigned: u64,
    #[serde(rename = "a name with \"quotes\"\n and a line break")]
    wide: i128,
    wider: u128,
    single: f32,
    double: f64,
    character: char,
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left_out: Option<Text>,
    nullable: Option<u8>,
    unit: (),
    unit_struct: Unit,
    bytes: Bytes,
    address: Ipv4Addr,
    a_name_that_is_longer_than_any_piece_that_is_copied_at_once: Box<[Option<Newtype>]>,
}

/// A unit struct.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Unit;

/// A newtype struct.
#[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Serialize, Deserialize)]
pub struct Newtype(i32);

/// A newtype of a newtype.
#[derive(Clone, Debug, PartialEq, PartialOrd, Eq, Ord, Serialize, Deserialize)]
pub struct Text(String);

/// A tuple struct.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pair(u32, Option<bool>);

/// Bytes, which are written with `serialize_bytes`.
#[derive(Clone, Debug, PartialEq)]
pub struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self)
    }
}

/// The four representations of enums.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Enums {
    /// The name of the variant is the key of its content.
    External(External),
    /// The name is a member of the content.
    Internal(Internal),
    /// The name and the content are members.
    Adjacent(Adjacent),
    /// There is no name.
    Untagged(Untagged),
}

/// An externally tagged enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum External {
    /// A unit variant.
    Unit,
    /// A newtype variant.
    Newtype(Pair),
    /// A tuple variant.
    Tuple(u8, String),
    /// An empty tuple variant.
    Empty(),
    /// A struct variant.
    #[serde(rename = "renamed\tvariant")]
    Struct {
        /// A renamed field.
        #[serde(rename = "é")]
        a: bool,
        /// A list.
        b: Vec<i16>,
    },
}

/// An internally tagged enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Internal {
    /// A unit variant.
    Unit,
    /// A struct variant.
    Struct {
        /// A number.
        a: i32,
        /// A string.
        text: String,
    },
    /// A newtype variant.
    Newtype(Inner),
}

/// An adjacently tagged enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
pub enum Adjacent {
    /// A unit variant.
    Unit,
    /// A newtype variant.
    Newtype(f64),
    /// A tuple variant.
    Tuple(u8, Option<Newtype>),
    /// A struct variant.
    Struct {
        /// A number.
        x: i64,
    },
}

/// An untagged enum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Untagged {
    /// A number.
    Number(u32),
    /// A string.
    Text(String),
    /// An array.
    Pair(bool, bool),
    /// An object.
    Struct {
        /// A character.
        only: Option<char>,
        /// A number.
        here: u8,
    },
}

/// A part of other structs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inner {
    x: u64,
    inner_text: String,
}

/// A struct with the fields of another one and a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flattened {
    before: u8,
    #[serde(flatten)]
    inner: Inner,
    #[serde(flatten)]
    rest: BTreeMap<String, Newtype>,
}

/// Maps with all kinds of keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[expect(clippy::zero_sized_map_values, reason = "the values are written, too")]
pub struct Maps {
    text: BTreeMap<Text, Option<Fields>>,
    signed: BTreeMap<i16, ()>,
    unsigned: BTreeMap<u64, u8>,
    wide: BTreeMap<i128, String>,
    newtype: BTreeMap<Newtype, Vec<()>>,
    booleans: BTreeMap<bool, Unit>,
    characters: BTreeMap<char, f64>,
    units: BTreeMap<Fruit, BTreeMap<String, bool>>,
}

/// An enum of unit variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fruit {
    /// One word.
    Apple,
    /// Two words.
    BloodOrange,
}

/// Returns a random value.
#[must_use]
pub fn any(random: &mut Random) -> Typed {
    typed(random, 3)
}

fn typed(random: &mut Random, depth: usize) -> Typed {
    match random.below(if depth == 0 { 3 } else { 8 }) {
        0 => Typed::Nothing,
        1 => Typed::Tuple(integer(random) as i8, Text(text(random)), (single(random), [random.byte(), 0, 255])),
        2 => Typed::Enums(list(random, enums)),
        3 => Typed::Fields(fields(random)),
        4 => Typed::Maps(Box::new(maps(random))),
        5 => Typed::Flattened(flattened(random)),
        6 => Typed::Struct { list: list(random, |random| typed(random, depth - 1)), newtype: newtype(random) },
        _ => Typed::Json(json(random, depth)),
    }
}

fn fields(random: &mut Random) -> Fields {
    Fields {
        is_set: random.one_in(2),
        tiny: integer(random) as i8,
        small_number: integer(random) as u16,
        signed: integer(random) as i64,
        unsigned: integer(random) as u64,
        wide: integer(random).cast_signed(),
        wider: integer(random),
        single: single(random),
        double: double(random),
        character: character(random),
        text: text(random),
        left_out: option(random, |random| Text(text(random))),
        nullable: option(random, Random::byte),
        unit: (),
        unit_struct: Unit,
        bytes: Bytes(list(random, Random::byte)),
        address: Ipv4Addr::from_bits(integer(random) as u32),
        a_name_that_is_longer_than_any_piece_that_is_copied_at_once: list(random, |random| option(random, newtype))
            .into(),
    }
}

fn enums(random: &mut Random) -> Enums {
    match random.below(4) {
        0 => Enums::External(match random.below(5) {
            0 => External::Unit,
            1 => External::Newtype(Pair(random.bits() as u32, option(random, |random| random.one_in(2)))),
            2 => External::Tuple(random.byte(), text(random)),
            3 => External::Empty(),
            _ => External::Struct { a: random.one_in(2), b: list(random, |random| integer(random) as i16) },
        }),
        1 => Enums::Internal(match random.below(3) {
            0 => Internal::Unit,
            1 => Internal::Struct { a: integer(random) as i32, text: text(random) },
            _ => Internal::Newtype(inner(random)),
        }),
        2 => Enums::Adjacent(match random.below(4) {
            0 => Adjacent::Unit,
            1 => Adjacent::Newtype(double(random)),
            2 => Adjacent::Tuple(random.byte(), option(random, newtype)),
            _ => Adjacent::Struct { x: integer(random) as i64 },
        }),
        _ => Enums::Untagged(match random.below(4) {
            0 => Untagged::Number(integer(random) as u32),
            1 => Untagged::Text(text(random)),
            2 => Untagged::Pair(random.one_in(2), random.one_in(2)),
            _ => Untagged::Struct { only: option(random, character), here: random.byte() },
        }),
    }
}

fn inner(random: &mut Random) -> Inner {
    Inner { x: integer(random) as u64, inner_text: text(random) }
}

fn flattened(random: &mut Random) -> Flattened {
    // The prefix keeps the keys apart from the fields.
    let rest = list(random, |random| (format!("key {}", text(random)), newtype(random)));
    Flattened { before: random.byte(), inner: inner(random), rest: rest.into_iter().collect() }
}

fn maps(random: &mut Random) -> Maps {
    Maps {
        text: map(random, |random| (Text(text(random)), option(random, fields))),
        signed: map(random, |random| (integer(random) as i16, ())),
        unsigned: map(random, |random| (integer(random) as u64, random.byte())),
        wide: map(random, |random| (integer(random).cast_signed(), text(random))),
        newtype: map(random, |random| (newtype(random), list(random, |_| ()))),
        booleans: map(random, |random| (random.one_in(2), Unit)),
        characters: map(random, |random| (character(random), double(random))),
        units: map(random, |random| {
            let fruit = if random.one_in(2) { Fruit::Apple } else { Fruit::BloodOrange };
            (fruit, map(random, |random| (text(random), random.one_in(2))))
        }),
    }
}

fn newtype(random: &mut Random) -> Newtype {
    Newtype(integer(random) as i32)
}

/// An integer of any magnitude.
fn integer(random: &mut Random) -> u128 {
    let bits = u128::from(random.bits()) << 64 | u128::from(random.bits());
    let integer = bits >> random.below(128);
    if random.one_in(3) { integer.wrapping_neg() } else { integer }
}

/// A finite number: of few digits, or any.
fn double(random: &mut Random) -> f64 {
    if random.one_in(2) {
        return (random.below(2_000_000) as f64 - 1_000_000.0) / [1.0, 10.0, 100.0, 64.0][random.below(4)];
    }
    let double = f64::from_bits(random.bits());
    if double.is_finite() { double } else { 0.5 }
}

fn single(random: &mut Random) -> f32 {
    let single = f32::from_bits(random.bits() as u32);
    if single.is_finite() { single } else { -1.5 }
}

fn character(random: &mut Random) -> char {
    match random.below(4) {
        0 => char::from(random.byte() & 0x7f),
        1 => char::from(random.byte()),
        _ => char::from_u32(random.bits() as u32 & 0x1f_ffff).unwrap_or('x'),
    }
}

/// Text of up to 300 bytes, most of it without anything to escape.
fn text(random: &mut Random) -> String {
    let length = match random.below(8) {
        0 => 0,
        1 => random.below(300),
        2 => random.below(80),
        _ => random.below(20),
    };
    if random.one_in(2) {
        return (0..length).map(|index| char::from(b'a' + (index % 26) as u8)).collect();
    }
    let rare = 1 + random.below(40);
    (0..length).map(|_| if random.one_in(rare) { character(random) } else { 'x' }).collect()
}

fn json(random: &mut Random, depth: usize) -> serde_json::Value {
    match random.below(if depth == 0 { 5 } else { 7 }) {
        0 => serde_json::Value::Null,
        1 => random.one_in(2).into(),
        2 => (integer(random) as i64).into(),
        3 => double(random).into(),
        4 => text(random).into(),
        5 => list(random, |random| json(random, depth - 1)).into(),
        _ => list(random, |random| (text(random), json(random, depth - 1))).into_iter().collect(),
    }
}

fn option<T>(random: &mut Random, some: impl FnOnce(&mut Random) -> T) -> Option<T> {
    (!random.one_in(3)).then(|| some(random))
}

fn list<T>(random: &mut Random, mut element: impl FnMut(&mut Random) -> T) -> Vec<T> {
    (0..random.below(4)).map(|_| element(random)).collect()
}

fn map<K: Ord, V>(random: &mut Random, entry: impl FnMut(&mut Random) -> (K, V)) -> BTreeMap<K, V> {
    list(random, entry).into_iter().collect()
}
