//! No read beyond the input: each document ends at the end of readable memory.
//!
//! A vector load beyond the end of a mapped file crashes only if the file ends at a page border. Here every document
//! does.

#![expect(unsafe_code, reason = "a page that must not be touched is made with mmap and mprotect")]
#![cfg(unix)]

use std::ptr;
use std::slice;

use proof::check;
use proof::check::Verb;

/// Readable bytes before the inaccessible page.
const READABLE: usize = 64 * 1024;

/// The size of the inaccessible page; a multiple of every system's page size.
const GUARD: usize = 64 * 1024;

/// Longer than the widest superblock.
const LONGEST: usize = 600;

/// Memory before an inaccessible page.
struct Guarded(*mut u8);

impl Guarded {
    fn new() -> Self {
        let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping at an address that the system chooses touches no memory of this process.
        let start = unsafe { libc::mmap(ptr::null_mut(), READABLE + GUARD, access, flags, -1, 0) };
        assert_ne!(start, libc::MAP_FAILED);
        let start = start.cast::<u8>();
        // SAFETY: the guard lies inside the mapping just made, and nothing refers to it.
        let failed = unsafe { libc::mprotect(start.wrapping_add(READABLE).cast(), GUARD, libc::PROT_NONE) };
        assert_eq!(failed, 0);
        Self(start)
    }

    /// The text at the very end of the readable memory.
    fn hold(&mut self, text: &[u8]) -> &[u8] {
        // SAFETY: these bytes are mapped, readable and writable as long as `self` lives, and borrowed from it alone.
        let readable = unsafe { slice::from_raw_parts_mut(self.0, READABLE) };
        let place = &mut readable[READABLE - text.len()..];
        place.copy_from_slice(text);
        place
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the whole mapping of `new`, to which no reference is left.
        unsafe { libc::munmap(self.0.cast(), READABLE + GUARD) };
    }
}

#[test]
fn nothing_after_the_input_is_read() {
    let mut memory = Guarded::new();
    for length in 0..=LONGEST {
        ends_there(&mut memory, &vec![b' '; length]);
        ends_there(&mut memory, &vec![b'7'; length]);
        ends_there(&mut memory, &vec![b'['; length]);
        ends_there(&mut memory, &[b"\"", "\u{e9}".repeat(length).as_bytes()].concat()[..length]);
        ends_there(&mut memory, &[b"[\"", &vec![b'\\'; length][..]].concat()[..length]);
        ends_there(&mut memory, &[b"{\"a\" : ", &b"[true, -1.5e+3, {}], ".repeat(40)[..]].concat()[..length]);
        ends_there(&mut memory, &[b"\n[1,", &vec![b'\n'; length][..], b"2]"].concat());
    }
}

/// Documents of several tiles, whose last tile is truncated at any byte.
#[test]
fn nothing_after_long_documents_is_read() {
    let mut memory = Guarded::new();
    for length in (1..=4200).step_by(7) {
        ends_there(&mut memory, &[b"[", &b"\"a\" , 1.5, ".repeat(length / 11)[..], b"0]"].concat());
    }
}

fn ends_there(memory: &mut Guarded, text: &[u8]) {
    let text = memory.hold(text);
    for verb in Verb::ALL {
        check::agree(verb, text);
    }
}
