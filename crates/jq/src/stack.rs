//! How much of the stack is used, so that recursion ends with an error before the stack does.

#![forbid(unsafe_code)]

use std::hint;

/// A place on the stack.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackBase(usize);

impl StackBase {
    /// Here, in the function that calls this.
    #[inline(always)]
    pub(crate) fn here() -> Self {
        Self(position())
    }

    /// About how many bytes the stack has grown since.
    #[inline(always)]
    pub(crate) fn used(self) -> usize {
        self.0.abs_diff(position())
    }
}

/// The address of a local variable.
#[inline(always)]
fn position() -> usize {
    let local = 0_u8;
    std::ptr::from_ref(hint::black_box(&local)).addr()
}

/// What compiling a program may use: half of the stack of a thread of the standard size.
pub(crate) const FOR_COMPILING: usize = 1 << 20;
