//! Inputs that are not JSON, or have something around it, recognized by their beginning.
//!
//! People give a JSON program what another program printed: a log, a response with its header, a script, an archive. A message
//! about the first unexpected character would be correct and useless, so it says what the input is and how to get at the JSON.
//! Tests of the program run the commands in the advice.

#![forbid(unsafe_code)]

use crate::explain::Scene;
use crate::explain::encoding;
use crate::explain::found::Found;
use crate::explain::found::word;
use crate::explain::sentence::Sentence;
use crate::options::Framing;

/// Words that messages of programs begin with.
const LEVELS: [&str; 15] = [
    "trace",
    "debug",
    "info",
    "log",
    "notice",
    "warn",
    "warning",
    "deprecated",
    "deprecationwarning",
    "err",
    "error",
    "severe",
    "critical",
    "fatal",
    "panic",
];

/// Words that JavaScript which assigns a value begins with.
const ASSIGNMENTS: [&str; 9] =
    ["var", "let", "const", "export", "module.exports", "exports", "window", "self", "globalThis"];

/// Removes everything before the first bracket of the document.
const UP_TO_BRACKET: &str = "`sed '1s/^[^[{]*//'`";

/// Describes the beginning of an input that another format, or text, begins with; `None` if it is neither.
pub(super) fn beginning(scene: &Scene<'_>) -> Option<Sentence> {
    if let Some(sentence) = bracketed_prefix(scene) {
        return Some(sentence);
    }
    if !scene.is_first() {
        return None;
    }
    let text = &[scene.stem(), scene.here].concat()[..];
    if let Some(data) = encoding::binary(text) {
        return Some(data);
    }
    let is_line_1 = !scene.before.contains(&b'\n');
    fence(text, is_line_1)
        .or_else(|| header(text))
        .or_else(|| script(text))
        .or_else(|| events(text))
        .or_else(|| base64(text))
        .or_else(|| markup(text))
        .or_else(|| text_before(scene, text))
}

/// Describes a code fence of Markdown, on the first line or after a few lines of text.
fn fence(text: &[u8], is_line_1: bool) -> Option<Sentence> {
    let is_first = text.starts_with(b"```");
    let is_later = text.first().is_some_and(u8::is_ascii_alphanumeric) && find(text, b"\n```").is_some();
    let command = match (is_first, is_later) {
        (true, _) if is_line_1 => "`sed '1d;/^```/,$d'`",
        (true, _) | (_, true) => "`sed '1,/^```/d;/^```/,$d'`",
        _ => return None,
    };
    Some(Sentence::new(
        "found a Markdown code fence, expected a JSON value",
        format!("keep only the lines inside the fence, for example with {command}"),
    ))
}

/// Describes the header of an HTTP response.
fn header(text: &[u8]) -> Option<Sentence> {
    text.starts_with(b"HTTP/").then(|| {
        Sentence::new(
            "found the header of an HTTP response, expected a JSON value",
            "leave the header out: use curl without -i, or remove it with `sed '1,/^\\r*$/d'`",
        )
    })
}

/// Describes a script that contains JSON: an assignment, a call, or a prefix that keeps a browser from running it.
fn script(text: &[u8]) -> Option<Sentence> {
    if text.starts_with(b")]}'") {
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let command = if line.contains(&b'{') || line[3..].contains(&b'[') {
            // The prefix has brackets itself.
            "`sed \"1s/^)]}',*//\"`"
        } else {
            "`sed 1d`"
        };
        let message = "found `)]}'`, which keeps browsers from running JSON as a script, expected a JSON value";
        return Some(Sentence::new(message, format!("remove it, for example with {command}")));
    }
    let name = word(text);
    let rest = text[name.len()..].trim_ascii_start();
    if matches!(name, "while" | "for") && rest.starts_with(b"(") {
        let message = "found a loop, which keeps browsers from running JSON as a script, expected a JSON value";
        return Some(Sentence::new(message, format!("remove it, for example with {UP_TO_BRACKET}")));
    }
    let is_script = |word: &str| ASSIGNMENTS.contains(&word) || word.split('.').next().is_some_and(is_global);
    let assigned = rest.iter().position(|&byte| byte == b'=').map(|at| rest[at + 1..].trim_ascii_start());
    let assigned = assigned.is_some_and(|value| value.starts_with(b"[") || value.starts_with(b"{"));
    if is_script(name) && (assigned || rest.starts_with(b"default")) {
        return Some(Sentence::new(
            "found an assignment of JavaScript, expected a JSON value",
            "keep only the value, for example with `sed -e '1s/^[^[{]*//' -e '$s/;*$//'`",
        ));
    }
    let argument = rest.strip_prefix(b"(").map(<[u8]>::trim_ascii_start)?;
    let is_call = !name.is_empty() && (argument.starts_with(b"{") || argument.starts_with(b"["));
    is_call.then(|| {
        Sentence::new(
            "found a function call around the value (JSONP), expected a JSON value",
            "keep only the argument, for example with `sed -e '1s/^[^(]*(//' -e '$s/);*$//'`",
        )
    })
}

