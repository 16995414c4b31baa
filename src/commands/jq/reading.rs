//! Reads inputs piece by piece: documents, events, lines or text.
//!
//! A piece can be sent to another thread, so the same code serves a program that is run on what comes, and one that asks for it with
//! `input`: then a thread of its own reads ahead, as far as its queue has room.

#![forbid(unsafe_code)]

use crate::args::Bom;
use crate::args::Encoding;
use crate::args::Engine;
use crate::args::Inputs;
use crate::args::OnComments;
use crate::args::Verbosity;
use crate::args::comments::Comments;
use crate::commands::jq::events::Events;
use crate::commands::jq::line_numbers::LineNumbers;
use crate::commands::jq::line_numbers::Noting;
use crate::commands::jq::piece::Documents;
use crate::commands::jq::piece::Opened;
use crate::commands::jq::piece::Piece;
use crate::commands::jq::settings::Settings;
use crate::commands::rewrite::COMMENTS_WOULD_BE_LOST;
use crate::commands::rewrite::WOULD_BE_DECODED;
use crate::commands::rewrite::WOULD_BE_EXPANDED;
use crate::exit::RunError;
use crate::name::Name;
use crate::output_file::OutputFile;
use crate::source::Source;
use crate::stderr;
use fjson::ByteOrderMark;
use fjson::DocumentBatch;
use fjson::Error;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Mapped;
use fjson::Options;
use fjson::Parser;
use fjson::Query;
use fjson_jq::LeadingPath;
use fjson_jq::value::lossy_text;
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

const IS_DIRECTORY: &str =
    "is a directory; name its files, or use `find`: find DIR -name '*.json' -exec fjson jq FILTER {} +";

/// What becomes of a batch of documents, on any thread.
pub type Map<'m> = dyn Fn(&Arc<Opened>, &DocumentBatch<'_>) -> Piece + Sync + 'm;

/// Receives pieces.
pub type Take<'t> = dyn FnMut(Piece) -> ControlFlow<()> + 't;

/// What to read, and how.
#[derive(Clone)]
pub struct Reading {
    inputs: Inputs,
    max_depth: Option<u64>,
    kernel: Option<fjson::Isa>,
    threads: usize,
    form: Form,
    slurps: bool,
    leading_path: Option<LeadingPath>,
}

/// As what inputs are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Documents,
    Events { has_errors: bool },
    Lines,
    Text,
}

/// Number of bytes of lines in a piece.
const PIECE: usize = 64 << 10;

/// Number of bytes of a document from which on it is read element by element, if the program permits.
const LARGE: u64 = 16 << 20;

impl Reading {
    pub fn new(settings: &Settings) -> Self {
        let form = match settings {
            Settings { raw_input: true, slurp: true, .. } => Form::Text,
            Settings { raw_input: true, .. } => Form::Lines,
            Settings { stream: true, stream_errors, .. } => Form::Events { has_errors: *stream_errors },
            _ => Form::Documents,
        };
        Self {
            inputs: inputs(settings),
            max_depth: settings.max_depth,
            kernel: settings.kernel,
            threads: settings.threads,
            form,
            slurps: settings.slurp,
            leading_path: None,
        }
    }

    /// Sets the path to the elements on which the rest of the program may be run instead of running it on a large document.
    pub fn set_leading_path(&mut self, path: Option<&LeadingPath>) {
        self.leading_path = path.cloned();
    }

    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Sets the files that no input may be.
    pub fn set_outputs(&mut self, outputs: Vec<OutputFile>) {
        self.inputs.outputs = outputs;
    }

    /// Whether the documents of a batch can be given to several threads.
    pub fn has_batches(&self) -> bool {
        self.form == Form::Documents && self.threads != 1
    }

    /// Whether all inputs become one.
    pub fn slurps(&self) -> bool {
        self.slurps
    }

    /// Whether inputs are read as text, not as JSON.
    pub fn is_text(&self) -> bool {
        self.form == Form::Text
    }

