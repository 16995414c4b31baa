//! Copies short text in pieces of constant size, which takes a few instructions where a copy of a variable size is a call.
//!
//! Two pieces, one from each end, may overlap. So a few sizes are enough for all lengths.

#![forbid(unsafe_code)]

use crate::kernel::ROW;
use crate::writer::append::Room;
use crate::writer::append::append;

/// Spare capacity that suffices for any short token, so that writing one needs no test of the capacity.
pub(super) const ROOM: usize = 80;

/// Whether `out` has room for a short token. If so, the functions below write it without a call, which saves the caller from
/// spilling registers.
#[inline(always)]
pub(super) fn has_room(out: &Vec<u8>) -> bool {
    out.capacity() - out.len() >= ROOM
}

/// Appends bytes that are usually not more than 32.
#[inline(always)]
pub(super) fn push_short(out: &mut Vec<u8>, bytes: &[u8]) {
    let length = bytes.len();
    if length <= ROW && has_room(out) {
        append(out, |room: &mut Room<'_, ROW>| {
            room.put(0, &row(bytes));
            length
        });
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<ROW>(), bytes.last_chunk::<ROW>())
        && length <= 2 * ROW
        && has_room(out)
    {
        append(out, |room: &mut Room<'_, { 2 * ROW }>| {
            room.put(0, first);
            room.put(length - ROW, last);
            length
        });
    } else {
        out.extend_from_slice(bytes);
    }
}

/// Returns up to sixteen bytes, followed by zeros.
#[inline(always)]
pub(super) fn row(bytes: &[u8]) -> [u8; ROW] {
    // Two halves that overlap unless there are sixteen bytes.
    let length = bytes.len();
    let row = if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        u128::from(u64::from_le_bytes(*first)) | u128::from(u64::from_le_bytes(*last)) << (8 * (length - 8))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let last = u64::from(u32::from_le_bytes(*last)) << (8 * (length - 4));
        u128::from(u64::from(u32::from_le_bytes(*first)) | last)
    } else if let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) {
        let middle = u32::from(bytes[length / 2]) << (8 * (length / 2));
        u128::from(u32::from(first) | middle | u32::from(last) << (8 * (length - 1)))
    } else {
        0
    };
    row.to_le_bytes()
}
