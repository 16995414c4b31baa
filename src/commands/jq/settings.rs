//! Reads the command line as jq does.
//!
//! Options may stand before, between and after operands. The first operand is the program, also after `--args`; each further one is a
//! file, a string or a JSON value, which depends on the last of `--args` and `--jsonargs` before it. Of several values for a variable,
//! the first one counts. `--tab`, `--indent` and `-c` replace each other.

#![forbid(unsafe_code)]

use crate::args::Bom;
use crate::args::Encoding;
use crate::args::comments::Comments;
use crate::args::jq::Id;
use crate::args::jq::OPTIONS;
use crate::args::jq::Row;
use crate::args::values;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use fjson::Isa;
use fjson_jq::write::Indent;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The value of a variable of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Text(String),
    Json(String),
    /// The documents in a file.
    Documents(PathBuf),
    /// The text of a file.
    File(PathBuf),
}

/// What is done instead of running a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    Help { is_long: bool },
    Version,
    BuildConfiguration,
}

/// What the command line says.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Settings {
    pub request: Option<Request>,
    pub program: Option<OsString>,
    pub is_from_file: bool,
    pub files: Vec<PathBuf>,
    /// `None` stands for the default search path.
    pub search_path: Option<Vec<PathBuf>>,
    pub named: Vec<(String, Argument)>,
    pub positional: Vec<Argument>,
    pub sandbox: bool,
    pub null_input: bool,
    pub raw_input: bool,
    pub slurp: bool,
    pub stream: bool,
    pub stream_errors: bool,
    pub seq: bool,
    pub lines: bool,
    pub skip_bad: bool,
    pub comments: Comments,
    pub bom: Bom,
    /// Whether byte order marks of inputs are characters: in text, unless an option says what is done with them.
    pub keeps_marks: bool,
    pub encoding: Encoding,
    pub no_mmap: bool,
    pub max_bytes: Option<u64>,
    pub indent: Indent,
    pub raw: bool,
    pub raw0: bool,
    pub join: bool,
    pub ascii: bool,
    pub sort_keys: bool,
    pub color: bool,
    pub monochrome: bool,
    pub with_filename: bool,
    pub unbuffered: bool,
    pub output: Option<PathBuf>,
    pub in_place: bool,
    pub exit_status: bool,
    pub max_depth: Option<u64>,
    pub max_memory: Option<u64>,
    pub max_steps: Option<u64>,
    pub max_time: Option<Duration>,
    pub threads: usize,
    pub kernel: Option<Isa>,
}

/// What operands after the program are.
#[derive(Clone, Copy)]
enum Operands {
    Files,
    Texts,
    Json,
}

/// The options that exclude each other, and why.
const CONFLICTS: [(Id, Id, &str); 9] = [
    (Id::InPlace, Id::Output, "a file is replaced, or the output goes to another one"),
    (Id::InPlace, Id::NullInput, "the outputs would not depend on the file that they replace"),
    (Id::InPlace, Id::WithFilename, "the names would be in the files"),
    (Id::InPlace, Id::Color, "the colors would be in the files"),
    (Id::InPlace, Id::Raw0, "the outputs would not be JSON"),
    (Id::SkipBad, Id::Stream, "events of an invalid document may have been read before"),
    (Id::SkipBad, Id::StreamErrors, "errors are events with --stream-errors"),
    (Id::SkipBad, Id::RawInput, "every line is a valid string"),
    (Id::Lines, Id::Seq, "documents are on lines, or follow record separators"),
];

impl Settings {
    /// Returns the files that are read beside the inputs, without modules.
    pub fn also_read(&self) -> Vec<PathBuf> {
        let program = self.program.iter().filter(|_| self.is_from_file).map(PathBuf::from);
        let values = self.named.iter().filter_map(|(_, value)| match value {
            Argument::Documents(path) | Argument::File(path) => Some(path.clone()),
            Argument::Text(_) | Argument::Json(_) => None,
        });
        program.chain(values).collect()
    }

