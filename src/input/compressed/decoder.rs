//! Compressed pieces in, expanded bytes out: the members of a gzip file, the frames of a zstd file.
//!
//! The codecs are crates; what is ours is what they leave open: that one member may follow another, what may stand
//! behind the last one, and in which words a person hears that a file is damaged and where.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::compressed::format::Format;

use zlib_rs::Inflate;
use zlib_rs::InflateFlush;
use zlib_rs::Status;
use zstd::stream::raw::Operation;

use std::mem;

/// The largest window of deflate, in bits; 16 more ask for the header and the checksum of gzip.
const WINDOW_BITS: u8 = 15 + 16;

/// More than a block of zstd ever has, with the header of the next one.
const LONGEST_BLOCK: usize = 256 << 10;

pub(super) struct Decoder {
    format: Format,
    state: State,
    /// Offset in the compressed data, and that of the member or frame.
    place: u64,
    member: u64,
    /// Bytes expanded.
    expanded: u64,
    /// What is to be said when the bytes before it are gone.
    damage: Option<Error>,
}

enum State {
    /// In front of a member or frame, or at the end.
    Between,
    Gzip(Box<Inflate>),
    Zstd(Frame),
    /// Behind the last member, in zeros.
    Padding,
}

/// A frame of zstd.
struct Frame {
    codec: zstd::stream::raw::Decoder<'static>,
    /// How many bytes it wants next: a block and the header of the next one.
    wants: usize,
    /// What is there of them, if they do not come at once.
    held: Vec<u8>,
    /// Whether there was no room for all it has made.
    is_full: bool,
}

/// What a codec did.
struct Step {
    taken: usize,
    made: usize,
    /// Whether a member is complete, or what is wrong with it.
    complete: Result<bool, String>,
}

impl Decoder {
    pub(super) fn new(format: Format) -> Self {
        Self { format, state: State::Between, place: 0, member: 0, expanded: 0, damage: None }
    }

    /// Expands `compressed` into `room` until one of them is used up, and tells how much of each was. Of damaged data,
    /// all that stands before the damage is expanded first.
    pub(super) fn expand(&mut self, compressed: &[u8], room: &mut [u8]) -> Result<(usize, usize), Error> {
        let (mut taken, mut made) = (0, 0);
        while self.damage.is_none() {
            let (left, space) = (&compressed[taken..], &mut room[made..]);
            let step = match &mut self.state {
                State::Between if left.is_empty() => break,
                State::Between => {
                    self.begin(left[0])?;
                    continue;
                }
                State::Padding => {
                    let zeros = left.iter().take_while(|&&byte| byte == 0).count();
                    self.place += zeros as u64;
                    self.damage = (zeros < left.len()).then(|| self.surplus());
                    taken = compressed.len();
                    break;
                }
                State::Gzip(codec) => inflate(codec, left, space),
                State::Zstd(frame) => decompress(frame, left, space),
            };
            taken += step.taken;
            made += step.made;
            self.place += step.taken as u64;
            self.expanded += step.made as u64;
            match step.complete {
                Ok(true) => self.state = State::Between,
                Ok(false) if made == room.len() || taken == compressed.len() && step.made == 0 => break,
                Ok(false) if step.taken + step.made == 0 => self.damage = Some(self.broken("no end of it")),
                Ok(false) => {}
                Err(cause) => self.damage = Some(self.broken(&cause)),
            }
        }
        match self.damage.take() {
            Some(damage) if made == 0 => Err(damage),
            damage => {
                self.damage = damage;
                Ok((taken, made))
            }
        }
    }

    /// The compressed data ends here.
    pub(super) fn finish(&self) -> Result<(), Error> {
        match self.state {
            State::Between | State::Padding => Ok(()),
            State::Gzip(_) | State::Zstd(_) => Err(Error::compression(
                self.expanded,
                format!("the {} data ends at byte {}, before it is complete", self.format, self.place),
                "it was cut short: fetch or copy it again",
            )),
        }
    }

