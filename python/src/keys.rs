//! The keys of earlier objects, which most objects have again: a key is made once, with its hash.
//!
//! A key has one place, which depends on its text. A key of another text takes it over, so memory and time are bounded whatever the keys
//! are. Keys of up to sixteen bytes, which are most, are compared as one number.

#![forbid(unsafe_code)]

use pyo3::Py;
use pyo3::PyAny;
use pyo3::Python;

use crate::objects;

/// Number of places. Documents rarely have more different keys than this.
const PLACES: usize = 2048;

/// Length of the longest key that is kept, in bytes.
const MAX_LENGTH: usize = 64;

/// Bytes of a row.
const ROW: usize = 16;

struct Place {
    /// The text, if it is short; or else a number that depends on it.
    row: u128,
    text: Option<Box<str>>,
    length: usize,
    key: Option<Py<PyAny>>,
}

/// Keys as objects.
pub struct Keys {
    places: Vec<Place>,
}

impl Keys {
    /// Returns an empty cache.
    pub fn new() -> Self {
        let place = || Place { row: 0, text: None, length: usize::MAX, key: None };
        Self { places: std::iter::repeat_with(place).take(PLACES).collect() }
    }

    /// Returns a key. `None` if there is no memory; then an exception is set.
    #[inline]
    pub fn get(&mut self, py: Python<'_>, text: &str) -> Option<Py<PyAny>> {
        let bytes = text.as_bytes();
        let length = bytes.len();
        if length > MAX_LENGTH {
            return objects::string(py, text);
        }
        let row = if length <= ROW { row(bytes) } else { summary(bytes) };
        let place = &mut self.places[index(row, length)];
        if place.row == row
            && place.length == length
            && (length <= ROW || place.text.as_deref() == Some(text))
            && let Some(key) = &place.key
        {
            return Some(key.clone_ref(py));
        }
        replace(py, place, row, text)
    }
}

#[cold]
#[inline(never)]
fn replace(py: Python<'_>, place: &mut Place, row: u128, text: &str) -> Option<Py<PyAny>> {
    let key = objects::string(py, text)?;
    objects::compute_hash(py, &key);
    let kept = (text.len() > ROW).then(|| Box::from(text));
    *place = Place { row, text: kept, length: text.len(), key: Some(key.clone_ref(py)) };
    Some(key)
}

/// Returns the place of a key: the highest bits of a product, which depend on all bits of both factors.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a number")]
fn index(row: u128, length: usize) -> usize {
    let (low, high) = (row as u64 ^ 0x9e37_79b9_7f4a_7c15, (row >> 64) as u64 ^ 0xc2b2_ae3d_27d4_eb4f ^ length as u64);
    let product = u128::from(low) * u128::from(high);
    let mixed = (product as u64) ^ (product >> 64) as u64;
    (mixed >> (64 - PLACES.ilog2())) as usize
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

/// Returns a number that depends on a longer text: on its beginning, its middle and its end.
#[inline]
fn summary(bytes: &[u8]) -> u128 {
    let middle = &bytes[bytes.len() / 2 - 8..][..ROW];
    row(&bytes[..ROW]) ^ row(middle).rotate_left(41) ^ row(&bytes[bytes.len() - ROW..]).rotate_left(83)
}
