//! What stands where something else should: foreign things named as what they are, harmless to print.
//!
//! The bytes at a fault are the least trusted of all. Whatever a terminal would obey or nobody could see is written as
//! `\u{…}`, what is not UTF-8 as `\xNN`, and long words are cut.

#![forbid(unsafe_code)]

/// The most characters of the input that are shown in a sentence.
pub(super) const SHOWN: usize = 20;

/// The whitespace there is.
const BLANKS: &str = "between values only space, tab, line feed and carriage return may stand";

/// Something that stands in the input, as a sentence names it.
pub(super) struct Found {
    /// What follows "found".
    pub(super) phrase: String,
    /// What to do about it, if it is foreign to JSON.
    pub(super) help: Option<String>,
}

impl Found {
    fn plain(phrase: impl Into<String>) -> Self {
        Self { phrase: phrase.into(), help: None }
    }

    fn foreign(phrase: impl Into<String>, help: impl Into<String>) -> Self {
        Self { phrase: phrase.into(), help: Some(help.into()) }
    }

    /// What `here` starts with, outside of strings.
    pub(super) fn at(here: &[u8]) -> Self {
        match here {
            [b'/', b'/' | b'*', ..] | [b'#', ..] | [b'<', b'!', b'-', b'-', ..] => {
                return Self::foreign("a comment", "JSON has no comments: remove it");
            }
            [b'<', b'<', b'<', b'<', ..] | [b'=', b'=', b'=', b'=', ..] | [b'>', b'>', b'>', b'>', ..] => {
                return Self::foreign("a merge conflict marker", "resolve the conflict and remove the markers");
            }
            [b'\'', ..] => return Self::foreign("a single quote", "JSON strings stand in double quotes"),
            [b'`', ..] => return Self::foreign("a backquote", "JSON strings stand in double quotes"),
            [b'\\', ..] => return Self::foreign("a backslash", "escapes stand in strings only"),
            [b'.', b'.', b'.', ..] => return Self::foreign("`...`", "write out what was left out here"),
            _ => {}
        }
        let word = word(here);
        if !word.is_empty() {
            return Self::plain(quoted(word.as_bytes()));
        }
        Self::character_at(here)
    }

    /// The first character of `here`.
    pub(super) fn character_at(here: &[u8]) -> Self {
        match (front(here).chars().next(), here.first()) {
            (Some(character), _) => Self::character(character),
            (None, Some(byte)) => Self::plain(format!("the byte 0x{byte:02X}")),
            (None, None) => Self::plain("the end"),
        }
    }

    fn character(character: char) -> Self {
        let code = u32::from(character);
        if let Some(name) = control_name(character) {
            let help = match character {
                '\0' => Some("the file may be damaged, or padded with zero bytes"),
                '\u{1A}' => Some("it marked the end of a file on old systems: remove it"),
                '\u{1B}' => Some("remove the terminal's colour codes"),
                '\u{1E}' => Some("read the input as a sequence of records"),
                '\u{B}' | '\u{C}' => Some(BLANKS),
                _ => None,
            };
            return Self { phrase: name.to_owned(), help: help.map(str::to_owned) };
        }
        if let Some(name) = space_name(character) {
            let phrase = format!("{name} (U+{code:04X})");
            let help = if code == 0xFEFF { "remove it: it may be left over from joined files" } else { BLANKS };
            return Self::foreign(phrase, help);
        }
        let phrase = quoted(character.encode_utf8(&mut [0; 4]).as_bytes());
        match look_alike(character) {
            Some(ascii) => Self::foreign(format!("{phrase} (U+{code:04X})"), format!("write `{ascii}`")),
            None if character.is_control() => Self::plain(format!("the control character U+{code:04X}")),
            None => Self::plain(phrase),
        }
    }
}

/// What a control character is called; the four that are whitespace in JSON too.
fn control_name(character: char) -> Option<&'static str> {
    Some(match character {
        ' ' => "a space",
        '\t' => "a tab",
        '\n' | '\r' => "a line break",
        '\0' => "a NUL (U+0000)",
        '\u{8}' => "a backspace (U+0008)",
        '\u{B}' => "a vertical tab (U+000B)",
        '\u{C}' => "a form feed (U+000C)",
        '\u{1A}' => "a Ctrl-Z (U+001A)",
        '\u{1B}' => "an escape character (U+001B)",
        '\u{1E}' => "a record separator (U+001E)",
        '\u{7F}' => "a delete character (U+007F)",
        _ => return None,
    })
}

/// What a character is called that looks like a space, or like nothing, and is not whitespace in JSON.
fn space_name(character: char) -> Option<&'static str> {
    Some(match character {
        '\u{85}' => "a next line character",
        '\u{A0}' => "a no-break space",
        '\u{AD}' => "a soft hyphen",
        '\u{2000}'..='\u{200A}' => "a typographic space",
        '\u{200B}' => "a zero width space",
        '\u{200C}' | '\u{200D}' => "a zero width joiner",
        '\u{2028}' => "a line separator",
        '\u{2029}' => "a paragraph separator",
        '\u{202F}' => "a narrow no-break space",
        '\u{2060}' => "a word joiner",
        '\u{3000}' => "an ideographic space",
        '\u{FEFF}' => "a byte order mark",
        _ if is_bidirectional(character) => "a text direction mark",
        _ => return None,
    })
}

/// The ASCII character that one from a word processor or an input method should have been.
fn look_alike(character: char) -> Option<char> {
    Some(match character {
        '\u{2018}' | '\u{2019}' | '\u{201A}' | '\u{201C}' | '\u{201D}' | '\u{201E}' | '\u{201F}' | '«' | '»' | '‹'
        | '›' | '「' | '」' | '\u{FF02}' | '\u{FF07}' | '´' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FF0D}' => '-',
        '，' | '、' => ',',
        '：' => ':',
        '［' | '【' => '[',
        '］' | '】' => ']',
        '｛' => '{',
        '｝' => '}',
        _ => return None,
    })
}

/// Whether a character changes the direction in which text around it is shown.
fn is_bidirectional(character: char) -> bool {
    matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The longest part of the front of `bytes` that is UTF-8.
fn front(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// The word at the front of `here`: a name, a number, or what was meant to be one.
pub(super) fn word(here: &[u8]) -> &str {
    let text = front(here);
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '-' | '.');
    &text[..text.find(|character| !is_word(character)).unwrap_or(text.len())]
}

/// Bytes of the input between backquotes, harmless and cut.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut shown = bytes.utf8_chunks().flat_map(|chunk| {
        chunk.valid().chars().map(harmless).chain(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")))
    });
    let front: String = shown.by_ref().take(SHOWN).collect();
    let cut = if shown.next().is_some() { "…" } else { "" };
    format!("`{front}{cut}`")
}

/// A character as it may be printed.
fn harmless(character: char) -> String {
    if character.is_control() || space_name(character).is_some() {
        format!("\\u{{{:x}}}", u32::from(character))
    } else {
        character.to_string()
    }
}
