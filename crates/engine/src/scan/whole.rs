//! The check of one whole document in memory, without checkpoints, framing and errors.
//!
//! A scan prepares to find an error, to release output and to read more. For a short document that takes longer than
//! checking it. If the document is invalid and the error is needed, a scan must follow.

#![forbid(unsafe_code)]

use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Framing;
use crate::options::Options;
use crate::options::Summary;
use crate::scan::Workspace;
use crate::scan::padded;

/// Checks a document that is short enough to be read twice if it is invalid. Returns `None` if it is longer or invalid, or
/// if the input or the options need a scan.
#[inline]
pub(crate) fn check_short(input: &Input<'_>, options: &Options) -> Option<Summary> {
    let text = short_text(input, options)?;
    let is_valid = is_document(text, options);
    is_valid.then(|| summary(text))
}

/// Minifies a document like [`check_short`], and passes the output to `write` if the document is valid. Returns `None` also if
/// the document is longer than a tile of some kernel.
#[inline]
pub(crate) fn minify_short<T>(
    input: &Input<'_>,
    options: &Options,
    write: impl FnOnce(&[u8], Summary) -> T,
) -> Option<T> {
    let text = short_text(input, options)?;
    let mut output = [0; SHORT + MARGIN];
    let length = options.isa.run(Minify { text, max_depth: options.max_depth, output: &mut output })?;
    Some(write(&output[..length], summary(text)))
}

/// Whether a text is one valid document. The rules of stricter profiles are not checked.
#[inline]
pub(crate) fn is_document(text: &[u8], options: &Options) -> bool {
    options.isa.run(Check { text, max_depth: options.max_depth })
}

/// Least size of a tile, the one of the portable kernel: a document shorter than this is one tile for every kernel.
const SHORT: usize = 1024;

/// Bytes after the output that may be overwritten: the superblock of any kernel.
const MARGIN: usize = 512;

/// Returns the text of an input that is short and cannot change, if the options ask for nothing but a check.
#[inline]
fn short_text<'i>(input: &'i Input<'_>, options: &Options) -> Option<&'i [u8]> {
    let is_plain = options.framing == Framing::Document && !options.is_strict();
    input.memory().filter(|text| is_plain && text.len() < SHORT)
}

fn summary(text: &[u8]) -> Summary {
    Summary { documents: 1, invalid: 0, bytes: text.len() as u64 }
}

/// Returns whether a text is a valid document.
struct Check<'t> {
    text: &'t [u8],
    max_depth: Option<u64>,
}

impl Pass for Check<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> bool {
        let mut workspace = Workspace::take(kernel, self.max_depth, false);
        let Workspace { checker, scratch } = &mut *workspace;
        let mut rest = self.text;
        let is_valid = loop {
            if rest.len() < Checker::<K>::TILE {
                break checker.check(padded::<K>(scratch, rest, 1), false, false) && checker.finish();
            }
            let (tile, after) = rest.split_at(Checker::<K>::TILE);
            if !checker.check(tile, false, false) {
                break false;
            }
            rest = after;
        };
        workspace.keep();
        is_valid
    }
}

/// Writes the minified text of a document of one tile to `output` and returns its length; `None` if it is invalid.
struct Minify<'t> {
    text: &'t [u8],
    max_depth: Option<u64>,
    output: &'t mut [u8; SHORT + MARGIN],
}

impl Pass for Minify<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Option<usize> {
        const { assert!(SHORT <= Checker::<K>::TILE && Checker::<K>::TILE <= MAX_TILE_BYTES) };
        let mut workspace = Workspace::take(kernel, self.max_depth, false);
        let Workspace { checker, scratch } = &mut *workspace;
        let bytes = padded::<K>(scratch, self.text, 1);
        let is_valid = checker.check(bytes, false, false) && checker.finish();
        let mut length = 0;
        if is_valid {
            let mut active = checker.tile().active().peekable();
            for (place, superblock) in bytes.chunks_exact(K::SUPERBLOCK).enumerate() {
                let output = &mut self.output[length..];
                length += match active.peek() {
                    Some(&(active_place, masks, _)) if active_place == place => {
                        active.next();
                        kernel.compress(superblock, !masks.whitespace, output)
                    }
                    _ => {
                        output[..K::SUPERBLOCK].copy_from_slice(superblock);
                        K::SUPERBLOCK
                    }
                };
            }
        }
        workspace.keep();
        is_valid.then_some(length)
    }
}