    /// Reads all inputs.
    pub fn each(&self, map: &Map<'_>, take: &mut Take<'_>) -> ControlFlow<()> {
        let stdin = [PathBuf::from("-")];
        let files = if self.inputs.files.is_empty() { &stdin[..] } else { &self.inputs.files };
        files.iter().try_for_each(|path| match self.open(path) {
            Ok(source) => self.source(&source, map, take),
            Err(error) => take(Piece::Failed(error)),
        })
    }

    /// Opens an input, which is not an output.
    pub fn open(&self, path: &Path) -> Result<Source, RunError> {
        let source = Source::named(path)?;
        if source.is_directory() {
            return Err(RunError::new(source.name, IS_DIRECTORY));
        }
        self.inputs.outputs.iter().try_for_each(|output| source.check_differs_from(*output))?;
        Ok(source)
    }

    /// Returns why a file must not be replaced by what is made of it; `None` if it may be.
    pub fn is_converted(&self, source: &Source) -> Option<&'static str> {
        let mark = self.inputs.byte_order_mark(source).ok().flatten();
        let is_expanded = self.inputs.is_expanded(source);
        if is_expanded.unwrap_or(false) {
            Some(WOULD_BE_EXPANDED)
        } else if self.inputs.has_comments(source) {
            Some(COMMENTS_WOULD_BE_LOST)
        } else {
            mark.filter(|mark| *mark != ByteOrderMark::Utf8).map(|_| WOULD_BE_DECODED)
        }
    }

    /// Whether a file that is replaced begins with a byte order mark that stays.
    pub fn keeps_mark(&self, source: &Source) -> bool {
        let mark = self.inputs.byte_order_mark(source).ok().flatten();
        mark == Some(ByteOrderMark::Utf8) && self.inputs.bom != Bom::Strip
    }

    /// Reads an input.
    pub fn source(&self, source: &Source, map: &Map<'_>, take: &mut Take<'_>) -> ControlFlow<()> {
        stderr::set_input(&source.name);
        let has_size = source.size().is_some();
        let opened = |lines, has_elements| {
            Arc::new(Opened { name: source.name.clone(), lines, is_stream: !has_size, has_elements })
        };
        // Comments hide whether an input is compressed.
        let is_expanded =
            has_size && self.inputs.may_have_comments(source) && self.inputs.is_expanded(source).unwrap_or(false);
        let read = self.inputs.read(source).and_then(|mut input| Ok((is_expanded || input.is_expanded()?, input)));
        let (input, lines) = match read {
            Ok((false, input)) if has_size && self.inputs.is_read_as_it_is() => (input, LineNumbers::of_file()),
            Ok((_, input)) => {
                let (noting, lines) = Noting::new(input.into_reader());
                (Input::from_reader(noting), lines)
            }
            Err(error) => {
                take(Piece::Opened(opened(LineNumbers::of_file(), false)))?;
                return take(Piece::Invalid(Box::new(error)));
            }
        };
        let options = self.options(&source.name);
        let elements = self.elements(source, &lines, &options);
        let lines = if elements.is_some() { LineNumbers::Document } else { lines };
        let opened = opened(lines, elements.is_some());
        take(Piece::Opened(opened.clone()))?;
        match self.form {
            Form::Documents => documents(input, elements.as_ref(), &options, &|batch| map(&opened, batch), take),
            Form::Events { has_errors } => events(input, &options, has_errors, !has_size, take),
            Form::Lines => {
                let mut lines = Lines::default();
                raw(input, &source.name, take, &mut |bytes| lines.add(bytes))
            }
            Form::Text => raw(input, &source.name, take, &mut |bytes| Some(Piece::Text(bytes.to_vec()))),
        }
    }

    /// Returns the path to the elements of a large document, if the rest of the program may be run on each of them.
    fn elements(&self, source: &Source, lines: &LineNumbers, options: &Options) -> Option<Query> {
        let is_file = matches!(lines, LineNumbers::File(_)) && source.size().is_some_and(|size| size >= LARGE);
        let is_document = self.form == Form::Documents && self.framing() == Framing::Documents;
        let path = self.leading_path.as_ref().filter(|_| is_file && is_document && !self.slurps)?;
        let options = options.clone().framing(Framing::Document);
        // An error is found again, and reported, when the document is read.
        let is_exact = path.is_exact(|| self.inputs.read_again(source), &options).unwrap_or(false);
        if is_exact { Query::new(&path.jsonpath()).ok() } else { None }
    }

    fn options(&self, name: &Name) -> Options {
        let engine = Engine {
            unique_keys: false,
            ijson: false,
            max_depth: self.max_depth,
            threads: self.threads,
            kernel: self.kernel,
        };
        // A document may be as long as a list of tokens can be.
        engine.options(&self.inputs, name).framing(self.framing()).max_memory(u32::MAX.into())
    }

    fn framing(&self) -> Framing {
        match self.inputs {
            Inputs { lines: true, .. } => Framing::Lines,
            Inputs { seq: true, .. } => Framing::Sequence,
            _ => Framing::Documents,
        }
    }
}

