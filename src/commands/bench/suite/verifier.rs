//! The verdict of fjson on a document: on each kernel, from memory and in pieces, by several operations.
//!
//! A verdict must not depend on any of these, so a disagreement fails a case even if its suite allows both verdicts.

#![forbid(unsafe_code)]

use fjson::Error;
use fjson::ErrorKind;
use fjson::Input;
use fjson::Isa;
use fjson::Layout;
use fjson::Options;
use fjson::Summary;
use std::fmt;
use std::io;
use std::io::Read;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accept,
    Reject(ErrorKind, u64),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept => f.write_str("accepted"),
            Self::Reject(kind, offset) => write!(f, "rejected ({kind:?} at byte {offset})"),
        }
    }
}

pub struct Verifier {
    pub kernels: Vec<Isa>,
}

/// Lengths of the pieces in which short and long documents are read.
const SHORT: [usize; 3] = [1, 7, 64];
const LONG: [usize; 2] = [4096, 65_537];
const LONGEST_SHORT: usize = 16 * 1024;

impl Verifier {
    /// Returns the verdict, or the disagreement.
    pub fn verdict(&self, text: &[u8]) -> Result<Verdict, String> {
        let verdict = self.verdict_in_memory(text)?;
        let pieces: &[usize] = if text.len() <= LONGEST_SHORT { &SHORT } else { &LONG };
        for (options, isa) in self.options() {
            for &piece in pieces {
                let input = Input::from_reader(Pieces { rest: text, size: piece });
                let result = fjson::validate(input, &options.clone().window(piece));
                same(verdict, &result, isa, format_args!("validate in pieces of {piece}"))?;
            }
            rewrite(text, verdict, &options, isa)?;
        }
        Ok(verdict)
    }

    /// Returns the verdict of `validate` from memory.
    pub fn verdict_in_memory(&self, text: &[u8]) -> Result<Verdict, String> {
        let mut first = None;
        for (options, isa) in self.options() {
            let result = fjson::validate(text, &options);
            same(*first.get_or_insert_with(|| verdict(&result)), &result, isa, format_args!("validate"))?;
        }
        first.ok_or_else(|| "there is no kernel".to_owned())
    }

    fn options(&self) -> impl Iterator<Item = (Options, Isa)> {
        self.kernels.iter().map(|&isa| (Options::new().isa(isa), isa))
    }
}

/// Checks that `minify` agrees, and that its output is the same before and after `pretty`.
fn rewrite(text: &[u8], verdict: Verdict, options: &Options, isa: Isa) -> Result<(), String> {
    let (mut minified, mut indented, mut again) = (Vec::new(), Vec::new(), Vec::new());
    same(verdict, &fjson::minify(text, &mut minified, options), isa, format_args!("minify"))?;
    if verdict == Verdict::Accept {
        let result = fjson::pretty(text, &mut indented, &Layout::default(), options);
        same(verdict, &result, isa, format_args!("pretty"))?;
        let result = fjson::minify(&indented, &mut again, options);
        same(verdict, &result, isa, format_args!("minify after pretty"))?;
        if again != minified {
            return Err(format!("pretty on {isa} changes more than whitespace"));
        }
    }
    Ok(())
}

fn verdict(result: &Result<Summary, Error>) -> Verdict {
    match result {
        Ok(_) => Verdict::Accept,
        Err(error) => Verdict::Reject(error.kind(), error.offset()),
    }
}

fn same(expected: Verdict, result: &Result<Summary, Error>, isa: Isa, how: fmt::Arguments<'_>) -> Result<(), String> {
    let got = verdict(result);
    if got == expected { Ok(()) } else { Err(format!("{expected}, but {got} by {how} on {isa}")) }
}

/// Returns a text in small pieces, like a pipe.
struct Pieces<'a> {
    rest: &'a [u8],
    size: usize,
}

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (piece, rest) = self.rest.split_at(self.size.min(self.rest.len()).min(buffer.len()));
        buffer[..piece.len()].copy_from_slice(piece);
        self.rest = rest;
        Ok(piece.len())
    }
}
