//! Incremental decoder for the members of a gzip file, the frames of a zstd file, or the streams of a bzip2 or xz file.
//!
//! External crates provide the codecs. This module adds what they do not handle: sequences of members, data after the last
//! member, and error messages that say what is damaged and where.

#![forbid(unsafe_code)]

use crate::error::Error;
use crate::input::compressed::bzip2_stream::Bzip2Stream;
use crate::input::compressed::format::Format;
use crate::input::compressed::format::SKIPPABLE;
use crate::input::compressed::format::is_skippable;
use crate::input::compressed::progress::CodecProgress;
use crate::input::compressed::progress::since;

use flate2::Decompress;
use flate2::FlushDecompress;
use flate2::Status;
use zstd::stream::raw::Operation;

use std::mem;

/// The largest window of deflate, in bits.
const WINDOW_BITS: u8 = 15;

/// Number of bytes that the decoder of xz may use: enough for `xz -9`, which needs 65 MiB, and as much as a zstd window may have.
const XZ_MEMORY: u64 = 128 << 20;

/// Size in bytes of a block of output of xz.
const XZ_BLOCK: usize = 64 << 10;

/// Number of bytes of the header of a skippable frame of zstd: a magic number, and the number of bytes that follow.
const SKIPPABLE_HEADER: usize = 8;

pub(super) struct Decoder {
    format: Format,
    state: State,
    /// Current offset in the compressed data.
    place: u64,
    /// Offset in the compressed data of the current member, frame or stream.
    member: u64,
    /// Number of bytes decompressed so far.
    expanded: u64,
    /// Whether the last stream of bzip2 was short.
    follows_short: bool,
    /// Error to return after the bytes before it have been delivered.
    damage: Option<Error>,
}

enum State {
    /// Before a member, frame or stream, or at the end.
    Between,
    Gzip(Decompress),
    Zstd(Frame),
    /// In a skippable frame of zstd.
    Skippable(SkippableFrame),
    Bzip2(Bzip2Stream),
    Xz(XzStream),
    /// After the last member, in padding zeros.
    Padding,
}

/// A frame of zstd.
struct Frame {
    codec: zstd::stream::raw::Decoder<'static>,
    /// Number of bytes the codec requests next: a block and the header of the next one.
    requested: usize,
    /// The bytes of that request received so far, if they did not arrive at once.
    partial: Vec<u8>,
    /// Whether the last call filled the output, so that the codec may have more.
    is_full: bool,
}

/// A skippable frame of zstd, which has no content. The codec takes an empty one for a frame that is not complete.
#[derive(Default)]
struct SkippableFrame {
    header: [u8; SKIPPABLE_HEADER],
    /// Number of bytes of the header that have been read.
    filled: usize,
    /// Number of bytes of the frame that follow, once the header has been read.
    left: u32,
}

/// A stream of xz.
struct XzStream {
    codec: liblzma::stream::Stream,
    /// The last block of output. How much the codec delivers before it finds damage depends on the room it is given. So it always
    /// gets the rest of a block, however much the caller asks for.
    block: Vec<u8>,
    /// Numbers of bytes of the block that the codec has written, and that the caller has taken.
    filled: usize,
    taken: usize,
    /// The result of the codec after it has ended.
    end: Option<Result<bool, String>>,
}

impl Decoder {
    pub(super) fn new(format: Format) -> Self {
        Self { format, state: State::Between, place: 0, member: 0, expanded: 0, follows_short: false, damage: None }
    }

    /// Decompresses `compressed` into `output` until one of them is used up. Returns the numbers of bytes read and written. If the
    /// data is damaged, returns everything before the damage first.
    pub(super) fn expand(&mut self, compressed: &[u8], output: &mut [u8]) -> Result<(usize, usize), Error> {
        let (mut consumed, mut produced) = (0, 0);
        while self.damage.is_none() {
            let (left, space) = (&compressed[consumed..], &mut output[produced..]);
            let progress = match &mut self.state {
                // The next frame needs room, or its codec could not tell a full output from no progress.
                State::Between if left.is_empty() || space.is_empty() && produced > 0 => break,
                State::Between => {
                    self.begin(left[0])?;
                    continue;
                }
                State::Padding => {
                    let zeros = left.iter().take_while(|&&byte| byte == 0).count();
                    self.place += zeros as u64;
                    if zeros < left.len() && self.has_odd_padding() {
                        self.damage = Some(self.odd_padding());
                        break;
                    }
                    if self.format == Format::Xz
                        && left.get(zeros).is_some_and(|&byte| self.format.may_begin_with(byte))
                    {
                        // Only xz has padding between streams.
                        consumed += zeros;
                        self.state = State::Between;
                        continue;
                    }
                    // mutant: self.damage = None;
                    self.damage = (zeros < left.len()).then(|| self.trailing_data());
                    consumed = compressed.len();
                    break;
                }
                State::Gzip(codec) => inflate(codec, left, space),
                State::Zstd(frame) => decompress(frame, left, space),
                State::Skippable(frame) => skip(frame, left),
                State::Bzip2(stream) => stream.decompress(left, space),
                State::Xz(codec) => unxz(codec, left, space),
            };
            consumed += progress.consumed;
            produced += progress.produced;
            self.place += progress.consumed as u64;
            self.expanded += progress.produced as u64;
            match progress.complete {
                Ok(true) => {
                    self.follows_short = Bzip2Stream::is_short(self.place - self.member);
                    self.state = State::Between;
                }
                Ok(false) if produced == output.len() || consumed == compressed.len() && progress.produced == 0 => {
                    break;
                }
                Ok(false) if progress.consumed + progress.produced == 0 => {
                    self.damage = Some(self.damaged("no end of it"));
                }
                Ok(false) => {}
                Err(cause) => self.damage = Some(self.damaged(&cause)),
            }
        }
        match self.damage.take() {
            // mutant: Some(damage) => Err(damage),
            Some(damage) if produced == 0 => Err(damage),
            damage => {
                self.damage = damage;
                Ok((consumed, produced))
            }
        }
    }

