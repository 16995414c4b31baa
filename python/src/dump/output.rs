//! The text that `dumps` writes: at first a buffer on the stack, and after that the memory of the `bytes` object that it returns.
//!
//! A small text is copied once, to an object that is no larger than it; a large one not at all. The functions that write tokens test
//! once whether there is room, and move the end of the text once, because each change of it waits for the one before.

use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

use fjson::INTEGER_ROOM;
use fjson::bytes_to_escape;
use fjson::write_integer;
use pyo3::Bound;
use pyo3::Python;
use pyo3::types::PyBytes;

use crate::dump::Stop;
use crate::dump::Written;
#[cfg(target_arch = "x86_64")]
use crate::dump::avx512;
#[cfg(target_arch = "x86_64")]
use crate::dump::avx512::Avx512;
use crate::objects;
use crate::objects::Chars;
use crate::objects::GrowingBytes;
use crate::objects::ROW;

/// Length of the buffer on the stack.
pub const SMALL: usize = 1024;

/// Length of the first object. If it does not suffice, the next one is `LARGE`.
const FIRST: usize = 8 * SMALL;

/// Text from this length on is large.
const LARGE: usize = 64 * SMALL;

/// About the length of large texts before this one. Memory of this size was free recently and is likely to be so again, while larger
/// memory may have to be asked for from the operating system, page by page, which takes longer than writing to it.
static EXPECTED: AtomicUsize = AtomicUsize::new(0);

/// Returns a length that fills pages, with what the object and the allocator need. Larger memory than before would be new memory.
fn whole_pages(length: usize) -> usize {
    const PAGE: usize = 4096;
    const HEADERS: usize = 96;
    (length + SLACK + HEADERS).next_multiple_of(PAGE) - HEADERS
}

/// Remembers the length of a large text: the greatest one, which is forgotten if the next ones are smaller.
fn expect(length: usize) {
    // Larger memory is new each time.
    const MOST: usize = 32 << 20;
    let expected = EXPECTED.load(Ordering::Relaxed);
    EXPECTED.store(length.min(MOST).max(expected - expected / 8), Ordering::Relaxed);
}

/// The most room that is made for a short token, whatever its length.
const SLACK: usize = 128;

/// A text that grows. The exception is set if it cannot.
pub struct Output<'b, 'py> {
    py: Python<'py>,
    /// Where the text begins: in the buffer, or in the object.
    start: *mut u8,
    /// Where the next bytes are written.
    next: *mut u8,
    /// The end of the memory.
    end: *mut u8,
    /// The object, if there is one.
    object: Option<GrowingBytes<'py>>,
    #[cfg(target_arch = "x86_64")]
    avx512: Option<Avx512>,
    buffer: std::marker::PhantomData<&'b mut [MaybeUninit<u8>]>,
}

impl<'b, 'py> Output<'b, 'py> {
    /// Returns an empty text. It begins in this buffer.
    #[inline]
    pub fn new(py: Python<'py>, buffer: &'b mut [MaybeUninit<u8>; SMALL]) -> Self {
        let range = buffer.as_mut_ptr_range();
        let (start, end) = (range.start.cast(), range.end.cast());
        Self {
            py,
            start,
            next: start,
            end,
            object: None,
            #[cfg(target_arch = "x86_64")]
            avx512: Avx512::detect(),
            buffer: std::marker::PhantomData,
        }
    }

