//! The commands, one module each, and the conversion of their common options.

#![forbid(unsafe_code)]

pub mod bench;
pub mod completions;
pub mod diff;
pub mod edit;
pub mod gzip;
pub mod jq;
pub mod man;
pub mod minify;
pub mod pretty;
pub mod query;
pub mod stats;
pub mod validate;
pub mod version;

mod check;
mod colors;
mod pointing;
mod rewrite;
mod schema;
mod statistics;

use crate::args::Bom;
use crate::args::Encoding;
use crate::args::Engine;
use crate::args::Escape;
use crate::args::Inputs;
use crate::args::OnComments;
use crate::args::RecordStart;
use crate::args::Text;
use crate::decoding::Decoder;
use crate::decoding::Decoding;
use crate::exit::RunError;
use crate::extension::is_json_lines;
use crate::extension::json_extension;
use crate::name::Name;
use crate::source::Source;
use crate::stderr;
use fjson::ByteOrderMark;
use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::scalar;
use std::io;
use std::io::BufRead as _;
use std::io::Read;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

impl Engine {
    /// Returns the library options for the input `name`.
    fn options(&self, inputs: &Inputs, name: &Name) -> Options {
        let options = Options::new().framing(inputs.framing(name)).max_depth(self.max_depth).threads(self.threads);
        let options = options.unique_keys(self.unique_keys).ijson(self.ijson);
        match self.kernel {
            Some(kernel) => options.isa(kernel),
            None => options,
        }
    }
}

impl Text {
    /// Adds the options that change the text.
    fn options(&self, options: Options) -> Options {
        let escape = self.escape.iter().fold(scalar::Escape::minimal(), |all, one| match one {
            Escape::None => all,
            Escape::Ascii => all.ascii(),
            Escape::Html => all.html(),
            Escape::Js => all.js(),
        });
        let options = options.escape(escape).unescape(self.escape.contains(&Escape::None)).max_memory(self.max_memory);
        if self.natural { options.sort_keys_naturally(true) } else { options.sort_keys(self.sort_keys) }
    }
}