/// Whether a word is an object of browsers or of Node.js to which scripts assign.
fn is_global(word: &str) -> bool {
    matches!(word, "window" | "self" | "globalThis" | "module" | "exports")
}

/// Describes a stream of server-sent events.
fn events(text: &[u8]) -> Option<Sentence> {
    let is_field = |line: &[u8]| [&b"event:"[..], b"id:", b"retry:", b":"].iter().any(|name| line.starts_with(name));
    let data = text.split(|&byte| byte == b'\n').find(|line| !is_field(line))?;
    let value = data.strip_prefix(b"data:")?.trim_ascii_start();
    // A number of spaces, and then the value. A last line like `[DONE]` is no document.
    let command = match value.first()? {
        b'{' => "`sed -n 's/^data: *{/{/p'`",
        b'[' => "`sed -n 's/^data: *\\[/[/p'`",
        _ => return None,
    };
    Some(Sentence::new(
        "found a stream of server-sent events, expected a JSON value",
        format!("keep only the data, for example with {command}, and read it as JSON Lines"),
    ))
}

/// Describes a document that is encoded in base64. The beginnings are those of `{"`, `{` with a line break, `["`, `[{` and so on.
fn base64(text: &[u8]) -> Option<Sentence> {
    const BEGINNINGS: [&[u8]; 9] = [b"eyJ", b"eyA", b"ewo", b"ew0", b"WyJ", b"W3s", b"W1s", b"Wwo", b"Ww0"];
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=');
    let length = text.iter().position(|&byte| !is_digit(byte)).unwrap_or(text.len());
    if length < 8 || !BEGINNINGS.iter().any(|beginning| text.starts_with(beginning)) {
        return None;
    }
    if text[length..].starts_with(b".eyJ") {
        let help = "its parts between the dots are base64url: decode the second one";
        return Some(Sentence::new("found a JSON Web Token, expected a JSON value", help));
    }
    let is_text = text[length..].first().is_none_or(u8::is_ascii_whitespace);
    is_text
        .then(|| Sentence::new("found base64, expected a JSON value", "decode it first, for example with `base64 -d`"))
}

/// Describes HTML and XML.
fn markup(text: &[u8]) -> Option<Sentence> {
    match text {
        [b'<', b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..] if !text.starts_with(b"<!--") => {
            Some(Sentence::new("found `<`, expected a JSON value", "this looks like HTML or XML"))
        }
        _ => None,
    }
}

/// Describes text that a document follows on the same line, or on a later one, and logs.
fn text_before(scene: &Scene<'_>, text: &[u8]) -> Option<Sentence> {
    let word = word(text);
    let after = text[word.len()..].trim_ascii_start().first().copied();
    let is_log = is_log(text, word);
    let is_text = match text.first()? {
        _ if is_log => true,
        // Columns of CSV.
        _ if !word.is_empty() && matches!(after, Some(b',' | b';')) => false,
        b'0'..=b'9' => true,
        // Keys of YAML, TOML or an object without braces.
        _ if !word.is_empty() && matches!(after, Some(b':' | b'=' | b'(')) => false,
        byte if byte.is_ascii_alphabetic() || matches!(byte, b'_' | 0xC2..=0xF4) => true,
        b'<' => text.get(1).is_some_and(u8::is_ascii_digit),
        b'(' | b'>' | b'*' | b'$' | b'+' | b'=' => true,
        _ => false,
    };
    if !is_text {
        return None;
    }
    let message = format!("text before the JSON: found {}, expected a JSON value", Found::at(text).phrase);
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if let Some(at) = opener_in(line) {
        return Some(Sentence::new(message, on_the_same_line(scene, text, line, at)));
    }
    if let Some(later) = text.windows(3).find(|bytes| bytes[0] == b'\n' && begins_json(&bytes[1..])) {
        let open = if later[1] == b'{' { "{" } else { "\\[" };
        let help = match scene.text.record {
            None | Some(1) => format!("remove it, for example with `sed -n '/^{open}/,$p'`"),
            // The documents before it are to be kept.
            Some(_) => "remove it".to_owned(),
        };
        return Some(Sentence::new(message, help));
    }
    let message = format!("found {}, expected a JSON value", Found::at(text).phrase);
    match scene.framing {
        Framing::Lines if is_log => Some(Sentence::new(message, "lines that are not JSON can be skipped")),
        _ if is_log => {
            let help =
                "this looks like a log: if some of its lines are JSON, read it as JSON Lines and skip the others";
            Some(Sentence::new(message, help))
        }
        _ => None,
    }
}

