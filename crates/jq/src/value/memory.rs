//! How much memory the values of this thread hold.
//!
//! Values do not leave their thread, so a plain counter per thread is exact: each string and container adds its capacity when it is
//! made or grows, and takes it off when it is freed.

#![forbid(unsafe_code)]

use std::cell::Cell;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// Returns the number of bytes that the strings, arrays, objects and long numbers of this thread have allocated.
///
/// ```
/// use fjson_jq::value::{Value, memory};
///
/// let before = memory::live();
/// let value = Value::from("x".repeat(1000));
/// assert!(memory::live() >= before + 1000);
/// drop(value);
/// assert_eq!(memory::live(), before);
/// ```
#[must_use]
pub fn live() -> usize {
    LIVE.get()
}

/// The bytes that one string or container has added to the counter.
#[derive(Debug)]
pub(crate) struct Counted(usize);

impl Counted {
    #[inline]
    pub(crate) fn new(bytes: usize) -> Self {
        LIVE.set(LIVE.get().wrapping_add(bytes));
        Self(bytes)
    }

    /// Corrects the number of bytes.
    #[inline]
    pub(crate) fn set(&mut self, bytes: usize) {
        if bytes != self.0 {
            LIVE.set(LIVE.get().wrapping_sub(self.0).wrapping_add(bytes));
            self.0 = bytes;
        }
    }
}

impl Drop for Counted {
    #[inline]
    fn drop(&mut self) {
        LIVE.set(LIVE.get().wrapping_sub(self.0));
    }
}
