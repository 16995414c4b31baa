//! What is done ahead of the source: other threads validate text, or the elements of an array are searched in batches.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::grammar::Checker;
use crate::grammar::Tile;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::parallel::Check;
use crate::parallel::Reached;
use crate::parallel::ValidatedAhead;
use crate::profile::Profile;
use crate::query::stream::document_tiles::DocumentTiles;
use crate::query::stream::elements::ElementSearch;
use crate::query::stream::report::MatchReport;
use crate::scan::AfterComma;
use crate::scan::LookAhead;
use crate::scan::ScanStep;
use crate::scan::comma_to_cut_at;

/// A look-ahead that validates text.
pub(in crate::query::stream) trait ValidationAhead:
    for<'p> LookAhead<Profile<'p, Check>>
{
    /// Returns the input. Its memory can be released, unlike that of the view which the source reads.
    fn input(&self) -> &Input<'_>;
}

impl ValidationAhead for ValidatedAhead<'_, '_> {
    fn input(&self) -> &Input<'_> {
        ValidatedAhead::input(self)
    }
}

/// The search of elements in batches, and where it begins.
#[derive(Default)]
pub(super) struct ElementsAhead<'w> {
    /// `None` if there is nothing to search for in elements.
    search: Option<ElementSearch<'w>>,
    /// Whether the executor is inside the array whose elements may be searched.
    is_inside: bool,
    /// A comma that may be one of the array, while the executor is still before it.
    after: Option<AfterComma>,
    /// The offset after the next comma of the array, if it is known.
    next_cut: Option<u64>,
}

impl ElementsAhead<'_> {
    /// Begins a document.
    pub(super) fn begin(&mut self) {
        (self.is_inside, self.after, self.next_cut) = (false, None, None);
    }

    pub(super) fn visit(&mut self, is_inside: bool) {
        self.is_inside = is_inside;
    }

    /// Waits at a comma until the executor has reached it, if it may be one of the array. Returns whether this is so.
    pub(super) fn wait_at(&mut self, comma: AfterComma) -> bool {
        let waits = self.is_inside && self.search.as_ref().is_some_and(|search| !search.is_over());
        self.after = waits.then_some(comma);
        waits
    }

    pub(super) fn waits(&self) -> bool {
        self.after.is_some()
    }

    /// Returns the comma at which the search was to wait. The executor has reached it.
    pub(super) fn take_comma(&mut self) -> Option<AfterComma> {
        // mutant: self.after.take()
        self.after.take().filter(|_| self.is_inside)
    }

    /// Returns the index of the comma to cut at in a tile that begins at `position`.
    pub(super) fn comma<K: Kernel>(&mut self, position: u64, tile: &Tile<K>) -> Option<usize> {
        comma_to_cut_at(tile, position, self.next_cut.take())
    }
}

impl<'w, K: Kernel> DocumentTiles<'w, '_, K> {
    /// Lets other threads validate the first document.
    pub(in crate::query::stream) fn validated_by(&mut self, ahead: &'w mut dyn ValidationAhead) {
        self.validated_ahead = Some(ahead);
    }

    /// Searches elements of the first document in batches.
    pub(in crate::query::stream) fn searched_by(&mut self, search: Option<ElementSearch<'w>>) {
        self.elements.search = search;
    }

    /// Has other threads validate the text up to another comma. Returns whether they have.
    #[cold]
    #[inline(never)]
    pub(super) fn validate_ahead(&mut self, report: &mut MatchReport<'_>) -> Result<bool, Error> {
        let Some(ahead) = &mut self.validated_ahead else { return Ok(false) };
        let mut check = Check;
        let mut profile = Profile::new(self.options, &mut check);
        let Some(valid) = ahead.advance(self.input, self.valid, self.checker.nesting(), &mut profile)? else {
            return Ok(false);
        };
        self.valid = valid;
        // mutant:
        self.checkpoint.continue_after(valid, &mut self.checker)?;
        report.advance(self.input, self.position)?;
        Ok(true)
    }

    /// Searches elements after a comma in batches. Returns the number of bytes that were searched.
    #[cold]
    #[inline(never)]
    pub(super) fn search_elements_after(
        &mut self,
        comma: AfterComma,
        report: &mut MatchReport<'_>,
    ) -> Result<u64, Error> {
        let input = self.validated_ahead.as_ref().map_or(&*self.input, |ahead| ahead.input());
        let Some(search) = self.elements.search.as_mut().filter(|_| input.at_end()) else { return Ok(0) };
        // mutant:
        report.advance(input, comma.offset)?;
        match search.read(input, comma, self.checker.nesting(), report)? {
            Reached::Nothing { next_cut } => {
                self.elements.next_cut = Some(next_cut);
                // The tile that is peeked at must contain the comma.
                self.next_peek = next_cut.saturating_sub(Checker::<K>::TILE as u64);
                if self.position >= self.next_peek {
                    self.step = ScanStep::Peek;
                }
                Ok(0)
            }
            Reached::Comma(reached) => {
                self.position = reached.offset;
                self.valid = reached;
                self.checkpoint.continue_after(reached, &mut self.checker)?;
                self.continue_checking();
                Ok(reached.offset - comma.offset)
            }
        }
    }
}
