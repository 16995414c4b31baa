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
use crate::query::stream::search_string::SearchString;
use crate::query::stream::seek::is_opener;
use crate::query::stream::tiles::Outcome;
use crate::query::stream::tiles::Stop;
use crate::query::stream::tiles::TileSource;
use crate::query::stream::tiles::Tiles;

/// The filter.
#[derive(Clone, Debug)]
pub(super) struct MemberTest {
    pub(super) name: SearchString,
    /// The string that the first member with this name must equal. `None` if any value will do.
    pub(super) text: Option<SearchString>,
}

/// The state of the executor. It is kept between documents.
pub(super) struct ObjectsWithMember<'p> {
    member: &'p MemberTest,
    /// The open containers, outermost first.
    open: Vec<OpenContainer>,
}

/// An open container.
struct OpenContainer {
    start: u64,
    /// Whether a member with the name was found.
    is_tested: bool,
    /// The number of the match, if it is selected.
    number: Option<usize>,
}

impl<'p> ObjectsWithMember<'p> {
    pub(super) fn new(member: &'p MemberTest) -> Self {
        Self { member, open: Vec::new() }
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
        let mut offset = root;
        'members: loop {
            tiles.reach(offset)?;
            let (mut lane, mut mask) = tiles.lane_of(offset);
            loop {
                let (open, close) = (tiles.masks.open(lane) & mask, tiles.masks.close(lane) & mask);
                let names = tiles.candidates(lane, mask, &self.member.name);
                let mut marks = open | close | names;
                while marks != 0 {
                    let mark = marks & marks.wrapping_neg();
                    marks ^= mark;
                    let here = tiles.offset_of(lane, mark.trailing_zeros());
                    if open & mark != 0 {
                        let container = OpenContainer { start: here, is_tested: false, number: None };
                        self.open.grow(container, OutOfMemory::Levels)?;
                    } else if close & mark != 0 {
                        let number = self.open.pop().and_then(|container| container.number);
                        if let Some(number) = number {
                            tiles.report.end(number, here + 1);
                        }
                        if self.open.is_empty() {
                            return Ok(Outcome::RootEnded(here + 1));
                        }
                    } else if tiles.has_name(here, &self.member.name) {
                        offset = match tiles.value_of(here)? {
                            Ok(value) => self.test(tiles, value)?,
                            // The string is a value, not a key.
                            Err(next) => next,
                        };
                        continue 'members;
                    }
                }
                (lane, mask) = (lane + 1, !0);
                if lane.is_multiple_of(K::Word::LANES) {
                    loop {
                        if lane == tiles.lanes {
                            tiles.next_tile()?;
                            lane = 0;
                        }
                        if tiles.masks.has_brackets::<K>(lane) || tiles.has_candidates(lane, &self.member.name) {
                            break;
                        }
                        lane += K::Word::LANES;
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
        let [.., parent, container] = &mut self.open[..] else { return Ok(value) };
        // mutant: if false {
        if std::mem::replace(&mut container.is_tested, true) {
            return Ok(value);
        }
        let (after, is_equal) = match &self.member.text {
            Some(text) => tiles.after_text(value, text)?,
            None => (value, true),
        };
        if !is_equal {
            return Ok(after);
        }
        tiles.report.add(1);
        if tiles.report.lists() {
            container.number = Some(tiles.report.begin(container.start, parent.start)?);
        }
        Ok(after)
    }
}

impl<K: Kernel, P: TileSource<K> + ?Sized> Tiles<'_, K, P> {
    /// Whether the value at `offset` is a string that equals `text`. Also returns the offset after the string, or that of any other
    /// value.
    #[inline(always)]
    pub(super) fn after_text(&mut self, offset: u64, text: &SearchString) -> Result<(u64, bool), Stop> {
        if self.byte(offset) != b'"' {
            return Ok((offset, false));
        }
        let end = self.closing_quote(offset + 1)?;
        // A longer string cannot equal it, and the look-behind buffer may not hold all of it.
        let is_short = end - offset <= text.most_raw() as u64 + 1;
        Ok((end + 1, is_short && text.is(self.look_behind.between(offset + 1, end))))
    }
}