    /// Checks that the compressed data is complete. Must be called at its end.
    pub(super) fn finish(&self) -> Result<(), Error> {
        match self.state {
            State::Padding if self.has_odd_padding() => Err(self.odd_padding()),
            State::Between | State::Padding => Ok(()),
            _ => Err(Error::compression(
                self.expanded,
                format!("the {} data ends at byte {}, before it is complete", self.format, self.place),
                "it was cut short: fetch or copy it again",
            )),
        }
    }

    /// Begins a member, a frame, a stream or padding with the first byte `byte`.
    fn begin(&mut self, byte: u8) -> Result<(), Error> {
        self.member = self.place;
        match self.format {
            // mutant: format if false => {
            format if !format.may_begin_with(byte) => {
                let is_padding = byte == 0 && format.may_be_padded();
                if is_padding {
                    self.state = State::Padding;
                } else {
                    self.damage = Some(self.trailing_data());
                }
            }
            Format::Gzip => self.state = State::Gzip(Decompress::new_gzip(WINDOW_BITS)),
            Format::Zstd if is_skippable(byte) => self.state = State::Skippable(SkippableFrame::default()),
            Format::Zstd => {
                let codec = zstd::stream::raw::Decoder::new().map_err(|error| Error::read(error, self.expanded))?;
                self.state = State::Zstd(Frame { codec, requested: 1, partial: Vec::new(), is_full: false });
            }
            Format::Bzip2 => self.state = State::Bzip2(Bzip2Stream::new(self.follows_short)),
            Format::Xz => {
                let codec = liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, 0);
                let codec = codec.map_err(|error| Error::read(error.into(), self.expanded))?;
                self.state = State::Xz(XzStream { codec, block: vec![0; XZ_BLOCK], filled: 0, taken: 0, end: None });
            }
        }
        Ok(())
    }

    /// Whether the padding so far must not end here: that of xz is a multiple of four bytes.
    fn has_odd_padding(&self) -> bool {
        self.format == Format::Xz && !(self.place - self.member).is_multiple_of(4)
    }

    fn odd_padding(&self) -> Error {
        let Self { format, member, .. } = self;
        let message = format!("the padding of the {format} data at byte {member} is not a multiple of four bytes");
        Error::compression(self.expanded, message, "it was cut short: fetch or copy it again")
    }

    fn trailing_data(&self) -> Error {
        Error::compression(
            self.expanded,
            format!("something else follows the {} data at byte {}", self.format, self.place),
            "remove it, or join only files that are compressed",
        )
    }

    fn damaged(&self, cause: &str) -> Error {
        let Self { format, place, member, .. } = self;
        let place = match self.format {
            Format::Gzip => format!("at byte {place}"),
            // Blocks are decoded as a whole, so a more precise position is not known.
            Format::Zstd => format!("in the frame that begins at byte {member}"),
            Format::Bzip2 | Format::Xz => format!("in the stream that begins at byte {member}"),
        };
        Error::compression(
            self.expanded,
            format!("the {format} data is damaged {place}: {cause}"),
            "fetch or copy it again",
        )
    }
}

/// Reads a part of a skippable frame of zstd.
fn skip(frame: &mut SkippableFrame, compressed: &[u8]) -> CodecProgress {
    let header = &mut frame.header[frame.filled..];
    let taken = header.len().min(compressed.len());
    header[..taken].copy_from_slice(&compressed[..taken]);
    frame.filled += taken;
    if taken > 0 && frame.filled >= 4 && frame.header[1..4] != SKIPPABLE {
        return CodecProgress { consumed: taken, produced: 0, complete: Err("unknown frame descriptor".to_owned()) };
    }
    if frame.filled < SKIPPABLE_HEADER {
        return CodecProgress { consumed: taken, produced: 0, complete: Ok(false) };
    }
    if taken > 0 {
        let [.., a, b, c, d] = frame.header;
        frame.left = u32::from_le_bytes([a, b, c, d]);
    }
    let skipped = u32::try_from(compressed.len() - taken).unwrap_or(u32::MAX).min(frame.left);
    frame.left -= skipped;
    CodecProgress { consumed: taken + skipped as usize, produced: 0, complete: Ok(frame.left == 0) }
}