impl Inputs {
    /// Returns inputs for which no option was given.
    pub(super) fn plain() -> Self {
        Self {
            files: Vec::new(),
            lines: false,
            stream: false,
            seq: false,
            files_from: None,
            files0_from: None,
            globs: Vec::new(),
            follow: false,
            hidden: false,
            no_ignore: false,
            skip_prefix: None,
            comments: Comments::default(),
            on_comments: OnComments::Skip,
            bom: Bom::Error,
            encoding: Encoding::Utf8,
            no_mmap: false,
            max_bytes: None,
            part: None,
            splits_from: None,
            may_be_concatenated: false,
            skip_lines: false,
            skip_compressed: false,
            is_edited_in_place: false,
            verbosity: Verbosity::Normal,
            outputs: Vec::new(),
            also_read: Vec::new(),
            is_read_twice: false,
        }
    }

    /// Whether offsets in what is read are offsets in the file.
    fn is_read_as_it_is(&self) -> bool {
        self.encoding == Encoding::Utf8
    }
}

/// Text is read as it is, whatever the name of the file.
const NONE: Comments = Comments { jsonc: false, no_jsonc: true };

/// The inputs of the command line, for what all commands have in common.
pub fn inputs(settings: &Settings) -> Inputs {
    Inputs {
        files: settings.files.clone(),
        lines: settings.lines,
        seq: settings.seq,
        comments: if settings.raw_input { NONE } else { settings.comments },
        bom: if settings.keeps_marks { Bom::Error } else { settings.bom },
        encoding: settings.encoding,
        no_mmap: settings.no_mmap,
        max_bytes: settings.max_bytes,
        is_edited_in_place: settings.in_place,
        also_read: settings.also_read(),
        ..Inputs::plain()
    }
}

