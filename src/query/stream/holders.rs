//! The executor for `$..[?@.name]` and `$..[?@.name == 'text']`: it finds the members with this name, and selects the objects that
//! hold them.
//!
//! Names are found on masks, and a stack of the open containers tells which one holds a name. All containers but the root are
//! children of others, so all of them are candidates.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::kernel::Kernel;
use crate::kernel::Word;
use crate::memory::Grow;
use crate::query::stream::name::Name;
use crate::query::stream::seek::is_opener;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;

/// The filter.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) name: Name,
    /// The string that the first member with this name must equal. `None` if any value will do.
    pub(super) text: Option<Name>,
}

/// The state of the executor. It is kept between documents.
pub(super) struct Holders<'p> {
    held: &'p Held,
    /// The open containers, outermost first.
    open: Vec<Holder>,
}

/// An open container.
struct Holder {
    start: u64,
    /// Whether a member with the name was found.
    is_tested: bool,
    /// The number of the match, if it is selected.
    number: Option<usize>,
}

impl<'p> Holders<'p> {
    pub(super) fn new(held: &'p Held) -> Self {
        Self { held, open: Vec::new() }
    }

    /// Evaluates the query on the value at `root`.
    #[inline(always)]
    pub(super) fn run<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        root: u64,
    ) -> Result<Outcome, Stop> {
        self.open.clear();
        if !is_opener(tiles.byte(root)) {
            return Ok(Outcome::Exhausted(root));
        }
        let mut place = root;
        'members: loop {
            tiles.reach(place)?;
            let (mut word, mut mask) = tiles.word_of(place);
            loop {
                let (open, close) = (tiles.masks.open(word) & mask, tiles.masks.close(word) & mask);
                let names = tiles.candidates(word, mask, &self.held.name);
                let mut marks = open | close | names;
                while marks != 0 {
                    let mark = marks & marks.wrapping_neg();
                    marks ^= mark;
                    let here = tiles.place_of(word, mark.trailing_zeros());
                    if open & mark != 0 {
                        let holder = Holder { start: here, is_tested: false, number: None };
                        self.open.grow(holder, OutOfMemory::Levels)?;
                    } else if close & mark != 0 {
                        let number = self.open.pop().and_then(|holder| holder.number);
                        if let Some(number) = number {
                            tiles.report.end(number, here + 1);
                        }
                        if self.open.is_empty() {
                            return Ok(Outcome::RootEnded(here + 1));
                        }
                    } else if tiles.has_name(here, &self.held.name) {
                        place = match tiles.value_of(here)? {
                            Ok(value) => self.test(tiles, value)?,
                            // The string is a value, not a key.
                            Err(next) => next,
                        };
                        continue 'members;
                    }
                }
                (word, mask) = (word + 1, !0);
                if word.is_multiple_of(K::Word::LANES) {
                    loop {
                        if word == tiles.words {
                            tiles.next_tile()?;
                            word = 0;
                        }
                        if tiles.masks.has_brackets::<K>(word) || tiles.has_candidates(word, &self.held.name) {
                            break;
                        }
                        word += K::Word::LANES;
                    }
                }
            }
        }
    }

    /// Tests the innermost container, which has a member with the name and the value at `value`. Returns where to continue.
    #[inline(always)]
    fn test<K: Kernel, P: TileSource<K> + ?Sized>(
        &mut self,
        tiles: &mut Tiles<'_, K, P>,
        value: u64,
    ) -> Result<u64, Stop> {
        let [.., parent, holder] = &mut self.open[..] else { return Ok(value) };
        if std::mem::replace(&mut holder.is_tested, true) {
            return Ok(value);
        }
        let (after, is_equal) = match &self.held.text {
            Some(text) => tiles.after_text(value, text)?,
            None => (value, true),
        };
        if !is_equal {
            return Ok(after);
        }
        tiles.report.add(1);
        if tiles.report.lists() {
            holder.number = Some(tiles.report.begin(holder.start, parent.start)?);
        }
        Ok(after)
    }
}

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// Whether the value at `place` is a string that equals `text`. Also returns the place after the string, or that of any other
    /// value.
    #[inline(always)]
    pub(super) fn after_text(&mut self, place: u64, text: &Name) -> Result<(u64, bool), Stop> {
        if self.byte(place) != b'"' {
            return Ok((place, false));
        }
        let end = self.closing_quote(place + 1)?;
        // A longer string cannot equal it, and the look-behind buffer may not hold all of it.
        let is_short = end - place <= text.most_raw() as u64 + 1;
        Ok((end + 1, is_short && text.is(self.look_behind.between(place + 1, end))))
    }
}
