//! Columns in memory, as Arrow lays them out, except that there is one byte for each value that tells whether it is there.
//!
//! Threads build columns of a few records each. These are put together to batches, and finished: then the bytes become bits.

#![forbid(unsafe_code)]

use std::ops::Range;

use fjson::Kind as JsonKind;
use fjson::Value;
use fjson::scalar::AnyNumber;

use crate::columns::kind::Fields;
use crate::columns::kind::Kind;
use crate::columns::kind::Unit;
use crate::columns::kind::Zone;
use crate::columns::select::key;
use crate::columns::time;

/// Values of one type.
pub struct Column {
    /// 1 for a value, 0 for null.
    pub valid: Vec<u8>,
    pub data: Data,
}

/// The values. Those of nulls mean nothing.
pub enum Data {
    /// 0 or 1.
    Bits(Vec<u8>),
    /// Numbers of 64 bits.
    Words(Vec<u64>),
    Days(Vec<i32>),
    /// Where each text begins and, in the last entry, the last one ends.
    Text(Vec<i32>, Vec<u8>),
    /// The same, in the elements of all lists.
    Lists(Vec<i32>, Box<Column>),
    Structs(Vec<Column>),
}

/// A value that is not of the type of its column.
pub struct Mismatch<'p, 't> {
    pub value: Value<'p, 't>,
    pub expected: Expected,
}

/// What was expected instead.
pub enum Expected {
    /// A value of this type.
    Kind(String),
    /// A string without escapes of lone surrogates.
    Unicode,
    /// A known key.
    Key,
    /// Less text.
    Less,
    /// A query that can be evaluated, which failed with this message.
    Query(String),
}

/// What becomes of values that are not of the type of their column.
pub struct Mismatches {
    /// Whether they become null.
    pub are_null: bool,
    pub count: u64,
}

impl Mismatches {
    /// Counts a value if it becomes null.
    pub fn add<'p, 't>(&mut self, value: Value<'p, 't>, expected: Expected) -> Result<(), Mismatch<'p, 't>> {
        self.count += 1;
        if self.are_null { Ok(()) } else { Err(Mismatch { value, expected }) }
    }
}

impl Column {
    pub fn new(kind: &Kind) -> Self {
        let data = match kind {
            Kind::Bool => Data::Bits(Vec::new()),
            Kind::Int64 | Kind::UInt64 | Kind::Float64 | Kind::Timestamp(..) => Data::Words(Vec::new()),
            Kind::Date => Data::Days(Vec::new()),
            Kind::String | Kind::Json => Data::Text(vec![0], Vec::new()),
            Kind::List(items) => Data::Lists(vec![0], Box::new(Self::new(items))),
            Kind::Struct(fields) => Data::Structs(fields.kinds.iter().map(Self::new).collect()),
        };
        Self { valid: Vec::new(), data }
    }

    /// Returns about how many bytes it takes.
    pub fn size(&self) -> usize {
        self.valid.len()
            + match &self.data {
                Data::Bits(values) => values.len(),
                Data::Words(values) => 8 * values.len(),
                Data::Days(values) => 4 * values.len(),
                Data::Text(ends, text) => 4 * ends.len() + text.len(),
                Data::Lists(ends, items) => 4 * ends.len() + items.size(),
                Data::Structs(columns) => columns.iter().map(Self::size).sum(),
            }
    }

    pub fn push_null(&mut self) {
        self.valid.push(0);
        match &mut self.data {
            Data::Bits(values) => values.push(0),
            Data::Words(values) => values.push(0),
            Data::Days(values) => values.push(0),
            Data::Text(ends, _) | Data::Lists(ends, _) => ends.push(last(ends)),
            Data::Structs(columns) => columns.iter_mut().for_each(Self::push_null),
        }
    }

    /// Adds a value, or null for none.
    ///
    /// # Errors
    /// If the value has another type. Then a part of it may have been added.
    pub fn push<'p, 't>(
        &mut self,
        kind: &Kind,
        value: Option<Value<'p, 't>>,
        mismatches: &mut Mismatches,
    ) -> Result<(), Mismatch<'p, 't>> {
        let Some(value) = value.filter(|value| !value.is_null()) else {
            self.push_null();
            return Ok(());
        };
        let is_added = match (&mut self.data, kind) {
            (Data::Bits(values), _) => value.as_bool().map(|is| values.push(u8::from(is))),
            (Data::Words(values), Kind::Timestamp(unit, zone)) => moment(value, *unit, *zone).map(|it| values.push(it)),
            (Data::Words(values), kind) => word(value, kind).map(|it| values.push(it)),
            (Data::Days(values), _) => value.as_str().and_then(|it| time::days(&it)).map(|it| values.push(it)),
            (Data::Text(ends, text), _) => match push_text(text, value, matches!(kind, Kind::Json)) {
                Ok(()) => {
                    let Ok(end) = i32::try_from(text.len()) else {
                        return Err(Mismatch { value, expected: Expected::Less });
                    };
                    ends.push(end);
                    Some(())
                }
                Err(expected) => {
                    mismatches.add(value, expected)?;
                    self.push_null();
                    return Ok(());
                }
            },
            (Data::Lists(..), Kind::List(items)) if value.kind() == JsonKind::Array => {
                return self.push_list(items, value, value.iter(), mismatches);
            }
            (Data::Structs(columns), Kind::Struct(fields)) if value.kind() == JsonKind::Object => {
                push_struct(columns, fields, value, mismatches)?;
                Some(())
            }
            _ => None,
        };
        if is_added.is_some() {
            self.valid.push(1);
        } else {
            mismatches.add(value, Expected::Kind(kind.name()))?;
            self.push_null();
        }
        Ok(())
    }