/// Passes on the documents of an input, or the elements of its one document.
fn documents(
    input: Input<'_>,
    elements: Option<&Query>,
    options: &Options,
    map: &(dyn Fn(&DocumentBatch<'_>) -> Piece + Sync),
    take: &mut Take<'_>,
) -> ControlFlow<()> {
    let mut flow = ControlFlow::Continue(());
    let take_mapped = |result: Result<Mapped<Piece>, Error>| {
        flow = match result {
            Ok(mapped) => take(mapped.result),
            // There may be no document at all.
            Err(error) if error.kind() == ErrorKind::EmptyInput => ControlFlow::Continue(()),
            Err(error) => take(Piece::Invalid(Box::new(error))),
        };
        flow
    };
    let read = match elements {
        None => fjson::map_documents(input, options, map, take_mapped),
        Some(query) => fjson::map_elements(input, query, options, map, take_mapped),
    };
    flow?;
    match read {
        Ok(summary) => take(Piece::End(summary.bytes)),
        Err(error) if error.kind() == ErrorKind::EmptyInput => take(Piece::End(0)),
        Err(error) => take(Piece::Invalid(Box::new(error))),
    }
}

/// Passes on events, as documents. If the input is live, they do not wait for what follows the text that has been validated.
fn events(
    input: Input<'_>,
    options: &Options,
    has_errors: bool,
    is_live: bool,
    take: &mut Take<'_>,
) -> ControlFlow<()> {
    let (mut events, mut flow, mut parser) = (Events::default(), ControlFlow::Continue(()), Parser::new());
    // Breaks with an error, or without one if no more is wanted.
    let mut pass_on = |events: &mut Events| {
        let (text, ends) = (std::mem::take(&mut events.out), std::mem::take(&mut events.ends));
        match parser.owned_records(text) {
            Ok(records) => take(Piece::Documents(Documents::of_records(&records, ends))).map_break(|()| None),
            Err(error) => ControlFlow::Break(Some(error)),
        }
    };
    let mut end = 0;
    let read = fjson::index(
        input,
        &mut |batch| {
            let mut at = 0;
            while flow.is_continue() && at < batch.positions.len() {
                at = events.add(&batch, at);
                if events.is_full() {
                    flow = pass_on(&mut events);
                }
            }
            if is_live && flow.is_continue() && !events.out.is_empty() {
                flow = pass_on(&mut events);
            }
            end = batch.offset + batch.text.len() as u64;
        },
        options,
    );
    let error = read.err().filter(|error| error.kind() != ErrorKind::EmptyInput);
    if flow.is_continue() {
        if let Some(error) = error.as_ref().filter(|_| has_errors) {
            events.add_error(&message(error));
        }
        if !events.out.is_empty() {
            flow = pass_on(&mut events);
        }
    }
    match (flow, error) {
        (ControlFlow::Break(None), _) => ControlFlow::Break(()),
        // Events are valid, because they are made of tokens of valid text. If they are not, the file changed, as the error of reading says.
        (ControlFlow::Break(Some(failure)), error) => take(Piece::Invalid(Box::new(error.unwrap_or(failure)))),
        (_, Some(error)) if !has_errors => take(Piece::Invalid(Box::new(error))),
        _ => take(Piece::End(end)),
    }
}

/// Returns an error in one line: the sentence and the place.
pub fn message(error: &Error) -> String {
    match error.position() {
        Some(position) => format!("{error} at line {}, column {}", position.line, position.column),
        None => error.to_string(),
    }
}

/// Passes on an input that is not JSON, in pieces that `make` makes of what has arrived. An empty text is the end.
fn raw(
    input: Input<'_>,
    name: &Name,
    take: &mut Take<'_>,
    make: &mut dyn FnMut(&[u8]) -> Option<Piece>,
) -> ControlFlow<()> {
    let (mut reader, mut offset) = (input.into_reader(), 0);
    loop {
        let bytes = match reader.fill_buf() {
            Ok(bytes) => &bytes[..bytes.len().min(PIECE)],
            Err(error) => return take(Piece::Failed(RunError::io(name.clone(), &error))),
        };
        let (length, piece) = (bytes.len(), make(bytes));
        reader.consume(length);
        offset += length as u64;
        piece.map_or(ControlFlow::Continue(()), &mut *take)?;
        if length == 0 {
            return take(Piece::End(offset));
        }
    }
}

/// Cuts text into lines.
#[derive(Default)]
struct Lines {
    /// The beginning of a line.
    begun: Vec<u8>,
    offset: u64,
}

impl Lines {
    fn add(&mut self, bytes: &[u8]) -> Option<Piece> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.begun.extend_from_slice(part);
            self.offset += part.len() as u64;
            if self.begun.pop_if(|last| *last == b'\n').is_some() {
                lines.push((lossy_text(std::mem::take(&mut self.begun)), self.offset - 1));
            }
        }
        if bytes.is_empty() && !self.begun.is_empty() {
            lines.push((lossy_text(std::mem::take(&mut self.begun)), self.offset));
        }
        (!lines.is_empty()).then_some(Piece::Lines(lines))
    }
}
