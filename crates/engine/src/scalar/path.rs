//! Writes the steps of paths: names between quotes, and the short form `.name` or `["other name"]`.
//!
//! The short form can be read by two languages: as a part of a JSONPath expression (RFC 9535), and as a path of jq. So only names
//! that are identifiers of ASCII characters follow a dot, and the others are strings of JSON.

#![forbid(unsafe_code)]

use std::fmt::Write;

/// Appends the step to the member with this name, which is [unescaped](super::unescape) and may contain lone surrogates.
pub(crate) fn append_member(name: &[u8], path: &mut String) {
    let is_identifier = match name {
        [first, rest @ ..] => {
            // mutant: (first.is_ascii_alphanumeric() || *first == b'_')
            (first.is_ascii_alphabetic() || *first == b'_')
                && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        }
        [] => false,
    };
    if is_identifier {
        path.push('.');
        path.extend(name.iter().map(|&byte| char::from(byte)));
    } else {
        path.push_str("[\"");
        append_quoted(name, '"', path);
        path.push_str("\"]");
    }
}

/// Appends the step to the element with this index.
pub(crate) fn append_element(index: i64, path: &mut String) {
    // Writing to a string cannot fail.
    _ = write!(path, "[{index}]");
}

/// Appends an unescaped name as it is written between quotes of this kind. A lone surrogate, which no query can name, is written as
/// an escape.
pub(crate) fn append_quoted(name: &[u8], quote: char, path: &mut String) {
    let mut rest = name;
    loop {
        let valid = rest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        valid.chars().for_each(|character| escaped(character, quote, path));
        // The only invalid UTF-8 here is a lone surrogate, encoded as three bytes.
        let Some((&[lead, middle, last], after)) = rest[valid.len()..].split_first_chunk() else { return };
        let unit = u32::from(lead & 0xf) << 12 | u32::from(middle & 0x3f) << 6 | u32::from(last & 0x3f);
        _ = write!(path, r"\u{unit:04x}");
        rest = after;
    }
}

/// Appends a character of a name, escaped if necessary.
fn escaped(character: char, quote: char, path: &mut String) {
    match character {
        '\u{8}' => *path += r"\b",
        '\t' => *path += r"\t",
        '\n' => *path += r"\n",
        '\u{c}' => *path += r"\f",
        '\r' => *path += r"\r",
        '\\' => *path += r"\\",
        '\0'..' ' => _ = write!(path, r"\u{:04x}", u32::from(character)),
        _ => {
            // mutant: if false {
            if character == quote {
                path.push('\\');
            }
            path.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::append_element;
    use super::append_member;

    #[test]
    fn steps_are_short() {
        for (name, expected) in [
            ("a", ".a"),
            ("_A9", "._A9"),
            ("", r#"[""]"#),
            ("9a", r#"["9a"]"#),
            ("a-b", r#"["a-b"]"#),
            ("é", r#"["é"]"#),
            ("it's \"\\\u{7f}", "[\"it's \\\"\\\\\u{7f}\"]"),
            ("\0\u{8}\t\n\u{c}\r\u{1f}", r#"["\u0000\b\t\n\f\r\u001f"]"#),
        ] {
            let mut path = String::new();
            append_member(name.as_bytes(), &mut path);
            assert_eq!(path, expected);
        }
        let mut path = String::from("$");
        append_element(7, &mut path);
        append_member(b"a\xed\xa0\x80b", &mut path);
        assert_eq!(path, r#"$[7]["a\ud800b"]"#);
    }
}