    /// Returns the text as an object.
    #[inline]
    pub fn finish(self) -> Result<Bound<'py, PyBytes>, Stop> {
        let length = self.length();
        match self.object {
            Some(object) => {
                if length > LARGE {
                    expect(length);
                }
                object.finish(length).ok_or(Stop)
            }
            None => objects::bytes(self.py, self.written()).ok_or(Stop),
        }
    }

    /// Returns the length of the text.
    #[inline]
    pub fn length(&self) -> usize {
        self.next.addr() - self.start.addr()
    }

    /// Returns the text.
    #[inline]
    pub fn written(&self) -> &[u8] {
        // SAFETY: the bytes from `start` to `next` have been written, and are part of the buffer or the object.
        unsafe { std::slice::from_raw_parts(self.start, self.length()) }
    }

    /// Makes the text shorter.
    pub fn truncate(&mut self, length: usize) {
        if length < self.length() {
            // SAFETY: the text is longer than this.
            self.next = unsafe { self.start.add(length) };
        }
    }

    /// Makes room for bytes.
    #[inline(always)]
    fn reserve(&mut self, count: usize) -> Written {
        if self.end.addr() - self.next.addr() < count { self.grow(count) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, count: usize) -> Written {
        let length = self.length();
        let expected = match length {
            0..SMALL => FIRST,
            SMALL..FIRST => LARGE,
            _ => whole_pages(EXPECTED.load(Ordering::Relaxed)),
        };
        let needed = length.saturating_add(count);
        let capacity = if needed <= expected { expected } else { needed.max(2 * length) };
        let object = match self.object.take() {
            Some(object) => object.resize(capacity),
            None => GrowingBytes::new(self.py, capacity, self.written()),
        };
        let Some(mut object) = object else {
            // There is neither text nor memory any more.
            (self.start, self.next, self.end) = (ptr::dangling_mut(), ptr::dangling_mut(), ptr::dangling_mut());
            return Err(Stop);
        };
        let start = object.start();
        self.start = start;
        // SAFETY: the object has at least this many bytes, and the first ones are the text.
        self.next = unsafe { start.add(length) };
        // SAFETY: it has this many bytes.
        self.end = unsafe { start.add(capacity) };
        self.object = Some(object);
        Ok(())
    }

    /// Writes a piece of constant size from `at` bytes after the end of the text on.
    ///
    /// # Safety
    /// There must be room for it.
    #[inline(always)]
    unsafe fn put<const N: usize>(&mut self, at: usize, piece: [u8; N]) {
        debug_assert!(at + N <= self.end.addr() - self.next.addr(), "room must have been made");
        // SAFETY: there is room.
        let place = unsafe { self.next.add(at) };
        // SAFETY: as before, and arrays of bytes may be anywhere.
        unsafe { place.cast::<[u8; N]>().write(piece) };
    }

    /// Moves the end of the text.
    ///
    /// # Safety
    /// So many bytes after it must have been written.
    #[inline(always)]
    unsafe fn advance(&mut self, count: usize) {
        debug_assert!(count <= self.end.addr() - self.next.addr(), "what was written had room");
        // SAFETY: the bytes are part of the memory.
        self.next = unsafe { self.next.add(count) };
    }

    /// Appends a constant.
    #[inline(always)]
    pub fn piece<const N: usize>(&mut self, piece: [u8; N]) -> Written {
        self.reserve(N)?;
        // SAFETY: room was made.
        unsafe { self.put(0, piece) };
        // SAFETY: it was written.
        unsafe { self.advance(N) };
        Ok(())
    }

    /// Appends bytes.
    #[inline]
    pub fn bytes(&mut self, bytes: &[u8]) -> Written {
        self.reserve(bytes.len())?;
        // SAFETY: room was made, and the memory is not shared.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.next, bytes.len()) };
        // SAFETY: they were written.
        unsafe { self.advance(bytes.len()) };
        Ok(())
    }

    /// Appends an integer, given its sign and its magnitude.
    #[inline(always)]
    pub fn integer(&mut self, is_negative: bool, magnitude: u64) -> Written {
        self.reserve(INTEGER_ROOM)?;
        // SAFETY: room was made, and bytes that need not be initialized may be anywhere.
        let room = unsafe { &mut *self.next.cast::<[MaybeUninit<u8>; INTEGER_ROOM]>() };
        let count = write_integer(room, is_negative, magnitude).len();
        // SAFETY: these bytes were written to the room, which is where the text ends.
        unsafe { self.advance(count) };
        Ok(())
    }

    /// Appends a float of either size, or `null`.
    #[inline]
    pub fn float(&mut self, value: impl zmij::Float + Into<f64> + Copy) -> Written {
        if !value.into().is_finite() {
            return self.piece(*b"null");
        }
        // The buffer that the digits are written to is where they belong, because copies of what was just written in other pieces wait
        // until it is in memory.
        const { assert!(align_of::<zmij::Buffer>() == 1) };
        self.reserve(size_of::<zmij::Buffer>())?;
        let place = self.next.cast::<zmij::Buffer>();
        // SAFETY: room was made, and the buffer may be anywhere.
        unsafe { place.write(zmij::Buffer::new()) };
        // SAFETY: it has been written.
        let text = unsafe { &mut *place }.format_finite(value);
        if text.as_ptr() != self.next.cast_const() {
            // Where in its buffer it writes is not documented.
            let text = text.to_owned();
            return self.bytes(text.as_bytes());
        }
        let count = text.len();
        // SAFETY: these bytes were written.
        unsafe { self.advance(count) };
        Ok(())
    }

    /// Appends a string between constants, which have its quotes.
    #[inline(always)]
    pub fn string<const A: usize, const B: usize>(
        &mut self,
        before: [u8; A],
        string: Chars<'_>,
        after: [u8; B],
    ) -> Written {
        let length = string.text().len();
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = self.avx512 {
            if length <= avx512::BLOCK {
                self.reserve(A + avx512::BLOCK + B)?;
                // SAFETY: room was made.
                unsafe { self.put(0, before) };
                // SAFETY: as before.
                let place = unsafe { self.next.add(A) };
                // SAFETY: there is room for a block after what is before the string.
                if unsafe { avx512.copy_short(string.text().as_bytes(), place) } {
                    // SAFETY: room was made.
                    unsafe { self.put(A + length, after) };
                    // SAFETY: all of it was written.
                    unsafe { self.advance(A + length + B) };
                    return Ok(());
                }
            }
            return self.other_string(before, string, after);
        }
        // A row from each end, which overlap or are the same one; what is before a shorter text is shifted out. There is no branch for
        // the length, which would often be mispredicted.
        if length <= 2 * ROW
            && let Some([first, last]) = string.rows()
        {
            let extra = ROW.saturating_sub(length);
            if (u32::from(bytes_to_escape(first)) | u32::from(bytes_to_escape(last))) >> extra == 0 {
                // Of an empty text, nothing that is written here stays.
                let first = u128::from_le_bytes(*first) >> (8 * extra % 128);
                let last = if extra == 0 { u128::from_le_bytes(*last) } else { first };
                self.reserve(A + 2 * ROW + B)?;
                // SAFETY: room was made.
                unsafe { self.put(0, before) };
                // SAFETY: as before.
                unsafe { self.put(A, first.to_le_bytes()) };
                // SAFETY: as before, because the length is at most two rows.
                unsafe { self.put(A + length.saturating_sub(ROW), last.to_le_bytes()) };
                // SAFETY: as before.
                unsafe { self.put(A + length, after) };
                // SAFETY: all of it was written.
                unsafe { self.advance(A + length + B) };
                return Ok(());
            }
        }
        self.other_string(before, string, after)
    }

    /// Appends a string that is long or has escapes.
    #[inline(never)]
    fn other_string<const A: usize, const B: usize>(
        &mut self,
        before: [u8; A],
        string: Chars<'_>,
        after: [u8; B],
    ) -> Written {
        let bytes = string.text().as_bytes();
        self.piece(before)?;
        let mut at = 0;
        loop {
            let rest = &bytes[at..];
            self.reserve(rest.len() + BLOCK)?;
            // SAFETY: there is room for the rest and a block.
            let plain = unsafe { self.copy_plain(rest) };
            // SAFETY: so many bytes were copied.
            unsafe { self.advance(plain) };
            at += plain;
            let Some(&byte) = bytes.get(at) else { break };
            let escape = &ESCAPES[usize::from(byte)];
            self.reserve(ESCAPE)?;
            // SAFETY: room was made.
            unsafe { self.put(0, *escape) };
            // SAFETY: it was written; an escape is shorter than this array.
            unsafe { self.advance(usize::from(escape[ESCAPE - 1])) };
            at += 1;
        }
        self.piece(after)
    }

    /// Copies bytes to after the end of the text, up to the first one that must be escaped. Returns their number.
    ///
    /// # Safety
    /// There must be room for all of them and a block.
    #[inline(always)]
    unsafe fn copy_plain(&mut self, bytes: &[u8]) -> usize {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx512) = self.avx512 {
            // SAFETY: the caller has made room.
            return unsafe { avx512.copy_plain(bytes, self.next) };
        }
        let mut at = 0;
        while let Some(block) = bytes[at..].first_chunk::<BLOCK>() {
            let (rows, _) = block.as_chunks::<ROW>();
            let found = [&rows[0], &rows[1], &rows[2], &rows[3]].map(bytes_to_escape);
            // SAFETY: the caller has made room.
            unsafe { self.put(at, *block) };
            if found != [0; 4] {
                let found = found.iter().rev().fold(0, |all, found| all << ROW | u64::from(*found));
                return at + found.trailing_zeros() as usize;
            }
            at += BLOCK;
        }
        while let Some(row) = bytes[at..].first_chunk::<ROW>() {
            // SAFETY: the caller has made room.
            unsafe { self.put(at, *row) };
            let found = bytes_to_escape(row);
            if found != 0 {
                return at + found.trailing_zeros() as usize;
            }
            at += ROW;
        }
        // The last row overlaps the one before. A text that has none is copied to one.
        let short = bytes.len().min(ROW);
        let start = bytes.len() - short;
        let mut row = [0; ROW];
        match bytes.last_chunk() {
            Some(last) => row = *last,
            None => row[..short].copy_from_slice(bytes),
        }
        // SAFETY: the caller has made room, and what is written again is the same.
        unsafe { self.put(start, row) };
        let found = (u32::from(bytes_to_escape(&row)) | 1 << short) >> (at - start);
        at + found.trailing_zeros() as usize
    }
}

/// Bytes that are searched together.
const BLOCK: usize = 4 * ROW;

/// Length of an entry of the table.
const ESCAPE: usize = 8;

/// The escape of each byte that must be escaped, followed by zeros, with its length in the last byte.
static ESCAPES: [[u8; ESCAPE]; 256] = {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut table = [[0; ESCAPE]; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = [b'\\', b'u', b'0', b'0', DIGITS[byte >> 4], DIGITS[byte & 15], 0, 6];
        byte += 1;
    }
    let letters = *b"\x08b\tt\nn\x0cf\rr\"\"\\\\";
    let mut index = 0;
    while index < letters.len() {
        table[letters[index] as usize] = [b'\\', letters[index + 1], 0, 0, 0, 0, 0, 2];
        index += 2;
    }
    table
};
