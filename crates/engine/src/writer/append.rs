//! Appends a few bytes, whose number is known only afterwards, to a vector, with a single test of its capacity and a single change of its length.
//!
//! The length of a vector is in memory. Each change waits for the one before it, so with several changes per token they would take
//! most of the time.

#![expect(unsafe_code, reason = "`Vec::set_len`")]

use std::mem::MaybeUninit;

/// Room for `N` bytes after the end of a vector.
pub(super) struct Room<'o, const N: usize> {
    bytes: &'o mut [MaybeUninit<u8>; N],
    /// Number of bytes from the start that have been written.
    written: usize,
}

impl<const N: usize> Room<'_, N> {
    /// Writes a piece of constant size to a place at or before the end of what has been written.
    #[inline(always)]
    pub(super) fn put<const M: usize>(&mut self, at: usize, piece: &[u8; M]) {
        debug_assert!(at <= self.written && at + M <= N, "no gaps, and nothing outside the room");
        if at <= self.written
            && let Some(place) = self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<M>())
        {
            place.write_copy_of_slice(piece);
            self.written = self.written.max(at + M);
        }
    }
}

/// Appends up to `N` bytes. `write` writes them to the room and returns how many of them to keep.
#[inline(always)]
pub(super) fn append<const N: usize>(out: &mut Vec<u8>, write: impl FnOnce(&mut Room<'_, N>) -> usize) {
    if out.capacity() - out.len() < N {
        grow(out, N);
    }
    let Some(bytes) = out.spare_capacity_mut().first_chunk_mut() else { return };
    let mut room = Room { bytes, written: 0 };
    let kept = write(&mut room).min(room.written);
    let length = out.len() + kept;
    // SAFETY: the first `room.written` bytes of the spare capacity have been initialized by `Room::put`, the only function that
    // changes this number.
    unsafe { out.set_len(length) };
}

/// Writes to a buffer. `write` returns how many bytes to keep; these are returned.
#[inline(always)]
pub(super) fn write<const N: usize>(
    bytes: &mut [MaybeUninit<u8>; N],
    write: impl FnOnce(&mut Room<'_, N>) -> usize,
) -> &[u8] {
    let mut room = Room { bytes, written: 0 };
    let kept = write(&mut room).min(room.written);
    // SAFETY: the first `room.written` bytes have been initialized by `Room::put`, the only function that changes this number.
    unsafe { room.bytes[..kept].assume_init_ref() }
}

#[cold]
#[inline(never)]
fn grow(out: &mut Vec<u8>, count: usize) {
    out.reserve(count);
}

#[cfg(test)]
mod tests {
    use super::append;

    #[test]
    fn the_kept_bytes_are_appended() {
        for capacity in [0, 3, 8, 9, 100] {
            let mut out = Vec::with_capacity(capacity);
            out.extend_from_slice(b"abc");
            append::<8>(&mut out, |room| {
                room.put(0, b"defg");
                room.put(2, b"h");
                room.put(4, b"ijkl");
                6
            });
            append::<2>(&mut out, |_| usize::MAX);
            append::<4>(&mut out, |room| {
                room.put(0, b"mn");
                usize::MAX
            });
            assert_eq!(out, b"abcdehgijmn");
        }
    }
}
