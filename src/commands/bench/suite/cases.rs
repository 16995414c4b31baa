//! The cases of fjson (`corpus/cases`), written for each production of RFC 8259 and included in the program.
//!
//! A case is a document and its verdict. An engine that reads blocks of bytes may give different verdicts at different
//! positions, so each case is run at all distances from the boundaries of blocks, and again as the last element of an array.

#![forbid(unsafe_code)]

use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Suite;
use crate::commands::bench::suite::Verifier;
use crate::commands::bench::suite::verifier::Verdict;
use crate::figures::real;

macro_rules! files {
    ($($name:literal: $title:literal),+ $(,)?) => {
        [$(($title, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/cases/", $name, ".txt")))),+]
    };
}

const FILES: [(&str, &str); 8] = files! {
    "2-grammar": "section 2, grammar",
    "3-values": "section 3, values",
    "4-objects": "section 4, objects",
    "5-arrays": "section 5, arrays",
    "6-numbers": "section 6, numbers",
    "7-strings": "section 7, strings",
    "8-encoding": "section 8, encoding",
    "9-brackets": "section 9, any depth",
};

/// Distances up to the second boundary of 64 bytes.
const NEAR: usize = 130;

/// Boundaries of larger superblocks and of tiles.
const FAR: [usize; 4] = [256, 512, 2048, 4096];

pub fn run(verifier: &Verifier, progress: &mut dyn FnMut(&str, f64)) -> Suite {
    let mut categories = Vec::new();
    for (number, (name, text)) in FILES.into_iter().enumerate() {
        progress("our own cases", real(number) / real(FILES.len()));
        let cases: Vec<_> = lines(text).map(|line| case(verifier, line)).collect();
        categories.push(Category { name, expected: "result", published: cases.len(), cases, not_run: None });
    }
    Suite { name: "RFC 8259, our cases", place: None, categories }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn case(verifier: &Verifier, line: &str) -> Case {
    let (expected, document) = line.split_once(' ').unwrap_or((line, ""));
    let text = bytes(document.trim_start());
    Case {
        name: line.split_ascii_whitespace().collect::<Vec<_>>().join(" "),
        failure: run_everywhere(verifier, &text, expected).err(),
        accepted: expected == "ok",
    }
}

/// Returns the document with each `<XX>` replaced by the byte with that value.
fn bytes(document: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in document.split('<') {
        let coded = part.split_once('>').and_then(|(hex, rest)| Some((u8::from_str_radix(hex, 16).ok()?, rest)));
        bytes.extend(coded.map(|(byte, _)| byte));
        bytes.extend_from_slice(coded.map_or(part, |(_, rest)| rest).as_bytes());
    }
    bytes
}

/// Runs a case on its own, and at all positions.
fn run_everywhere(verifier: &Verifier, text: &[u8], expected: &str) -> Result<(), String> {
    expect(expected, 0, verifier.verdict(text)?, || "on its own".to_owned())?;
    let kind = expected.split('@').next().unwrap_or(expected);
    // Only the first bytes of a document can show its encoding.
    if kind == "Encoding" {
        return Ok(());
    }
    let most = FAR[FAR.len() - 1] + 1;
    let shifts =
        || (0..=NEAR).chain(FAR.into_iter().flat_map(|border| border.saturating_sub(text.len() + 4)..=border + 1));
    let spaced = [&vec![b' '; most][..], text].concat();
    for shift in shifts() {
        let verdict = verifier.verdict_in_memory(&spaced[most - shift..])?;
        expect(expected, shift, verdict, || format!("after {shift} spaces"))?;
    }
    // Inside an array, empty input and trailing content are other errors.
    if kind == "EmptyInput" || kind == "TrailingContent" {
        return Ok(());
    }
    let close: &[u8] = if kind == "ok" { b"]" } else { b"" };
    let inside = [&vec![b' '; most][..], b"[0,", text, close].concat();
    for shift in shifts() {
        let verdict = verifier.verdict_in_memory(&inside[most - shift..])?;
        expect(expected, shift + 3, verdict, || format!("in an array after {shift} spaces"))?;
    }
    Ok(())
}

/// Compares a verdict with `ok` or `Kind@offset`, where `shift` is added to the offset.
fn expect(expected: &str, shift: usize, verdict: Verdict, place: impl Fn() -> String) -> Result<(), String> {
    let is_right = match verdict {
        Verdict::Accept => expected == "ok",
        Verdict::Reject(kind, offset) => expected.split_once('@').is_some_and(|(name, number)| {
            format!("{kind:?}") == name && number.parse().is_ok_and(|number: u64| offset == number + shift as u64)
        }),
    };
    if is_right { Ok(()) } else { Err(format!("{verdict} {}", place())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fjson::Isa;

    #[test]
    fn bytes_are_replaced() {
        assert_eq!(bytes("a<00>b<C3><A9>"), b"a\x00b\xc3\xa9");
        assert_eq!(bytes(""), b"");
    }

    #[test]
    fn mislabelled_cases_fail() {
        let verifier = Verifier { kernels: vec![Isa::Portable] };
        assert_eq!(case(&verifier, "ExpectedValue@3 [1,]").failure, None);
        for line in ["ok [1,]", "ExpectedValue@2 [1,]", "ExpectedKey@3 [1,]", "ExpectedValue@3 [1,2]", "yes 1"] {
            assert!(case(&verifier, line).failure.is_some(), "{line}");
        }
    }
}
