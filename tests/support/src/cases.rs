//! Our own cases, written from RFC 8259: `corpus/cases/*.txt`.
//!
//! A line has an expected result and a document. The result is `ok`, or the kind and the offset of the error. `<XX>` in
//! a document is the byte with that hexadecimal value.

use std::fs;

use fjson::ErrorKind;

use crate::reader::Verdict;
use crate::suites::root;

/// The kinds of error a document can have.
const KINDS: [ErrorKind; 18] = [
    ErrorKind::EmptyInput,
    ErrorKind::Encoding,
    ErrorKind::ExpectedValue,
    ErrorKind::ExpectedValueOrClose,
    ErrorKind::ExpectedKey,
    ErrorKind::ExpectedKeyOrClose,
    ErrorKind::ExpectedColon,
    ErrorKind::ExpectedCommaOrClose,
    ErrorKind::MismatchedClose,
    ErrorKind::TrailingContent,
    ErrorKind::ControlCharacter,
    ErrorKind::InvalidEscape,
    ErrorKind::InvalidUnicodeEscape,
    ErrorKind::InvalidUtf8,
    ErrorKind::InvalidNumber,
    ErrorKind::LeadingZero,
    ErrorKind::InvalidLiteral,
    ErrorKind::UnexpectedEnd,
];

/// A document and its expected result.
#[derive(Debug)]
pub struct Case {
    /// The line, with its file, for messages.
    pub place: String,
    /// The document.
    pub text: Vec<u8>,
    /// The expected result.
    pub verdict: Verdict,
}

/// All cases.
///
/// # Panics
/// If a line cannot be read.
#[must_use]
pub fn all() -> Vec<Case> {
    let folder = fs::read_dir(root().join("corpus/cases")).expect("corpus/cases");
    let mut paths: Vec<_> = folder.map(|entry| entry.expect("an entry of corpus/cases").path()).collect();
    paths.sort();
    let mut cases = Vec::new();
    for path in paths {
        let name = path.file_name().expect("a file").to_string_lossy();
        let text = fs::read_to_string(&path).expect("cases are ASCII text");
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        cases.extend(lines.map(|(number, line)| case(format!("{name}:{number}: {line}"), line)));
    }
    cases
}

fn case(place: String, line: &str) -> Case {
    let (verdict, document) = line.split_once(' ').unwrap_or((line, ""));
    let verdict = match verdict.split_once('@') {
        None => Ok(()),
        Some((name, offset)) => {
            let kind = KINDS.into_iter().find(|kind| format!("{kind:?}") == name);
            Err((kind.expect("a kind of error"), offset.parse().expect("an offset")))
        }
    };
    Case { place, text: bytes(document.trim_start()), verdict }
}

/// The document with `<XX>` replaced.
fn bytes(document: &str) -> Vec<u8> {
    let mut parts = document.split('<');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (hex, rest) = part.split_once('>').expect("a closing angle bracket");
        bytes.push(u8::from_str_radix(hex, 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}