impl Inputs {
    /// Returns the content of `source`, expanded if it is compressed, or the records in a part of it.
    fn read<'s>(&self, source: &'s Source) -> Result<Input<'s>, Error> {
        self.open(source, |input| input.count_into(stderr::bytes_read()))
    }

    /// Returns the same once more, without counting its bytes for the progress.
    fn read_again<'s>(&self, source: &'s Source) -> Result<Input<'s>, Error> {
        self.open(source, |input| input)
    }

    /// Returns what [`read`](Self::read) returns, and whether a byte order mark is stripped from it.
    fn read_stripped<'s>(&self, source: &'s Source) -> Result<(Input<'s>, bool), Error> {
        let mut input = self.undecoded(source, |input| input.count_into(stderr::bytes_read()))?;
        let is_stripped = self.bom == Bom::Strip && input.byte_order_mark()? == Some(ByteOrderMark::Utf8);
        Ok((self.decoded(source, input)?, is_stripped))
    }

    fn open<'s>(&self, source: &'s Source, count: impl FnOnce(Input<'s>) -> Input<'s>) -> Result<Input<'s>, Error> {
        self.decoded(source, self.undecoded(source, count)?)
    }

    fn undecoded<'s>(
        &self,
        source: &'s Source,
        count: impl FnOnce(Input<'s>) -> Input<'s>,
    ) -> Result<Input<'s>, Error> {
        let framing = self.framing(&source.name);
        // What is changed on the way is read, because a change of a mapped file would not be noticed.
        let is_changed =
            self.encoding != Encoding::Utf8 || self.skip_prefix.is_some() || self.may_have_comments(source);
        let is_mapped = !self.no_mmap && !is_changed;
        let input = source.input(is_mapped, framing == Framing::Lines);
        Ok(match source.range() {
            None => count(input).expanded(self.max_bytes.unwrap_or(u64::MAX)),
            Some(range) => count(input.range(range, framing)?),
        })
    }

    fn decoded<'s>(&self, source: &Source, input: Input<'s>) -> Result<Input<'s>, Error> {
        let input = self.prepared(input)?;
        Ok(if self.may_have_comments(source) && self.on_comments != OnComments::Keep {
            input.skip_comments()
        } else {
            input
        })
    }

    /// Returns the input as it is read: decoded, and without what is before its records, if the options say so.
    fn prepared<'s>(&self, input: Input<'s>) -> Result<Input<'s>, Error> {
        let input = self.decode(input)?;
        Ok(match self.skip_prefix {
            None => input,
            Some(RecordStart::Bracket) => input.skip_prefixes(fjson::RecordStart::Bracket),
            Some(RecordStart::Object) => input.skip_prefixes(fjson::RecordStart::Brace),
        })
    }

    /// Whether comments and trailing commas in `source` are accepted.
    fn may_have_comments(&self, source: &Source) -> bool {
        // A part may begin in a comment.
        self.comments.are_accepted(&source.name) && !source.is_part()
    }

    /// Whether a regular file is compressed.
    fn is_expanded(&self, source: &Source) -> Result<bool, Error> {
        let inputs = Self { on_comments: OnComments::Keep, ..self.clone() };
        inputs.read_again(source)?.is_expanded()
    }

    /// Whether a regular file has comments, and they are accepted. Reads it up to the first one.
    fn has_comments(&self, source: &Source) -> bool {
        if !self.may_have_comments(source) {
            return false;
        }
        let count = AtomicU64::new(0);
        let inputs = Self { on_comments: OnComments::Keep, ..self.clone() };
        // An error is reported when the input is read for its result.
        let Ok(input) = inputs.read_again(source) else { return false };
        let mut reader = input.count_comments_into(&count).into_reader();
        while count.load(Ordering::Relaxed) == 0 {
            let length = reader.fill_buf().map_or(0, <[u8]>::len);
            if length == 0 {
                return false;
            }
            reader.consume(length);
        }
        true
    }

    /// Skips the byte order mark of an input, or decodes the input, if the options say so.
    fn decode<'s>(&self, mut input: Input<'s>) -> Result<Input<'s>, Error> {
        match (self.encoding, self.bom) {
            (Encoding::Utf8, Bom::Error) => Ok(input),
            (Encoding::Utf8, Bom::Accept | Bom::Strip) => input.skip_byte_order_mark(),
            (Encoding::Auto, _) => match input.byte_order_mark()?.map(Decoder::new) {
                None => Ok(input),
                Some(None) => input.skip_byte_order_mark(),
                Some(Some(decoder)) => Ok(Input::from_reader(Decoding::new(input.into_reader(), decoder))),
            },
        }
    }

    /// Returns the byte order mark of a regular file that is not compressed, unless it is an error.
    fn byte_order_mark(&self, source: &Source) -> Result<Option<ByteOrderMark>, Error> {
        if self.skips_byte_order_mark() { source.input(false, false).byte_order_mark() } else { Ok(None) }
    }

    /// Whether a byte order mark is no error.
    fn skips_byte_order_mark(&self) -> bool {
        (self.encoding, self.bom) != (Encoding::Utf8, Bom::Error)
    }

    /// Reads the whole content of `source` into memory.
    fn read_whole(&self, source: &Source) -> Result<Vec<u8>, RunError> {
        let mut content = Vec::new();
        let read = self.read(source).map_err(io::Error::from);
        let read = read.and_then(|input| input.into_reader().read_to_end(&mut content));
        read.map(|_| content).map_err(|error| RunError::io(source.name.clone(), &error))
    }

    /// Returns the framing of the input `name`: that of the options, otherwise that of the file extension.
    fn framing(&self, name: &Name) -> Framing {
        if self.lines || self.skip_prefix.is_some() {
            Framing::Lines
        } else if self.stream {
            Framing::Stream
        } else if self.seq {
            Framing::Sequence
        } else if name.path().and_then(json_extension).is_some_and(is_json_lines) {
            Framing::Lines
        } else if self.may_be_concatenated {
            Framing::Documents
        } else {
            Framing::Document
        }
    }
}