    /// Whether a run for an input is limited.
    pub fn has_limits(&self) -> bool {
        self.sandbox || self.max_memory.is_some() || self.max_steps.is_some() || self.max_time.is_some()
    }

    /// Reads the arguments after the name of the program. `bom` is what is done with byte order marks, unless they say otherwise.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(arguments: impl IntoIterator<Item = OsString>, bom: Bom) -> Result<Self, String> {
        let mut parser = Parser {
            settings: Self { indent: Indent::Spaces(2), bom, ..Self::default() },
            rest: arguments.into_iter().collect::<Vec<_>>().into_iter(),
            operands: Operands::Files,
            seen: Vec::new(),
        };
        let mut has_options = true;
        while let Some(argument) = parser.rest.next() {
            let text = argument.to_string_lossy();
            if !has_options || !is_option(&text) {
                parser.operand(argument)?;
            } else if text == "--" {
                has_options = false;
            } else {
                let text = text.into_owned();
                parser.option(&text)?;
            }
            if parser.settings.request.is_some() {
                return Ok(parser.settings);
            }
        }
        parser.finish()
    }
}

/// A dash and a letter, or two dashes: `-` and `-1` are operands.
fn is_option(text: &str) -> bool {
    let rest = text.strip_prefix('-').and_then(|rest| rest.chars().next());
    rest.is_some_and(|first| first == '-' || first.is_ascii_alphabetic())
}

struct Parser {
    settings: Settings,
    rest: std::vec::IntoIter<OsString>,
    operands: Operands,
    seen: Vec<Id>,
}

impl Parser {
    fn operand(&mut self, operand: OsString) -> Result<(), String> {
        if self.settings.program.is_none() {
            self.settings.program = Some(operand);
            return Ok(());
        }
        match self.operands {
            Operands::Files => self.settings.files.push(operand.into()),
            Operands::Texts => self.settings.positional.push(Argument::Text(text_of(&operand))),
            Operands::Json => {
                let text = text_of(&operand);
                check_json(&text, "--jsonargs")?;
                self.settings.positional.push(Argument::Json(text));
            }
        }
        Ok(())
    }