    /// Begins what `byte` is the first of.
    fn begin(&mut self, byte: u8) -> Result<(), Error> {
        self.member = self.place;
        match self.format {
            format if !format.may_begin_with(byte) => {
                let is_padding = byte == 0 && format.may_be_padded();
                if is_padding {
                    self.state = State::Padding;
                } else {
                    self.damage = Some(self.surplus());
                }
            }
            Format::Gzip => self.state = State::Gzip(Box::new(Inflate::new(true, WINDOW_BITS))),
            Format::Zstd => {
                let codec = zstd::stream::raw::Decoder::new().map_err(|error| Error::read(error, self.expanded))?;
                self.state = State::Zstd(Frame { codec, wants: 1, held: Vec::new(), is_full: false });
            }
        }
        Ok(())
    }

    fn surplus(&self) -> Error {
        Error::compression(
            self.expanded,
            format!("something else follows the {} data at byte {}", self.format, self.place),
            "remove it, or join only files that are compressed",
        )
    }

    fn broken(&self, cause: &str) -> Error {
        let Self { format, place, member, .. } = self;
        let place = match self.format {
            Format::Gzip => format!("at byte {place}"),
            // A block is decoded as a whole, so that is all that is known.
            Format::Zstd => format!("in the frame that begins at byte {member}"),
        };
        Error::compression(
            self.expanded,
            format!("the {format} data is damaged {place}: {cause}"),
            "fetch or copy it again",
        )
    }
}

fn inflate(codec: &mut Inflate, compressed: &[u8], room: &mut [u8]) -> Step {
    let (taken, made) = (codec.total_in(), codec.total_out());
    let result = codec.decompress(compressed, room, InflateFlush::NoFlush);
    let length = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    Step {
        taken: length(codec.total_in() - taken),
        made: length(codec.total_out() - made),
        complete: match result {
            Ok(status) => Ok(status == Status::StreamEnd),
            Err(_) => Err(cause(codec.error_message().unwrap_or_default()).to_owned()),
        },
    }
}

/// What is wrong with gzip data, so that it does not depend on how much of it was there when the codec stopped.
fn cause(message: &str) -> &str {
    match message {
        "incorrect data check" => "the checksum does not match",
        "incorrect length check" => "the length does not match",
        "incorrect header check"
        | "unknown compression method"
        | "unknown header flags set"
        | "header crc mismatch" => message,
        _ => "no valid code",
    }
}

/// Gives the codec what it wants, no more and no less. Of the blocks in a call that fails it keeps the output, and of a
/// block in pieces it delivers what it has: then what stands before the damage would depend on the pieces.
fn decompress(frame: &mut Frame, compressed: &[u8], room: &mut [u8]) -> Step {
    let mut taken = 0;
    loop {
        let rest = &compressed[taken..];
        // What is skipped makes nothing and never fails, but there may be gigabytes of it.
        let is_whole = frame.held.is_empty() && (rest.len() >= frame.wants || frame.wants > LONGEST_BLOCK);
        let step = if frame.is_full {
            frame.run(&[], room)
        } else if is_whole {
            let step = frame.run(&rest[..frame.wants.min(rest.len())], room);
            taken += step.taken;
            step
        } else {
            let fresh = frame.wants.saturating_sub(frame.held.len()).min(rest.len());
            frame.held.extend_from_slice(&rest[..fresh]);
            taken += fresh;
            if frame.held.len() < frame.wants {
                return Step { taken, made: 0, complete: Ok(false) };
            }
            let mut held = mem::take(&mut frame.held);
            let step = frame.run(&held, room);
            held.drain(..step.taken);
            frame.held = held;
            step
        };
        if step.made > 0 || step.complete != Ok(false) || taken == compressed.len() && frame.held.is_empty() {
            return Step { taken, ..step };
        }
    }
}

impl Frame {
    fn run(&mut self, compressed: &[u8], room: &mut [u8]) -> Step {
        match self.codec.run_on_buffers(compressed, room) {
            Ok(status) => {
                self.wants = status.remaining.max(1);
                self.is_full = status.bytes_written == room.len();
                Step { taken: status.bytes_read, made: status.bytes_written, complete: Ok(status.remaining == 0) }
            }
            Err(error) => Step { taken: 0, made: 0, complete: Err(error.to_string().to_lowercase()) },
        }
    }
}
