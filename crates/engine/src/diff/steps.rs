//! The items of two containers that differ, with some that are equal around them.

#![forbid(unsafe_code)]

use std::collections::VecDeque;

use crate::diff::ComparedItem;
use crate::error::OutOfMemory;
use crate::memory::Grow;

/// A list of items that differ, to which equal ones around them are added.
pub(super) struct Steps {
    pub(super) list: Vec<ComparedItem>,
    /// The number of equal items before and after those that differ.
    context: usize,
    /// The last equal items that are not on the list.
    before: VecDeque<ComparedItem>,
    /// The number of equal items that are still to be added after the last one that differs.
    after: usize,
}

impl Steps {
    pub(super) fn new(context: usize) -> Self {
        Self { list: Vec::new(), context, before: VecDeque::new(), after: 0 }
    }

    /// Adds an item that differs, or is still to be compared.
    pub(super) fn changed(&mut self, item: ComparedItem) -> Result<(), OutOfMemory> {
        self.list.room(self.before.len() + 1, OutOfMemory::Matches)?;
        self.list.extend(self.before.drain(..));
        self.list.push(item);
        self.after = self.context;
        Ok(())
    }

    /// Adds an item that is equal, if it is near to one that differs.
    pub(super) fn equal(&mut self, item: ComparedItem) -> Result<(), OutOfMemory> {
        let item = ComparedItem { is_context: true, ..item };
        if self.after > 0 {
            self.after -= 1;
            return self.list.grow(item, OutOfMemory::Matches);
        }
        if self.context > 0 {
            if self.before.len() == self.context {
                self.before.pop_front();
            }
            self.before.try_reserve(1).map_err(|_| OutOfMemory::Matches)?;
            self.before.push_back(item);
        }
        Ok(())
    }
}