/// Whether a line of a log begins here: with a level, a date or a time, and then other words. `word` is the first one.
fn is_log(text: &[u8], word: &str) -> bool {
    const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = digits(text);
    let is_date_or_time = match text.get(number) {
        Some(b'-' | b'/') => number == 4 && digits(&text[5..]) == 2,
        Some(b':') => number == 2 && digits(&text[3..]) == 2,
        _ => false,
    };
    let rest = &text[word.len()..];
    let is_level = LEVELS.contains(&&*word.to_ascii_lowercase()) && matches!(rest, [b':' | b' ' | b'\t' | b'[', ..]);
    let is_month = word.len() == 3 && MONTHS.split(' ').any(|month| month == word);
    let is_month = is_month && rest.trim_ascii_start().first().is_some_and(u8::is_ascii_digit);
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    (is_date_or_time || is_level || is_month) && line.trim_ascii_end().contains(&b' ')
}

/// Returns the advice for text before an opening bracket at index `at` of the same line.
fn on_the_same_line(scene: &Scene<'_>, text: &[u8], line: &[u8], at: usize) -> String {
    let bracket = line[at];
    let is_first = !line[..at].contains(&bracket);
    // A document on several lines begins with a bracket at the end of a line.
    let spans_lines =
        scene.framing != Framing::Lines && line.len() < text.len() && line.trim_ascii_end().len() == at + 1;
    let first_line = if spans_lines { "1" } else { "" };
    let rest = if spans_lines || scene.framing == Framing::Lines { "" } else { ", and read the rest as JSON Lines" };
    let what = if spans_lines { "remove it" } else { "remove it from each line" };
    let skip = match (line[..at].contains(&b'{'), line[..at].contains(&b'[')) {
        _ if spans_lines => "",
        (false, false) => ", or let it be skipped",
        (false, true) if bracket == b'{' => ", or let it be skipped up to the first `{`",
        _ => "",
    };
    if is_first {
        format!("{what}, for example with `sed '{first_line}s/^[^{}]*//'`{rest}{skip}", char::from(bracket))
    } else {
        format!("{what}{rest}{skip}")
    }
}

/// Describes text in brackets before a document, as in `[INFO] {"a": 1}`.
fn bracketed_prefix(scene: &Scene<'_>) -> Option<Sentence> {
    let stem = scene.stem();
    let before = scene.before.strip_suffix(stem)?.trim_ascii();
    if !scene.from_start || before != b"[" {
        return None;
    }
    let text = &[b"[", stem, scene.here].concat()[..];
    let end = text.iter().position(|&byte| byte == b']')?;
    let is_word = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b':' | b'-' | b'/');
    let is_text = text[1..end].iter().any(is_word) && !text[1..end].iter().any(|byte| b"\",{[".contains(byte));
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    if !is_text || end > line.len() || text.get(end + 1).is_none_or(|byte| !matches!(byte, b' ' | b'\t')) {
        return None;
    }
    let at = end + 1 + opener_in(&line[end + 1..])?;
    let message = "text before the JSON: found a word in brackets, expected a JSON value";
    Some(Sentence::new(message, on_the_same_line(scene, text, line, at)))
}

/// Returns the index of the bracket that a document begins with inside a line of text.
fn opener_in(line: &[u8]) -> Option<usize> {
    (1..line.len()).find(|&at| {
        let is_apart = line[at - 1].is_ascii_whitespace() || matches!(line[at - 1], b':' | b'|' | b'=' | b'>' | b']');
        let next = line[at + 1..].trim_ascii_start().first().copied();
        is_apart
            && match line[at] {
                b'{' => next.is_none_or(|next| matches!(next, b'"' | b'}')),
                b'[' => matches!(next, Some(b'"' | b'{' | b'[')),
                _ => false,
            }
    })
}

/// Whether two bytes at the start of a line begin a document.
fn begins_json(bytes: &[u8]) -> bool {
    match *bytes {
        [b'{', next] => next.is_ascii_whitespace() || matches!(next, b'"' | b'}'),
        [b'[', next] => {
            next.is_ascii_whitespace() || next.is_ascii_digit() || matches!(next, b'"' | b'{' | b'[' | b']')
        }
        _ => false,
    }
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    memchr::memmem::find(text, part)
}
