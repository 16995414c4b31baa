//! The memory of a scan, which each thread keeps from one call to the next.
//!
//! Allocating and clearing the masks of a tile takes longer than checking a document of some hundred bytes. So a thread
//! keeps the memory of its last scan: about 50 KiB, with the kernel that it was made for.

#![forbid(unsafe_code)]

use std::any::Any;
use std::cell::Cell;

use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::kernel::Kernel;
use crate::scan::Scratch;

thread_local! {
    static SPARE: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// Greatest nesting stack in bytes that a thread keeps: half a million levels.
const MAX_KEPT: usize = 64 * 1024;

/// What a scan needs beside its input and its consumer.
pub(crate) struct Workspace<K: Kernel> {
    pub(crate) checker: Checker<K>,
    /// Receives a copy of each tile that is not full.
    pub(crate) scratch: Scratch,
}

impl<K: Kernel> Workspace<K> {
    /// Returns the workspace of this thread, or a new one. The arguments are those of [`Checker::new`].
    #[inline(always)]
    pub(crate) fn take(kernel: K, max_depth: Option<u64>, layout: bool) -> Box<Self> {
        if let Some(spare) = SPARE.try_with(Cell::take).ok().flatten()
            && let Ok(mut workspace) = spare.downcast::<Self>()
        {
            workspace.checker.renew(max_depth, layout);
            return workspace;
        }
        Box::new(Self { checker: Checker::new(kernel, max_depth, layout), scratch: [b' '; MAX_TILE_BYTES] })
    }

    /// Keeps the workspace for the next scan of this thread.
    #[inline(always)]
    pub(crate) fn keep(mut self: Box<Self>) {
        if self.checker.nesting().memory() <= MAX_KEPT {
            // It fails when the thread ends; then nothing is kept.
            let _ = SPARE.try_with(|spare| spare.set(Some(self)));
        }
    }
}
