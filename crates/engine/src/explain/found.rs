//! Names for unexpected input in error messages, safe to print on a terminal.
//!
//! The bytes at an error are untrusted. Control and invisible characters are written as `\u{…}`, bytes that are not UTF-8
//! as `\xNN`, and long words are truncated.

#![forbid(unsafe_code)]

/// Maximum number of characters of the input that a message shows.
pub(super) const SHOWN: usize = 20;

/// The end of advice about what JSON with comments allows.
pub(super) const READ_AS_JSONC: &str = "or read the input as JSON with comments";

const WHITESPACE: &str = "only space, tab, line feed and carriage return are allowed between values";

/// A piece of unexpected input, described for a message.
pub(super) struct Found {
    /// The words after "found".
    pub(super) phrase: String,
    /// Advice, if JSON has no such thing.
    pub(super) help: Option<String>,
}

impl Found {
    fn plain(phrase: impl Into<String>) -> Self {
        Self { phrase: phrase.into(), help: None }
    }

    fn foreign(phrase: impl Into<String>, help: impl Into<String>) -> Self {
        Self { phrase: phrase.into(), help: Some(help.into()) }
    }

    /// Describes what `here` begins with, outside strings.
    pub(super) fn at(here: &[u8]) -> Self {
        match here {
            [b'#', b'{', ..] => {}
            [b'#', ..] | [b'<', b'!', b'-', b'-', ..] => {
                return Self::foreign("a comment", "JSON has no comments: remove it");
            }
            // Where comments are accepted, nothing else is left of one.
            [b'/', b'*', rest @ ..] if rest.iter().all(u8::is_ascii_whitespace) => {
                return Self::foreign("a comment that does not end", "end it with `*/`");
            }
            [b'/', b'/' | b'*', ..] => {
                let help = format!("JSON has no comments: remove it, {READ_AS_JSONC}");
                return Self::foreign("a comment", help);
            }
            [b'<', b'<', b'<', b'<', ..] | [b'=', b'=', b'=', b'=', ..] | [b'>', b'>', b'>', b'>', ..] => {
                return Self::foreign("a merge conflict marker", "resolve the conflict and remove the markers");
            }
            [b'`', b'`', b'`', ..] => {
                return Self::foreign("a Markdown code fence", "remove the lines of the fence");
            }
            [b'\'', ..] => return Self::foreign("a single quote", "JSON strings use double quotes"),
            [b'`', ..] => return Self::foreign("a backquote", "JSON strings use double quotes"),
            [b'\\', ..] => return Self::foreign("a backslash", "escape sequences are allowed only in strings"),
            [b'.', b'.', b'.', ..] => return Self::foreign("`...`", "write out what was omitted here"),
            _ => {}
        }
        if let Some(placeholder) = placeholder(here) {
            let phrase = format!("the placeholder {}", quoted(placeholder));
            return Self::foreign(phrase, "fill in the placeholders of the template first");
        }
        let word = word(here);
        if !word.is_empty() {
            return Self::plain(quoted(word.as_bytes()));
        }
        Self::character_at(here)
    }

    /// Describes the first character of `here`.
    pub(super) fn character_at(here: &[u8]) -> Self {
        match (utf8_prefix(here).chars().next(), here.first()) {
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
                '\u{1B}' => Some("remove the terminal's color codes"),
                '\u{1E}' => Some("read the input as a JSON text sequence"),
                '\u{B}' | '\u{C}' => Some(WHITESPACE),
                _ => None,
            };
            return Self { phrase: name.to_owned(), help: help.map(str::to_owned) };
        }
        if let Some(name) = space_name(character) {
            let phrase = format!("{name} (U+{code:04X})");
            let help =
                if code == 0xFEFF { "remove it: it may be left over from concatenated files" } else { WHITESPACE };
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

/// Returns the name of a control character, or of one of the four whitespace characters of JSON.
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

/// Returns the name of an invisible or space-like character that is not whitespace in JSON.
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

/// Returns the ASCII character that was probably meant by a character from a word processor or input method.
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

/// Whether a character changes the display direction of the text around it.
fn is_bidirectional(character: char) -> bool {
    matches!(character, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns the longest prefix of `bytes` that is UTF-8.
fn utf8_prefix(bytes: &[u8]) -> &str {
    bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}

/// Returns the placeholder of a template at the start of `here`, for which a shell, a build tool or a template engine writes a value:
/// `${X}`, `$X`, `#{x}`, `<%= x %>`, `%X%`, `%(x)s`, `@X@`.
pub(super) fn placeholder(here: &[u8]) -> Option<&[u8]> {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name = here.iter().skip(1).take_while(|byte| is_name(byte)).count();
    let to = |end: &[u8]| Some(&here[..memchr::memmem::find(here.get(2..)?, end)? + 2 + end.len()]);
    match here {
        [b'$' | b'#', b'{', ..] => to(b"}"),
        [b'$', b'(', ..] => to(b")"),
        [b'<', b'%', ..] => to(b"%>"),
        [b'%', b'(', ..] => to(b")s"),
        [b'$', ..] if name > 0 => Some(&here[..=name]),
        [b'%' | b'@', ..] if name > 0 && here.get(name + 1) == here.first() => Some(&here[..name + 2]),
        _ => None,
    }
}

/// Returns the word at the start of `here`: an unquoted key, a number, a literal, or a misspelled one.
pub(super) fn word(here: &[u8]) -> &str {
    let text = utf8_prefix(here);
    let is_word = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '-' | '.');
    &text[..text.find(|character| !is_word(character)).unwrap_or(text.len())]
}

/// Quotes bytes of the input between backquotes, escaped for printing and truncated.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut shown = bytes.utf8_chunks().flat_map(|chunk| {
        chunk.valid().chars().map(printable).chain(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")))
    });
    let start: String = shown.by_ref().take(SHOWN).collect();
    let ellipsis = if shown.next().is_some() { "…" } else { "" };
    format!("`{start}{ellipsis}`")
}

/// Returns a character in a form that is safe to print.
fn printable(character: char) -> String {
    if character.is_control() || space_name(character).is_some() {
        format!("\\u{{{:x}}}", u32::from(character))
    } else {
        character.to_string()
    }
}

/// Advises to put a word in double quotes.
pub(super) fn in_quotes(word: &str) -> String {
    match quoted(format!("\"{word}\"").as_bytes()) {
        shown if shown.ends_with("\"`") => format!("put it in double quotes: {shown}"),
        _ => "put it in double quotes".to_owned(),
    }
}
