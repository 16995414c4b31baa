//! Tests of error messages: every example of `vocabulary.txt`, and properties that hold for all errors.

#![forbid(unsafe_code)]

use serde_json::Value;

use super::LOOK_AHEAD;
use super::LOOK_BACK;
use super::Reader;
use super::Text;
use super::explain;
use super::random::Random;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::error::Fault;
use crate::error::Opener;
use crate::error::Position;
use crate::options::Framing;

/// Returns the error of the first document of an input; `None` if the document is valid.
fn error_of(input: &[u8], framing: Framing, max_depth: Option<u64>) -> Option<Error> {
    let (document, fault) = fault_of(input, framing, max_depth)?;
    let record = (framing != Framing::Document).then_some(1);
    Some(explain(fault, &Text { document, framing, record, ..Text::whole(input) }))
}

/// Returns the start of the first document and its fault; `None` if the document is valid.
fn fault_of(input: &[u8], framing: Framing, max_depth: Option<u64>) -> Option<(u64, Fault)> {
    let (start, terminator) = match framing {
        Framing::Document | Framing::Documents | Framing::Stream => (0, None),
        Framing::Lines => (0, Some(b'\n')),
        Framing::Sequence if input.first().is_none_or(|&byte| byte == 0x1E) => (input.len().min(1), Some(0x1E)),
        Framing::Sequence => return Some((0, Fault::new(ErrorKind::MissingSeparator, 0))),
    };
    let mut reader = Reader::new(start as u64, max_depth);
    let record = input[start..].split(|&byte| Some(byte) == terminator).next()?;
    let end = Fault::new(ErrorKind::UnexpectedEnd, (start + record.len()) as u64);
    let fault = reader.feed(record).and_then(|()| reader.finish()).err();
    let may_be_truncated = framing == Framing::Sequence && record.last().is_some_and(u8::is_ascii_digit);
    Some((start as u64, fault.or(may_be_truncated.then_some(end))?))
}

/// Returns the error that a stricter profile reports for a valid document. `fault` is the kind, the offset and, for a
/// duplicate key, the offset of the first use, separated by colons.
fn error_of_profile(input: &[u8], fault: &str) -> Error {
    let mut parts = fault.split(':');
    let kinds = [ErrorKind::DuplicateKey, ErrorKind::LoneSurrogate, ErrorKind::Noncharacter, ErrorKind::InexactNumber];
    let kind = parts.next().and_then(|name| kinds.into_iter().find(|kind| format!("{kind:?}") == name));
    let mut numbers = parts.map(|number| number.parse().expect("a number"));
    let fault = Fault::new(kind.expect("a kind"), numbers.next().expect("an offset"));
    let fault = Fault { earlier: numbers.next(), ..fault };
    explain(fault, &Text::whole(input))
}

/// Formats an example of `vocabulary.txt`: the input, the kind and location of the error, the message, the help.
fn example(title: &str) -> String {
    let (options, input) = title.split_once(' ').expect("a space before the input");
    let input = bytes_of(input);
    let (framing, max_depth) = match options {
        "▶" => (Framing::Document, None),
        "▶lines" => (Framing::Lines, None),
        "▶seq" => (Framing::Sequence, None),
        "▶stream" => (Framing::Stream, None),
        options => (Framing::Document, options.strip_prefix("▶depth=").map(|depth| depth.parse().expect("a number"))),
    };
    let error = match options.strip_prefix("▶fault=") {
        Some(fault) => Some(error_of_profile(&input, fault)),
        None => error_of(&input, framing, max_depth),
    };
    let Some(error) = error else { return format!("{title}\n  valid") };
    let mut example = format!("{title}\n  {:?} at {}", error.kind(), error.offset());
    let place = |Position { line, column }| format!(" = {line}:{column}");
    example += &error.position().map_or(String::new(), place);
    example += &error.pointer().map_or(String::new(), |pointer| format!(" in {pointer:?}"));
    example += &error.opener().map_or(String::new(), |Opener { bracket, offset, position }| {
        format!(" of {bracket} at {offset}") + &place(position)
    });
    example += &error.earlier().map_or(String::new(), |earlier| {
        format!(" first at {}", earlier.offset) + &earlier.position.map_or(String::new(), place)
    });
    example += "\n  ";
    example += &error.to_string();
    example += &error.help().map_or(String::new(), |help| format!("\n  help: {help}"));
    example
}

