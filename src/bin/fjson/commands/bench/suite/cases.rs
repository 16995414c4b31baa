//! Our own cases, written from RFC 8259 production by production (`corpus/cases`), and carried in the program.
//!
//! Each is a document and exactly what must be said about it. An engine that looks at 64 bytes and more at a time may be
//! right about a document and wrong about where it lies, so each is run at every distance from the borders that matter,
//! and again as the last element of an array.

#![forbid(unsafe_code)]

use crate::commands::bench::figures::real;
use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Judge;
use crate::commands::bench::suite::Suite;
use crate::commands::bench::suite::judge::Verdict;

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

/// All distances from a border of 64 bytes, and the next one too.
const NEAR: usize = 130;

/// Borders of wider superblocks and of tiles.
const FAR: [usize; 4] = [256, 512, 2048, 4096];

pub fn run(judge: &Judge, progress: &mut dyn FnMut(&str, f64)) -> Suite {
    let mut categories = Vec::new();
    for (number, (name, text)) in FILES.into_iter().enumerate() {
        progress("our own cases", real(number) / real(FILES.len()));
        let cases: Vec<_> = lines(text).map(|line| case(judge, line)).collect();
        categories.push(Category { name, demand: "exact", published: cases.len(), cases, not_run: None });
    }
    Suite { name: "RFC 8259, our cases", place: None, categories }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn case(judge: &Judge, line: &str) -> Case {
    let (expected, document) = line.split_once(' ').unwrap_or((line, ""));
    let text = bytes(document.trim_start());
    Case {
        name: line.split_ascii_whitespace().collect::<Vec<_>>().join(" "),
        failure: everywhere(judge, &text, expected).err(),
        accepted: expected == "ok",
    }
}

/// The document with `<XX>` replaced by the byte of that value.
fn bytes(document: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in document.split('<') {
        let coded = part.split_once('>').and_then(|(hex, rest)| Some((u8::from_str_radix(hex, 16).ok()?, rest)));
        bytes.extend(coded.map(|(byte, _)| byte));
        bytes.extend_from_slice(coded.map_or(part, |(_, rest)| rest).as_bytes());
    }
    bytes
}

/// The case as it stands, and in all its places.
fn everywhere(judge: &Judge, text: &[u8], expected: &str) -> Result<(), String> {
    expect(expected, 0, judge.verdict(text)?, || "as it stands".to_owned())?;
    let kind = expected.split('@').next().unwrap_or(expected);
    // The encoding is told by the very first bytes.
    if kind == "Encoding" {
        return Ok(());
    }
    let most = FAR[FAR.len() - 1] + 1;
    let shifts =
        || (0..=NEAR).chain(FAR.into_iter().flat_map(|border| border.saturating_sub(text.len() + 4)..=border + 1));
    let blanks = [&vec![b' '; most][..], text].concat();
    for shift in shifts() {
        let verdict = judge.verdict_in_memory(&blanks[most - shift..])?;
        expect(expected, shift, verdict, || format!("behind {shift} blanks"))?;
    }
    // Inside an array, an end that was missing and content that was too much are something else.
    if kind == "EmptyInput" || kind == "TrailingContent" {
        return Ok(());
    }
    let close: &[u8] = if kind == "ok" { b"]" } else { b"" };
    let inside = [&vec![b' '; most][..], b"[0,", text, close].concat();
    for shift in shifts() {
        let verdict = judge.verdict_in_memory(&inside[most - shift..])?;
        expect(expected, shift + 3, verdict, || format!("in an array behind {shift} blanks"))?;
    }
    Ok(())
}

/// Compares a verdict with one that is written as `ok` or `Kind@offset`, moved by `shift` bytes.
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
    fn every_case_is_run_and_none_fails() {
        let suite = run(&Judge { kernels: Isa::available().collect() }, &mut |_, _| {});
        for category in &suite.categories {
            assert!(category.cases.len() > 10, "{}", category.name);
            let failed: Vec<_> = category.failed().map(|(case, failure)| (&case.name, failure)).collect();
            assert!(failed.is_empty(), "{failed:#?}");
        }
    }

    /// The test of the test: what is wrong is seen, whatever is wrong about it.
    #[test]
    fn mislabelled_cases_fail() {
        let judge = Judge { kernels: vec![Isa::Portable] };
        assert_eq!(case(&judge, "ExpectedValue@3 [1,]").failure, None);
        for line in ["ok [1,]", "ExpectedValue@2 [1,]", "ExpectedKey@3 [1,]", "ExpectedValue@3 [1,2]", "yes 1"] {
            assert!(case(&judge, line).failure.is_some(), "{line}");
        }
    }
}