    /// Adds a list of values, which come from `origin`.
    ///
    /// # Errors
    /// Like [`push`](Self::push).
    pub fn push_list<'p, 't>(
        &mut self,
        kind: &Kind,
        origin: Value<'p, 't>,
        values: impl Iterator<Item = Value<'p, 't>>,
        mismatches: &mut Mismatches,
    ) -> Result<(), Mismatch<'p, 't>> {
        let Data::Lists(ends, items) = &mut self.data else { return Ok(()) };
        for value in values {
            items.push(kind, Some(value), mismatches)?;
        }
        let Ok(end) = i32::try_from(items.valid.len()) else {
            return Err(Mismatch { value: origin, expected: Expected::Less });
        };
        ends.push(end);
        self.valid.push(1);
        Ok(())
    }

    /// Adds some values of another column of the same type.
    pub fn extend(&mut self, other: &Self, range: Range<usize>) {
        self.valid.extend_from_slice(&other.valid[range.clone()]);
        match (&mut self.data, &other.data) {
            (Data::Bits(values), Data::Bits(others)) => values.extend_from_slice(&others[range]),
            (Data::Words(values), Data::Words(others)) => values.extend_from_slice(&others[range]),
            (Data::Days(values), Data::Days(others)) => values.extend_from_slice(&others[range]),
            (Data::Text(ends, text), Data::Text(other_ends, other_text)) => {
                text.extend_from_slice(&other_text[extend_ends(ends, other_ends, range)]);
            }
            (Data::Lists(ends, items), Data::Lists(other_ends, other_items)) => {
                items.extend(other_items, extend_ends(ends, other_ends, range));
            }
            (Data::Structs(columns), Data::Structs(others)) => {
                for (column, other) in columns.iter_mut().zip(others) {
                    column.extend(other, range.clone());
                }
            }
            _ => {}
        }
    }
}

fn last(ends: &[i32]) -> i32 {
    ends.last().copied().unwrap_or(0)
}

/// Adds the ends of some texts or lists, and returns where these are in the other column.
fn extend_ends(ends: &mut Vec<i32>, others: &[i32], range: Range<usize>) -> Range<usize> {
    let (first, shift) = (others[range.start], last(ends) - others[range.start]);
    ends.extend(others[range.start + 1..=range.end].iter().map(|end| end + shift));
    let index = |end: i32| usize::try_from(end).unwrap_or(0);
    index(first)..index(others[range.end])
}

/// Returns the bits of a number.
fn word(value: Value<'_, '_>, kind: &Kind) -> Option<u64> {
    let number = value.to_number()?;
    match (kind, number) {
        (Kind::Int64, AnyNumber::U64(number)) => i64::try_from(number).ok().map(i64::cast_unsigned),
        (Kind::Int64, AnyNumber::I64(number)) => Some(number.cast_unsigned()),
        // In other notation, such as 1.0.
        (Kind::Int64, _) => value.as_i64().map(i64::cast_unsigned),
        (Kind::UInt64, AnyNumber::U64(number)) => Some(number),
        (Kind::UInt64, _) => value.as_u64(),
        (_, AnyNumber::F64(number)) => Some(number).filter(|it| it.is_finite()).map(f64::to_bits),
        _ => value.as_f64().filter(|it| it.is_finite()).map(f64::to_bits),
    }
}

fn moment(value: Value<'_, '_>, unit: Unit, zone: Zone) -> Option<u64> {
    let text = value.as_str()?;
    time::timestamp(&text, unit, zone).map(i64::cast_unsigned)
}

/// Adds the value of a string, or the text of any value.
fn push_text(text: &mut Vec<u8>, value: Value<'_, '_>, is_json: bool) -> Result<(), Expected> {
    if is_json {
        text.extend_from_slice(value.raw().as_bytes());
        return Ok(());
    }
    if value.kind() != JsonKind::String {
        return Err(Expected::Kind(Kind::String.name()));
    }
    let string = key(value).ok_or(Expected::Unicode)?;
    text.extend_from_slice(string.as_bytes());
    Ok(())
}

/// Adds the members of an object. Of members with the same key, the last one counts.
fn push_struct<'p, 't>(
    columns: &mut [Column],
    fields: &Fields,
    object: Value<'p, 't>,
    mismatches: &mut Mismatches,
) -> Result<(), Mismatch<'p, 't>> {
    let mut found = vec![None; columns.len()];
    let mut guess = 0;
    for member in object.members() {
        match key(member.key).and_then(|key| fields.keys.find(&key, guess)) {
            Some(place) => {
                guess = place + 1;
                found[place] = Some(member.value);
            }
            None if fields.is_closed => mismatches.add(member.key, Expected::Key)?,
            None => {}
        }
    }
    for ((column, kind), value) in columns.iter_mut().zip(&fields.kinds).zip(found) {
        column.push(kind, value, mismatches)?;
    }
    Ok(())
}