fn unxz(stream: &mut XzStream, compressed: &[u8], output: &mut [u8]) -> CodecProgress {
    let mut consumed = 0;
    if stream.taken == stream.filled && stream.end.is_none() {
        consumed = stream.run(compressed);
    }
    let produced = output.len().min(stream.filled - stream.taken);
    output[..produced].copy_from_slice(&stream.block[stream.taken..stream.taken + produced]);
    stream.taken += produced;
    let end = if stream.taken == stream.filled { stream.end.take() } else { None };
    CodecProgress { consumed, produced, complete: end.unwrap_or(Ok(false)) }
}

impl XzStream {
    /// Fills the block further. Returns the number of bytes read.
    fn run(&mut self, compressed: &[u8]) -> usize {
        if self.filled == self.block.len() {
            (self.filled, self.taken) = (0, 0);
        }
        let (consumed, produced) = (self.codec.total_in(), self.codec.total_out());
        let result = self.codec.process(compressed, &mut self.block[self.filled..], liblzma::stream::Action::Run);
        self.filled += since(produced, self.codec.total_out());
        self.end = match result {
            Ok(liblzma::stream::Status::StreamEnd) => Some(Ok(true)),
            Ok(_) => None,
            Err(error) => Some(Err(String::from(match error {
                liblzma::stream::Error::Format => "no header of a stream",
                liblzma::stream::Error::Options => "it uses a filter that is not known",
                liblzma::stream::Error::MemLimit => "expanding it needs more than 128 MiB of memory",
                _ => "no valid code, or the checksum does not match",
            }))),
        };
        since(consumed, self.codec.total_in())
    }
}

fn inflate(codec: &mut Decompress, compressed: &[u8], output: &mut [u8]) -> CodecProgress {
    let (consumed, produced) = (codec.total_in(), codec.total_out());
    let result = codec.decompress(compressed, output, FlushDecompress::None);
    CodecProgress {
        consumed: since(consumed, codec.total_in()),
        produced: since(produced, codec.total_out()),
        complete: match result {
            Ok(status) => Ok(status == Status::StreamEnd),
            Err(error) => Err(cause(error.message().unwrap_or_default()).to_owned()),
        },
    }
}

/// Maps the codec's error message to one that does not depend on how much data was available when the codec failed.
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

/// Passes exactly as many bytes to the codec as it requests. Otherwise the output before damage would depend on how the input is
/// split: a failing call returns no output of the blocks before the damage, and a partial block can produce output.
fn decompress(frame: &mut Frame, compressed: &[u8], output: &mut [u8]) -> CodecProgress {
    let mut consumed = 0;
    loop {
        let rest = &compressed[consumed..];
        let is_whole = frame.partial.is_empty() && rest.len() >= frame.requested;
        let was_full = frame.is_full;
        let progress = if was_full {
            frame.run(&[], output)
        } else if is_whole {
            let progress = frame.run(&rest[..frame.requested.min(rest.len())], output);
            consumed += progress.consumed;
            progress
        } else {
            let count = frame.requested.saturating_sub(frame.partial.len()).min(rest.len());
            frame.partial.extend_from_slice(&rest[..count]);
            consumed += count;
            // mutant: if frame.partial.is_empty() {
            if frame.partial.len() < frame.requested {
                return CodecProgress { consumed, produced: 0, complete: Ok(false) };
            }
            let mut partial = mem::take(&mut frame.partial);
            let progress = frame.run(&partial, output);
            partial.drain(..progress.consumed);
            frame.partial = partial;
            progress
        };
        let is_stuck = !was_full && progress.consumed + progress.produced == 0;
        let is_done = consumed == compressed.len() && frame.partial.is_empty();
        if progress.produced > 0 || progress.complete != Ok(false) || is_done || is_stuck {
            return CodecProgress { consumed, ..progress };
        }
    }
}

impl Frame {
    fn run(&mut self, compressed: &[u8], output: &mut [u8]) -> CodecProgress {
        match self.codec.run_on_buffers(compressed, output) {
            Ok(status) => {
                self.requested = status.remaining.max(1);
                self.is_full = !output.is_empty() && status.bytes_written == output.len();
                CodecProgress {
                    consumed: status.bytes_read,
                    produced: status.bytes_written,
                    complete: Ok(status.remaining == 0),
                }
            }
            Err(error) => CodecProgress { consumed: 0, produced: 0, complete: Err(error.to_string().to_lowercase()) },
        }
    }
}
