//! The keys of earlier objects, which most objects have again: a key is made once, with its hash.
//!
//! A key has one place, which depends on its text. A key of another text takes it over, so memory and time are bounded whatever the keys
//! are. Keys of up to 32 bytes, which are most, are compared as two numbers.

#![forbid(unsafe_code)]

use pyo3::Py;
use pyo3::PyAny;
use pyo3::Python;

use crate::objects;

/// Number of places. Documents rarely have more different keys than this.
const PLACES: usize = 2048;

/// Length of the longest key that is kept, in bytes.
const MAX_LENGTH: u8 = 64;

/// Bytes of a row.
const ROW: usize = 16;

#[repr(align(64))]
struct Place {
    /// The first and the last bytes of the text, which are all of them if it has at most two rows.
    rows: [u128; 2],
    /// The text, if it is longer.
    text: Option<Box<str>>,
    key: Option<Py<PyAny>>,
    length: u8,
    /// The numbers of members of the last two objects that began with this key.
    members: [u8; 2],
}

// A line of the cache.
const _: () = assert!(size_of::<Place>() == 64);

/// Which place a key has, if it has one.
pub type Number = u16;

/// Keys as objects.
pub struct Keys {
    places: Vec<Place>,
}

impl Keys {
    /// Returns an empty cache.
    pub fn new() -> Self {
        let place = || Place { rows: [0; 2], text: None, key: None, length: 0, members: [0; 2] };
        Self { places: std::iter::repeat_with(place).take(PLACES).collect() }
    }

    /// Returns a key, and the number of its place. `None` if there is no memory; then an exception is set.
    ///
    /// `rest` is where the key was found, and may be longer, which saves telling apart different lengths.
    #[inline]
    pub fn get(&mut self, py: Python<'_>, text: &str, rest: &[u8]) -> Option<(Py<PyAny>, Number)> {
        debug_assert!(rest.starts_with(text.as_bytes()), "the rest begins with the key");
        let Ok(length @ 0..=MAX_LENGTH) = u8::try_from(text.len()) else {
            return Some((objects::string(py, text)?, 0));
        };
        let bytes = text.as_bytes();
        let rows = match (bytes.first_chunk(), bytes.last_chunk(), rest.first_chunk()) {
            (Some(first), Some(last), _) => [*first, *last].map(u128::from_le_bytes),
            (_, _, Some(row)) => [u128::from_le_bytes(*row) & MASKS[bytes.len()], 0],
            _ => [row(bytes), 0],
        };
        let number = index(rows[0] ^ rows[1].rotate_left(41), length);
        let place = &mut self.places[usize::from(number)];
        if place.rows == rows
            && place.length == length
            && (bytes.len() <= 2 * ROW || place.text.as_deref() == Some(text))
            && let Some(key) = &place.key
        {
            return Some((key.clone_ref(py), number));
        }
        Some((replace(py, place, rows, text, length)?, number))
    }

    /// Returns how many members an object is likely to have that begins with a key. The lesser of two numbers, so that the memory of
    /// small objects is not that of a large one before them.
    #[inline]
    pub fn expected_members(&self, first: Number) -> usize {
        let [last, previous] = self.places[usize::from(first)].members;
        usize::from(last.min(previous))
    }

    /// Remembers the number of members of an object that began with a key.
    #[inline]
    pub fn expect_members(&mut self, first: Number, count: usize) {
        let members = &mut self.places[usize::from(first)].members;
        *members = [u8::try_from(count).unwrap_or(MAX_MEMBERS).min(MAX_MEMBERS), members[0]];
    }
}

/// The most members that room is made for before there are as many.
const MAX_MEMBERS: u8 = 42;

/// For each length up to a row, the bytes of a row that belong to the text.
static MASKS: [u128; ROW + 1] = {
    let (mut masks, mut length) = ([0; ROW + 1], 1);
    while length <= ROW {
        masks[length] = masks[length - 1] << 8 | 0xff;
        length += 1;
    }
    masks
};

#[cold]
#[inline(never)]
fn replace(py: Python<'_>, place: &mut Place, rows: [u128; 2], text: &str, length: u8) -> Option<Py<PyAny>> {
    let key = objects::string(py, text)?;
    objects::compute_hash(py, &key);
    let kept = (text.len() > 2 * ROW).then(|| Box::from(text));
    let new = Place { rows, text: kept, key: Some(key.clone_ref(py)), length, members: [0; 2] };
    // Drops the key that was there before.
    Python::attach(|_| *place = new);
    Some(key)
}

/// Returns the place of a key: the highest bits of a product, which depend on all bits of both factors.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a number")]
fn index(row: u128, length: u8) -> Number {
    let (low, high) =
        (row as u64 ^ 0x9e37_79b9_7f4a_7c15, (row >> 64) as u64 ^ 0xc2b2_ae3d_27d4_eb4f ^ u64::from(length));
    let product = u128::from(low) * u128::from(high);
    let mixed = (product as u64) ^ (product >> 64) as u64;
    (mixed >> (64 - PLACES.ilog2())) as Number
}

/// Returns up to sixteen bytes as a number: two halves that overlap unless there are sixteen.
#[inline]
fn row(bytes: &[u8]) -> u128 {
    let length = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << (8 * (length - 8))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        u128::from(u32::from_le_bytes(*first)) | u128::from(u32::from_le_bytes(*last)) << (8 * (length - 4))
    } else if let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) {
        let middle = u128::from(bytes[length / 2]) << (8 * (length / 2));
        u128::from(first) | middle | u128::from(last) << (8 * (length - 1))
    } else {
        0
    }
}