    /// Reads an option, or several short ones that are joined.
    fn option(&mut self, text: &str) -> Result<(), String> {
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (long, None),
            };
            let row = OPTIONS.iter().find(|row| row.long == name && (value.is_none() || row.values.len() == 1));
            let row = row.ok_or_else(|| unknown(name, value.is_some()))?;
            return self.set(row, value.map(OsString::from), text.len() > 2);
        }
        let mut letters = text[1..].chars();
        while let Some(letter) = letters.next() {
            let row = OPTIONS.iter().find(|row| row.short == Some(letter));
            let row = row.ok_or_else(|| format!("unknown option -{letter}"))?;
            let joined = Some(letters.as_str()).filter(|rest| !row.values.is_empty() && !rest.is_empty());
            if let Some(value) = joined {
                return self.set(row, Some(value.into()), false);
            }
            self.set(row, None, false)?;
        }
        Ok(())
    }

    /// Returns the values of an option, of which the first may be joined to it.
    fn values<const N: usize>(&mut self, row: &Row, first: Option<OsString>) -> Result<[OsString; N], String> {
        let mut values = first.into_iter().chain(self.rest.by_ref());
        let mut missing = false;
        let all = std::array::from_fn(|_| {
            values.next().unwrap_or_else(|| {
                missing = true;
                OsString::new()
            })
        });
        if missing { Err(format!("--{} needs {}", row.long, row.values.join(" and "))) } else { Ok(all) }
    }

    fn value<T>(
        &mut self,
        row: &Row,
        first: Option<OsString>,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, String> {
        let [value] = self.values::<1>(row, first)?;
        parse(&value.to_string_lossy())
            .map_err(|reason| format!("--{} {}: {reason}", row.long, value.to_string_lossy()))
    }

    fn set(&mut self, row: &Row, value: Option<OsString>, is_long: bool) -> Result<(), String> {
        self.seen.push(row.id);
        match row.id {
            Id::Arg | Id::ArgJson | Id::SlurpFile | Id::RawFile => self.set_variable(row)?,
            Id::Library => {
                let [directory] = self.values::<1>(row, value)?;
                self.settings.search_path.get_or_insert_default().push(directory.into());
            }
            Id::Output => {
                let [file] = self.values::<1>(row, value)?;
                self.settings.output = Some(file.into());
            }
            Id::Jsonc => self.settings.comments = Comments { jsonc: true, no_jsonc: false },
            Id::NoJsonc => self.settings.comments = Comments { jsonc: false, no_jsonc: true },
            Id::Bom => self.settings.bom = self.value(row, value, choice)?,
            Id::Encoding => self.settings.encoding = self.value(row, value, choice)?,
            Id::MaxBytes => self.settings.max_bytes = Some(self.value(row, value, values::size)?),
            Id::Indent => self.settings.indent = self.value(row, value, indent)?,
            Id::MaxDepth => self.settings.max_depth = Some(self.value(row, value, values::depth_limit)?),
            Id::MaxMemory => self.settings.max_memory = Some(self.value(row, value, values::size)?),
            Id::MaxSteps => self.settings.max_steps = Some(self.value(row, value, steps)?),
            Id::MaxTime => self.settings.max_time = Some(self.value(row, value, seconds)?),
            Id::Threads => self.settings.threads = self.value(row, value, values::threads)?,
            Id::Kernel => self.settings.kernel = Some(self.value(row, value, values::kernel)?),
            Id::Help => self.settings.request = Some(Request::Help { is_long }),
            Id::Version => self.settings.request = Some(Request::Version),
            Id::BuildConfiguration => self.settings.request = Some(Request::BuildConfiguration),
            Id::Args => self.operands = Operands::Texts,
            Id::JsonArgs => self.operands = Operands::Json,
            Id::Compact => self.settings.indent = Indent::Compact,
            Id::Tab => self.settings.indent = Indent::Tab,
            Id::Stream => self.settings.stream = true,
            Id::StreamErrors => (self.settings.stream, self.settings.stream_errors) = (true, true),
            Id::Raw => self.settings.raw = true,
            Id::Raw0 => (self.settings.raw, self.settings.raw0) = (true, true),
            Id::Join => (self.settings.raw, self.settings.join) = (true, true),
            _ => self.switch(row.id),
        }
        Ok(())
    }

    /// Turns on what is a switch of its own.
    fn switch(&mut self, id: Id) {
        let settings = &mut self.settings;
        let switch = match id {
            Id::FromFile => &mut settings.is_from_file,
            Id::Sandbox => &mut settings.sandbox,
            Id::NullInput => &mut settings.null_input,
            Id::RawInput => &mut settings.raw_input,
            Id::Slurp => &mut settings.slurp,
            Id::Seq => &mut settings.seq,
            Id::Lines => &mut settings.lines,
            Id::SkipBad => &mut settings.skip_bad,
            Id::NoMmap => &mut settings.no_mmap,
            Id::Ascii => &mut settings.ascii,
            Id::SortKeys => &mut settings.sort_keys,
            Id::Color => &mut settings.color,
            Id::Monochrome => &mut settings.monochrome,
            Id::WithFilename => &mut settings.with_filename,
            Id::Unbuffered => &mut settings.unbuffered,
            Id::InPlace => &mut settings.in_place,
            Id::ExitStatus => &mut settings.exit_status,
            // `-b` changes nothing.
            _ => return,
        };
        *switch = true;
    }

    fn set_variable(&mut self, row: &Row) -> Result<(), String> {
        let [name, value] = self.values::<2>(row, None)?;
        let name = text_of(&name);
        if self.settings.named.iter().any(|(known, _)| *known == name) {
            return Ok(());
        }
        let value = match row.id {
            Id::Arg => Argument::Text(text_of(&value)),
            Id::ArgJson => {
                let text = text_of(&value);
                check_json(&text, &format!("--argjson {name}"))?;
                Argument::Json(text)
            }
            Id::SlurpFile => Argument::Documents(value.into()),
            _ => Argument::File(value.into()),
        };
        self.settings.named.push((name, value));
        Ok(())
    }

    fn finish(self) -> Result<Settings, String> {
        let has = |id: Id| self.seen.contains(&id);
        if let Some((one, other, reason)) = CONFLICTS.iter().find(|(one, other, _)| has(*one) && has(*other)) {
            let name = |id: Id| OPTIONS.iter().find(|row| row.id == id).map_or("", |row| row.long);
            return Err(format!("--{} cannot be used with --{}: {reason}", name(*one), name(*other)));
        }
        let mut settings = self.settings;
        settings.lines |= settings.skip_bad && !settings.seq;
        settings.keeps_marks = settings.raw_input && !self.seen.contains(&Id::Bom);
        Ok(settings)
    }
}

