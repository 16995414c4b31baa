//! One walk over the documents of an input: windows, tiles, and what is to be done when a tile is bad.
//!
//! The grammar only tells *that* a tile is bad, and of brackets it tells late. So once per window the walk stops behind a
//! comma, compares all brackets so far and moves its *origin* there: from the origin the precise reader can find the
//! first fault without what came before, and everything before is proven and may leave. One window of text is all that is
//! kept, and pipes and files take the same way. When a document is bad, what the consumer held back is made anew from the
//! origin up to the fault, so that the output is the same wherever tiles and windows ended.

#![forbid(unsafe_code)]

mod checkpoint;
mod end_finder;
mod known_position;
mod value;

#[cfg(test)]
mod tests;

use std::ops::ControlFlow;

use crate::error::Error;
use crate::error::Fault;
use crate::framing::Frame;
use crate::framing::between;
use crate::framing::distance;
use crate::grammar::Checker;
use crate::grammar::MAX_TILE_BYTES;
use crate::grammar::Nesting;
use crate::grammar::Tile;
use crate::input;
use crate::input::Input;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::options::Options;
use crate::options::Summary;

pub(crate) use checkpoint::Checkpoint;
pub(crate) use end_finder::EndFinder;
pub(crate) use known_position::KnownPosition;
pub(crate) use known_position::explained;
pub(crate) use value::Values;

/// What a verb does with tiles.
pub(crate) trait Consumer {
    /// Whether the tiles need their layout.
    const LAYOUT: bool;

    /// Whether anything is made of the tiles.
    const OUTPUT: bool;

    /// Whether this consumer makes anything of the tiles.
    #[inline(always)]
    fn has_output(&self) -> bool {
        Self::OUTPUT
    }

    /// A document begins at `offset`. Between it and the last one stands nothing, or `skipped` and perhaps more.
    fn begin(&mut self, offset: u64, skipped: Option<u8>) -> Result<(), Error>;

    /// Takes a tile without a fault, but for brackets that may not match. Its bytes are whole superblocks; the first
    /// `length` bytes belong to the document and the others are whitespace.
    fn take<K: Kernel>(&mut self, kernel: K, tile: &Tile<K>, bytes: &[u8], length: usize);

    /// How many bytes are held back.
    fn held(&self) -> usize;

    /// What was taken is proven: has it a fault by the consumer's own rules? `text` is what was taken since the last
    /// release, some of which may have been shown before, and `end` is where it ends. Tells whether all of it is judged, so
    /// that it may be let go; behind a comma and at the end it must be. After a fault there are no more questions before the
    /// next document.
    #[inline(always)]
    fn approve(&mut self, _text: &[u8], _end: End) -> Result<bool, Fault> {
        Ok(true)
    }

    /// All that was taken is proven, and approved: lets it go. `text` is what was taken since the last release.
    fn release(&mut self, text: &[u8]) -> Result<(), Error>;

    /// Forgets what was taken since the last release.
    fn discard(&mut self);

    /// The walk is about to wait for input: passes on what has been let go.
    fn wait(&mut self) -> Result<(), Error>;

    /// A good document ends, and all of it has been released.
    fn end(&mut self) -> Result<(), Error>;
}

/// Where a walk may go on: behind a comma of a container, and whether that is an object.
#[derive(Clone, Copy)]
pub(crate) struct AfterComma {
    pub(crate) offset: u64,
    pub(crate) object: bool,
}

/// Somebody who can take the walk over a document further ahead than it would come by itself.
pub(crate) trait LookAhead<C> {
    /// Called at a comma from which the walk could go on, all before it proven and released; `nesting` is settled there.
    /// Returns where it may go on instead, with `nesting` settled and the consumer having taken and released what lies
    /// between. Nothing if it is to go on from here.
    fn advance(
        &mut self,
        input: &Input<'_>,
        from: AfterComma,
        nesting: &mut Nesting,
        consumer: &mut C,
    ) -> Result<Option<AfterComma>, Error>;