/// Returns the bytes of an input, in which `‹0A›` is the byte 0x0A.
fn bytes_of(title: &str) -> Vec<u8> {
    let mut pieces = title.split('‹');
    let mut bytes = pieces.next().unwrap_or_default().as_bytes().to_vec();
    for piece in pieces {
        let (byte, text) = piece.split_once('›').expect("‹hex›");
        bytes.extend(u8::from_str_radix(byte, 16));
        bytes.extend(text.as_bytes());
    }
    bytes
}

#[test]
fn the_vocabulary() {
    let blocks = include_str!("vocabulary.txt").split("\n\n").filter(|block| block.starts_with('▶'));
    let mut count = 0;
    for block in blocks {
        let title = block.lines().next().unwrap_or_default();
        assert_eq!(example(title), block.trim_end_matches('\n'));
        count += 1;
    }
    assert!(count > 200, "{count} examples");
}

/// Returns broken documents of every framing, some of them after a long text, and their errors.
fn broken_documents(seed: u64, count: usize) -> impl Iterator<Item = (Vec<u8>, Framing, Error)> {
    let mut random = Random::new(seed);
    (0..count).filter_map(move |_| {
        let document = random.document();
        let mut input = random.broken(&document);
        let framing = [Framing::Document, Framing::Lines, Framing::Stream, Framing::Sequence][random.below(4)];
        let max_depth = [None, None, Some(2)][random.below(3)];
        match random.below(8) {
            0 | 1 => input = [b"[\"", "long €".repeat(80).as_bytes(), b"\",", &input, b"]"].concat(),
            2 | 3 => input = [b"[1,\r\n\"text\",", &b" ".repeat(300)[..], &input, b"]\n"].concat(),
            4 => {
                input =
                    [b"[\"", "long €".repeat(80).as_bytes(), b"\",\n", &b" ".repeat(random.below(300)), b"\n"].concat();
            }
            _ => {}
        }
        if framing == Framing::Sequence && random.below(8) > 0 {
            input.insert(0, 0x1E);
        }
        let error = error_of(&input, framing, max_depth)?;
        Some((input, framing, error))
    })
}

