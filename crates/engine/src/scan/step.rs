//! The steps in which the text of a document is checked: tile by tile, and once per window up to a comma.

#![forbid(unsafe_code)]

use crate::framing::distance;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Tile;
use crate::kernel::Kernel;

/// Number of windows between two checkpoints if there is no output, all text is in memory, and one thread is used. A checkpoint
/// costs as much as two or three tiles, and in that case it only serves to locate an error.
pub(crate) const SPARSE_CHECKPOINT_WINDOWS: u64 = 8;

/// Number of bytes from an unsuccessful search for a comma to the next search.
pub(crate) const RETRY: u64 = 32 * 1024;

/// The place for a copy of a tile that is not full.
pub(crate) type Scratch = [u8; MAX_TILE_BYTES];

/// The text to check next.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScanStep {
    /// A full tile.
    Tile,
    /// A full tile, checked only to find its last comma. Its carries are then restored.
    Peek,
    /// This many bytes, the last of which is a comma.
    Cut(usize),
    /// The rest of the document.
    Last,
}

impl ScanStep {
    /// Returns the bytes to check, padded to whole superblocks, and how many of them are text. If `text` has `ended` and is shorter
    /// than a tile, this becomes the last step. Returns `None` if more text must be read first.
    #[inline(always)]
    pub(crate) fn tile<'t, K: Kernel>(
        &mut self,
        text: &'t [u8],
        ended: bool,
        scratch: &'t mut Scratch,
    ) -> Option<(&'t [u8], usize)> {
        match *self {
            Self::Cut(length) => Some((padded::<K>(scratch, &text[..length], 0), length)),
            Self::Tile | Self::Peek if text.len() >= Checker::<K>::TILE => {
                Some((&text[..Checker::<K>::TILE], Checker::<K>::TILE))
            }
            _ if ended => {
                *self = Self::Last;
                Some((padded::<K>(scratch, text, 1), text.len()))
            }
            _ => None,
        }
    }
}

/// Returns the index of the comma to cut at in a tile that begins at `position`: the one before the offset `wanted`, or else the last.
#[inline(always)]
pub(crate) fn comma_to_cut_at<K: Kernel>(tile: &Tile<K>, position: u64, wanted: Option<u64>) -> Option<usize> {
    // Not in closures: they would be compiled without the kernel's instructions.
    if let Some(wanted) = wanted
        && wanted > position
    {
        let comma = distance(position, wanted) - 1;
        if tile.first_comma(comma) == Some(comma) {
            return Some(comma);
        }
    }
    tile.last_comma()
}

/// Copies `text` into `scratch` and pads it with at least `more` spaces up to the end of a superblock.
#[inline(always)]
pub(crate) fn padded<'s, K: Kernel>(scratch: &'s mut Scratch, text: &[u8], more: usize) -> &'s [u8] {
    let end = (text.len() + more).next_multiple_of(K::SUPERBLOCK);
    scratch[..text.len()].copy_from_slice(text);
    scratch[text.len()..end].fill(b' ');
    &scratch[..end]
}