    /// Called between two records. Passes over whole ones that are in memory, all of them good, and has the consumer take and
    /// release what is made of them; nothing if there are none.
    fn pass_records(&mut self, _: &Input<'_>, _from: u64, _: &mut C) -> Result<Option<Progress>, Error> {
        Ok(None)
    }
}

/// Records that somebody has passed over.
#[derive(Clone, Copy)]
pub(crate) struct Progress {
    /// Where the next one may begin.
    pub(crate) end: u64,
    pub(crate) records: u64,
}

/// The walk that takes every step itself.
impl<C> LookAhead<C> for () {
    fn advance(
        &mut self,
        _: &Input<'_>,
        _: AfterComma,
        _: &mut Nesting,
        _: &mut C,
    ) -> Result<Option<AfterComma>, Error> {
        Ok(None)
    }
}

/// Where a text ends that a consumer is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the end of the document.
    Document,
    /// In a name, or between a name and its colon; more will follow.
    Name,
    /// Behind a comma, in the middle of anything else, or in front of a fault.
    Anywhere,
}

/// Bytes a consumer may hold back before the precise reader is made to prove them.
const HELD: usize = 1 << 22;

/// Windows between two places from which the walk could go on, if nothing is made of the tiles, all of the text stays in memory and
/// there is one thread: each costs as much as two or three tiles, and only whoever explains a fault reads on from the last one.
pub(crate) const FAR: u64 = 8;

/// Bytes between two looks for a comma if there was none in the first place.
pub(crate) const RETRY: u64 = 32 * 1024;

/// Walks over the documents of `input`. Errors in documents go to `on_error`, which tells whether to go on with the next
/// document, where the framing tells where that is.
pub(crate) fn scan<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    scan_with(input, options, consumer, &mut (), on_error)
}

/// Walks over the documents of `input` as [`scan`] does, with somebody who goes ahead.
pub(crate) fn scan_with<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    ahead: &mut dyn LookAhead<C>,
    on_error: &mut dyn FnMut(Error) -> ControlFlow<()>,
) -> Result<Summary, Error> {
    let result = options.isa.run(Scan { input, options, consumer, ahead, on_error });
    input.outcome(result)
}

/// Walks over the documents of `input` up to the first error in one of them.
pub(crate) fn first_error<C: Consumer>(
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
) -> Result<Summary, Error> {
    stop_at_first(|on_error| scan(input, options, consumer, on_error))
}

/// Has a walk end with the first error in a document.
pub(crate) fn stop_at_first(
    scan: impl FnOnce(&mut dyn FnMut(Error) -> ControlFlow<()>) -> Result<Summary, Error>,
) -> Result<Summary, Error> {
    let mut first = None;
    let summary = scan(&mut |error| {
        first = Some(error);
        ControlFlow::Break(())
    })?;
    first.map_or(Ok(summary), Err)
}

struct Scan<'w, 'i, C> {
    input: &'w mut Input<'i>,
    options: &'w Options,
    consumer: &'w mut C,
    ahead: &'w mut dyn LookAhead<C>,
    on_error: &'w mut dyn FnMut(Error) -> ControlFlow<()>,
}

impl<C: Consumer> Pass for Scan<'_, '_, C> {
    type Output = Result<Summary, Error>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Self::Output {
        let Self { input, options, consumer, ahead, on_error } = self;
        let mut checker = Checker::new(kernel, options.max_depth, C::LAYOUT);
        // A tile that is not whole is copied here; shared by all documents, of which there may be many short ones.
        let mut scratch = [b' '; MAX_TILE_BYTES];
        let mut frame = Frame::new(options.framing);
        let mut summary = Summary::default();
        let mut known_position = KnownPosition::START;
        let mut end = None;
        loop {
            if !frame.find(input, &mut || consumer.wait())? {
                break;
            }
            if frame.may_pass()
                && let Some(Progress { end, records }) = ahead.pass_records(input, frame.start(), consumer)?
            {
                frame.pass_over(end, records);
                summary.documents += records;
                continue;
            }
            frame.begin();
            summary.documents += 1;
            consumer.begin(frame.start(), frame.skipped())?;
            match document(&mut checker, &mut scratch, &mut frame, input, options, consumer, ahead)? {
                Ok(end) => {
                    frame.end_at(end);
                    consumer.end()?;
                }
                Err(fault) => {
                    summary.invalid += 1;
                    let flow = on_error(explained(fault, &mut frame, &mut known_position, input, options.window)?);
                    if flow.is_break() || !frame.skip_rest(input)? {
                        input.check_rest()?;
                        end = Some(fault.offset);
                        break;
                    }
                }
            }
        }
        summary.bytes = end.unwrap_or_else(|| input.base() + input.bytes().len() as u64);
        input.check_unchanged()?;
        Ok(summary)
    }
}