#[test]
fn every_message_is_safe_to_print() {
    let is_unsafe = |character: char| {
        character.is_control()
            || matches!(character, '\u{61C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    for (input, _, error) in broken_documents(2, 40_000) {
        for text in [&*error.to_string(), error.help().unwrap_or("x")] {
            let shown = || format!("{:?}: {text}", input.escape_ascii().to_string());
            assert!(!text.contains(is_unsafe), "{}", shown());
            let is_lower = text.starts_with(|first: char| first.is_ascii_lowercase());
            assert!(is_lower || text.starts_with("JSON"), "{}", shown());
            assert!(!text.ends_with('.') && !text.contains("found the end"), "{}", shown());
            assert!(text.chars().count() < 200, "{}", shown());
        }
    }
}

/// Formats the excerpt of the first error: line number, `^` before the invalid byte, `…` where the line continues.
fn excerpt(document: &str) -> String {
    let error = error_of(document.as_bytes(), Framing::Document, None).expect("an error");
    let Some(excerpt) = error.excerpt() else { return String::new() };
    let (left, right) = excerpt.bytes.split_at(excerpt.caret);
    let dots = |cut| if cut { "…" } else { "" };
    let [left, right] = [left, right].map(String::from_utf8_lossy);
    format!("{}: {}{left}^{right}{}", excerpt.line, dots(excerpt.cut_left), dots(excerpt.cut_right))
}

#[test]
fn excerpts() {
    for (document, shown) in [
        ("[1 2]", "1: [1 ^2]"),
        ("[\n  1 2,\n  3\n]", "2:   1 ^2,"),
        ("[\r\n  1 2,\r\n  3\r\n]", "2:   1 ^2,"),
        ("[\"a\nb\"]", "1: [\"a^"),
        ("[\"a\r\nb\"]", "1: [\"a^"),
        ("[1,", "1: [1,^"),
        ("[1,\n", "1: [1,^"),
        ("[1,\r\n", "1: [1,^"),
        ("[1,  \n \n\n ", "1: [1,^  "),
        ("[1,  ", "1: [1,  ^"),
        ("", ""),
        (" \n \n", ""),
    ] {
        assert_eq!(excerpt(document), shown, "{document:?}");
    }
    for shift in 0..4 {
        let (left, right) = ("x".repeat(shift), "x".repeat(3 - shift));
        let long = excerpt(&format!("[\"{}{left}\" {right}{}]", "😀".repeat(40), "😀".repeat(40)));
        let (before, after) = ("😀".repeat((98 - shift) / 4), "😀".repeat((57 + shift) / 4));
        assert_eq!(long, format!("1: …{before}{left}\" ^{right}{after}…"));
    }
}

#[test]
fn the_excerpt_is_the_line_of_the_error() {
    for (input, _, error) in broken_documents(3, 40_000) {
        let at = usize::try_from(error.offset()).expect("a short input");
        let position = error.position().expect("a position");
        let lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').collect();
        let line = usize::try_from(position.line).expect("few lines") - 1;
        let start = at - lines[..line].iter().map(|line| line.len() + 1).sum::<usize>().min(at);
        let Some(excerpt) = error.excerpt() else {
            assert!(lines[line].trim_ascii().is_empty() || error.kind() == ErrorKind::EmptyInput);
            continue;
        };
        let shown = usize::try_from(excerpt.line).expect("few lines") - 1;
        let is_before = shown < line;
        let between = lines[shown + usize::from(is_before)..line].concat();
        assert!(!is_before || error.kind() == ErrorKind::UnexpectedEnd && between.trim_ascii().is_empty());
        let whole = lines[shown];
        let whole = if shown + 1 < lines.len() { whole.strip_suffix(b"\r").unwrap_or(whole) } else { whole };
        let caret = if is_before { whole.trim_ascii_end().len() } else { start.min(whole.len()) };
        let (left, right) = excerpt.bytes.split_at(excerpt.caret);
        assert!(whole[..caret].ends_with(left) && whole[caret..].starts_with(right), "{}", input.escape_ascii());
        assert_eq!((excerpt.cut_left, excerpt.cut_right), (left.len() < caret, right.len() < whole.len() - caret));
        assert!(left.len() <= 100 && right.len() <= 60);
        assert!(left.len() >= caret.min(97) && right.len() >= (whole.len() - caret).min(57));
    }
}

#[test]
fn a_window_around_the_fault_suffices() {
    for (input, framing, error) in broken_documents(4, 40_000) {
        let (document, _) = fault_of(&input, framing, None).or(fault_of(&input, framing, Some(2))).expect("a fault");
        let fault = Fault {
            earlier: error.earlier().map(|earlier| earlier.offset),
            ..Fault::new(error.kind(), error.offset())
        };
        let at = usize::try_from(error.offset()).expect("a short input");
        let end = input.len().min(at + LOOK_AHEAD);
        let record = (framing != Framing::Document).then_some(1);
        let whole = Text { document, framing, record, ..Text::whole(&input[..end]) };
        assert_eq!(format!("{:?}", explain(fault, &whole)), format!("{error:?}"), "{}", input.escape_ascii());

        let start = at.saturating_sub(LOOK_BACK);
        let window = Text { bytes: &input[start..end], base: start as u64, at: whole.position(start), ..whole };
        let from_window = explain(fault, &window);
        assert_eq!(
            (from_window.kind(), from_window.offset(), from_window.position()),
            (error.kind(), error.offset(), error.position())
        );
        assert_eq!(
            (from_window.excerpt(), from_window.record()),
            (error.excerpt(), error.record()),
            "{}",
            input.escape_ascii()
        );
        let is_cut = start as u64 > document;
        let message_has_place = matches!(
            error.kind(),
            ErrorKind::UnexpectedEnd
                | ErrorKind::ExpectedCommaOrClose
                | ErrorKind::MismatchedClose
                | ErrorKind::DepthLimit
        );
        if !is_cut || !message_has_place {
            assert_eq!(
                (from_window.to_string(), from_window.help()),
                (error.to_string(), error.help()),
                "{}",
                input.escape_ascii()
            );
        }
        assert_eq!(
            (from_window.pointer(), from_window.opener()),
            if is_cut { (None, None) } else { (error.pointer(), error.opener()) }
        );
    }
}

/// Returns the indexes of all bytes of a valid document that are not inside strings.
fn outside_strings(document: &str) -> Vec<usize> {
    let (mut in_string, mut escaped) = (false, false);
    let mut indexes = Vec::new();
    for (index, byte) in document.bytes().enumerate() {
        match byte {
            b'"' if !escaped => in_string = !in_string,
            _ if !in_string => indexes.push(index),
            _ => {}
        }
        escaped = in_string && byte == b'\\' && !escaped;
    }
    indexes
}

fn members(value: &Value) -> usize {
    match value {
        Value::Array(values) => values.iter().map(members).sum(),
        Value::Object(object) => object.values().map(|value| 1 + members(value)).sum(),
        _ => 0,
    }
}

#[test]
fn a_pointer_leads_to_the_value() {
    let mut random = Random::new(5);
    let mut count = 0;
    for _ in 0..20_000 {
        let document = random.document();
        let outside = outside_strings(&document);
        let colons = outside.iter().filter(|&&index| document.as_bytes()[index] == b':').count();
        for index in outside {
            let Some(rest) = ["null", "true", "12"].iter().find_map(|value| document[index..].strip_prefix(value))
            else {
                continue;
            };
            let marked: Value = serde_json::from_str(&format!("{}\"@@\"{rest}", &document[..index])).expect("valid");
            if members(&marked) < colons {
                continue; // Duplicate keys.
            }
            for bad in ["?", "tru?", "1.", "\"\\?\"", "\"\u{1}\""] {
                let broken = format!("{}{bad}{rest}", &document[..index]);
                let error = error_of(broken.as_bytes(), Framing::Document, None).expect("an error");
                let pointer = error.pointer().expect("a pointer");
                assert_eq!(marked.pointer(pointer), Some(&Value::from("@@")), "{broken}: {pointer}");
            }
            count += 1;
        }
    }
    assert!(count > 2000, "{count} values");
}

#[test]
fn the_opener_is_the_innermost_bracket() {
    let mut random = Random::new(6);
    for _ in 0..2000 {
        let document = random.document();
        let mut open = Vec::new();
        for index in outside_strings(&document) {
            if let Some(error) = error_of(&document.as_bytes()[..index], Framing::Document, None) {
                let opener = error.opener().map(|opener| (opener.bracket, opener.offset));
                assert_eq!(opener, open.last().copied(), "{}", &document[..index]);
            }
            match document.as_bytes()[index] {
                bracket @ (b'[' | b'{') => open.push((char::from(bracket), index as u64)),
                b']' | b'}' => drop(open.pop()),
                _ => {}
            }
        }
    }
}

#[test]
fn deep_documents() {
    let error = |document: &str| error_of(document.as_bytes(), Framing::Document, None).expect("an error");
    let deep = "[".repeat(1_000_000);
    assert_eq!((error(&deep).pointer(), error(&deep).opener().map(|opener| opener.offset)), (None, Some(999_999)));
    let back = format!("{}{{\"a\":0}}{}}}", "[".repeat(3000), "]".repeat(500));
    assert_eq!((error(&back).pointer(), error(&back).opener().map(|opener| opener.offset)), (None, Some(2499)));
    let levels = |levels| error(&format!("{}?", "[".repeat(levels))).pointer().map(str::len);
    assert_eq!((levels(1024), levels(1025)), (Some(2048), None));
    let objects = |depth: usize| error(&"{\"a\":".repeat(depth)).to_string();
    assert_eq!([objects(1), objects(2000)], ["unexpected end of input after a colon, expected a value"; 2]);
    let key = |end: &str| error(&format!("{}{{\"a\"{end}", "[".repeat(2000))).to_string();
    assert_eq!(key(""), "unexpected end of input after a key, expected `:`");
    assert_eq!(key(":0,\"b"), "unexpected end of input inside the key that starts at line 1 column 2008");
}

#[test]
fn a_pointer_is_never_guessed() {
    let pointer = |document: &str| {
        let error = error_of(document.as_bytes(), Framing::Document, None).expect("an error");
        error.pointer().map(str::to_owned)
    };
    assert_eq!(pointer(r#"{"\ud83d":?}"#), None, "a lone surrogate has no UTF-8 form");
    assert_eq!(pointer(r#"{"\ud83d\u0041":?}"#), None);
    assert_eq!(pointer(r#"{"\ude00":?}"#), None);
    assert_eq!(pointer(r#"{"\ud83d\ude00\/":?}"#).as_deref(), Some("/😀~1"));
    assert_eq!(pointer(&format!("{{\"{}\":?}}", "x".repeat(4095))).map(|pointer| pointer.len()), Some(4096));
    assert_eq!(pointer(&format!("{{\"{}\":?}}", "x".repeat(4096))), None);
}

#[test]
fn distant_commas_are_not_mentioned() {
    let document = format!("[1,{}]", " ".repeat(300));
    let error = error_of(document.as_bytes(), Framing::Document, None).expect("an error");
    assert_eq!(error.to_string(), "found `]`, expected a value");
    assert_eq!(error.help(), None);
}