/// Arguments that are not Unicode have replacement characters.
fn text_of(argument: &OsString) -> String {
    argument.to_string_lossy().into_owned()
}

fn check_json(text: &str, option: &str) -> Result<(), String> {
    match fjson_jq::value::Value::from_json(text) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("invalid JSON text passed to {option}: {error}")),
    }
}

fn unknown(name: &str, has_value: bool) -> String {
    if let Some(row) = OPTIONS.iter().find(|row| row.long == name).filter(|_| has_value) {
        return match row.values {
            [] => format!("--{name} takes no value"),
            values => format!("{} follow --{name} as arguments of their own, without `=`", values.join(" and ")),
        };
    }
    // It was in jq until version 1.6.
    if name == "argfile" {
        return "unknown option --argfile; --slurpfile NAME FILE has the documents of the file in an array".to_owned();
    }
    if name == "color" || name == "colour" {
        return format!("unknown option --{name}; -C writes colors, and -M writes none");
    }
    let names = || OPTIONS.iter().map(|row| row.long);
    let likeness = |long: &str| strsim::osa_distance(name, long);
    let misspelled = names().filter(|long| likeness(long) <= (long.len() / 4).min(2)).min_by_key(|long| likeness(long));
    let similar: Vec<_> = match misspelled {
        Some(long) => vec![long],
        None => names().filter(|long| is_similar(name, long)).collect(),
    };
    match &similar[..] {
        [] => format!("unknown option --{name}"),
        similar => format!("unknown option --{name}; did you mean --{}?", similar.join(" or --")),
    }
}

/// Whether a name was cut off, or has words of another one.
fn is_similar(name: &str, long: &str) -> bool {
    !name.is_empty() && (long.starts_with(name) || name.starts_with(long) && long.len() > 2)
}

fn indent(value: &str) -> Result<Indent, String> {
    match value.parse() {
        Ok(-1) => Ok(Indent::Tab),
        Ok(spaces @ 0..=7) => Ok(Indent::Spaces(u8::try_from(spaces).unwrap_or(2))),
        Ok::<i64, _>(_) => Err("expected a number between 0 and 7".to_owned()),
        Err(_) => Err("expected a number".to_owned()),
    }
}

/// Returns one of several values that have names.
fn choice<T: ValueEnum>(value: &str) -> Result<T, String> {
    T::from_str(value, false).map_err(|_| {
        let values: Vec<_> = T::value_variants().iter().filter_map(T::to_possible_value).collect();
        let names: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
        names
            .split_last()
            .map_or_else(String::new, |(last, others)| format!("expected {} or {last}", others.join(", ")))
    })
}

fn steps(value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| "expected a number of steps".to_owned())
}

fn seconds(value: &str) -> Result<Duration, String> {
    let seconds = value.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected a number of seconds".to_owned())
}