/// What the engine is given next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// A whole tile.
    Tile,
    /// A whole tile, only to see where its last comma is.
    Peek,
    /// So many bytes, the last one a comma.
    Cut(usize),
    /// The rest of the document.
    Last,
}

/// Checks one document and has the consumer take it. Returns where it ends, or its first fault.
#[expect(clippy::too_many_lines, reason = "one machine around one call of the engine")]
#[inline(always)]
fn document<K: Kernel, C: Consumer>(
    checker: &mut Checker<K>,
    scratch: &mut [u8; MAX_TILE_BYTES],
    frame: &mut Frame,
    input: &mut Input<'_>,
    options: &Options,
    consumer: &mut C,
    ahead: &mut dyn LookAhead<C>,
) -> Result<Result<u64, Fault>, Error> {
    // Where nobody asks for them, there need not be so many places from which the walk could go on.
    let has_output = consumer.has_output();
    let is_alone = !has_output && input.at_end() && options.threads == 1;
    let window = (options.window as u64).saturating_mul(if is_alone { FAR } else { 1 });
    let mut position = frame.start();
    checker.start_document();
    let kernel = checker.kernel();
    let mut end_finder = EndFinder::new(frame, input);
    let mut checkpoint = Checkpoint::document(position, options.max_depth);
    // What lies before has been let go: in front of the origin, or where it is.
    let mut released = position;
    // Nothing at the start of a document: short records would pay for the copy.
    let mut carries_at_release = None;
    let mut carries_before_peek = None;
    let mut look = position.saturating_add(window);
    let mut step = Step::Tile;
    // Once a fault is known, the text ends in front of it, and all that is left is to have that much taken; unless the
    // consumer, as long as it is asked, knows of one before it.
    let mut fault = frame.fault();
    let mut asking = true;
    let (mut text, mut ended) = text_of(kernel, frame, &mut end_finder, input, position, fault);
    loop {
        let (tile, length) = match step {
            Step::Cut(length) => (padded::<K>(scratch, &text[..length], 0), length),
            Step::Tile | Step::Peek if text.len() >= Checker::<K>::TILE => {
                (&text[..Checker::<K>::TILE], Checker::<K>::TILE)
            }
            _ if ended => {
                step = Step::Last;
                (padded::<K>(scratch, text, 1), text.len())
            }
            _ => {
                consumer.wait()?;
                input.read_more(frame.keep(released, options.window as u64))?;
                (text, ended) = text_of(kernel, frame, &mut end_finder, input, position, fault);
                continue;
            }
        };
        if step == Step::Peek {
            carries_before_peek = Some(checker.carries());
        }
        let good = checker.check(tile, C::LAYOUT, step == Step::Peek || fault.is_some());
        if step == Step::Peek {
            checker.restore(carries_before_peek);
        } else {
            input::look();
            if has_output && (good || fault.is_some()) {
                consumer.take(checker.kernel(), checker.masks(), tile, length);
            }
            position += length as u64;
            text = &text[length..];
            if step == Step::Tile && good && position < look && !(has_output && consumer.held() > HELD) {
                continue;
            }
        }
        if fault.is_some() && step != Step::Last {
            continue;
        }

        let mut prove = consumer.held() > HELD;
        let mut settled = None;
        let verdict = match step {
            Step::Tile => good,
            Step::Peek => {
                look = position + RETRY;
                step = Step::Tile;
                if let Some(comma) = checker.masks().last_comma() {
                    step = Step::Cut(comma + 1);
                    continue;
                }
                // A text that stays in memory need not be proven before it ends.
                let may_wait = !has_output && input.at_end();
                prove |= !may_wait && distance(checkpoint.offset, position) / 2 >= options.window;
                true
            }
            Step::Cut(_) => {
                settled = if good { checker.settle() } else { None };
                settled.is_some()
            }
            Step::Last => fault.is_some() || good && checker.finish(),
        };
        let mut end = End::Anywhere;
        let found = if fault.is_some() {
            None
        } else if !verdict {
            Some(checkpoint.fault(between(input, checkpoint.offset, position), step == Step::Last, checker.nesting()))
        } else if step == Step::Last {
            frame.fault_at_end(input, position)
        } else if let Some(object) = settled {
            checkpoint.move_behind_comma(position, checker.nesting(), object)?;
            checker.start_after_comma(object);
            None
        } else if prove {
            let read = checkpoint.move_by_reading(between(input, checkpoint.offset, position));
            end = read.unwrap_or(end);
            read.err()
        } else {
            if position >= look {
                step = Step::Peek;
            }
            continue;
        };
        let verdict = fault.map_or(Ok(position), |fault| frame.end_in_front_of(fault, input));
        let judged = match found {
            Some(found) => Err(found),
            None if asking => {
                if step == Step::Last && verdict.is_ok() {
                    end = End::Document;
                }
                consumer.approve(between(input, released, position), end).inspect_err(|_| asking = false)
            }
            None => Ok(true),
        };
        match judged {
            Err(found) if !has_output || found.is_trouble() => return Ok(frame.end_in_front_of(found, input)),
            Err(found) => {
                consumer.discard();
                checker.restore(carries_at_release);
                position = released;
                look = u64::MAX;
                fault = Some(found);
            }
            // What stands in front of a fault may break off anywhere.
            Ok(all) if all || step == Step::Last => {
                consumer.release(between(input, released, position))?;
                if step == Step::Last {
                    return Ok(verdict);
                }
                if let Some(object) = settled
                    && frame.is_alone()
                    && let Some(there) =
                        ahead.advance(input, AfterComma { offset: position, object }, checker.nesting(), consumer)?
                {
                    position = there.offset;
                    checkpoint.move_behind_comma(position, checker.nesting(), there.object)?;
                    checker.start_after_comma(there.object);
                }
                released = position;
                input.release(position);
                carries_at_release = Some(checker.carries());
                look = position.saturating_add(window);
            }
            Ok(_) => look = position.saturating_add(window),
        }
        step = Step::Tile;
        (text, ended) = text_of(kernel, frame, &mut end_finder, input, position, fault);
    }
}

/// What is in memory of the document from `position` on, up to its fault or its end if that is known, and whether that is all.
#[inline]
fn text_of<'t, K: Kernel>(
    kernel: K,
    frame: &mut Frame,
    end_finder: &mut EndFinder,
    input: &'t Input<'_>,
    position: u64,
    fault: Option<Fault>,
) -> (&'t [u8], bool) {
    let (text, ended) = frame.text(input, position);
    match fault.map_or_else(|| end_finder.end(kernel, input), |fault| Some(fault.offset)) {
        Some(end) => (&text[..distance(position, end)], true),
        None => (text, ended),
    }
}

/// The bytes of a document, followed by at least `more` of whitespace up to the end of a superblock.
#[inline(always)]
pub(crate) fn padded<'s, K: Kernel>(scratch: &'s mut [u8; MAX_TILE_BYTES], text: &[u8], more: usize) -> &'s [u8] {
    let end = (text.len() + more).next_multiple_of(K::SUPERBLOCK);
    scratch[..text.len()].copy_from_slice(text);
    scratch[text.len()..end].fill(b' ');
    &scratch[..end]
}
