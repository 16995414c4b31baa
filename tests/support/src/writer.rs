//! The reference writers: minify and pretty-print, byte by byte.
//!
//! Both also accept any beginning of a document, because before an error fjson must have written exactly what these
//! write for the text before the error.

/// Whitespace (RFC 8259, section 2).
#[must_use]
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// The text without the whitespace outside strings.
#[must_use]
pub fn minify(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    outside_strings(text, &mut out, |byte, out| {
        if !is_blank(byte) {
            out.push(byte);
        }
    });
    out
}

/// The text in the layout of `jq` and `serde_json`: one value or member per line, empty containers kept together.
///
/// `indent` is the indentation of one level. The line break at the end of a document is left to the caller.
#[must_use]
pub fn pretty(text: &[u8], indent: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(2 * text.len());
    let mut depth = 0_usize;
    let mut previous = 0;
    outside_strings(&minify(text), &mut out, |byte, out| {
        let closes = matches!(byte, b']' | b'}');
        depth = depth.saturating_sub(usize::from(closes));
        match previous {
            b':' => out.push(b' '),
            b'[' | b'{' if closes => {}
            b'[' | b'{' | b',' => new_line(out, indent, depth),
            _ if closes => new_line(out, indent, depth),
            _ => {}
        }
        depth += usize::from(matches!(byte, b'[' | b'{'));
        out.push(byte);
        previous = byte;
    });
    out
}

/// The text with the characters for which `takes` is true as `\u` escapes. An incomplete character at the end is kept
/// unless the output is to be ASCII.
///
/// # Panics
/// If it is not UTF-8, apart from its end.
#[must_use]
pub fn escape(text: &[u8], ascii: bool, takes: impl Fn(char) -> bool) -> Vec<u8> {
    let mut out = String::new();
    let end = str::from_utf8(text).map_or_else(|error| error.valid_up_to(), str::len);
    let (whole, broken) = text.split_at(end);
    assert!(broken.len() < 4, "a valid text, or the beginning of one");
    for character in str::from_utf8(whole).expect("checked above").chars() {
        if takes(character) {
            let mut units = [0; 2];
            out.extend(character.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(character);
        }
    }
    [out.as_bytes(), if ascii { b"" } else { broken }].concat()
}

/// Copies strings to `out` and passes every other byte, and the quote at the start of each string, to `write`.
fn outside_strings(text: &[u8], out: &mut Vec<u8>, mut write: impl FnMut(u8, &mut Vec<u8>)) {
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        write(byte, out);
        let mut inside = byte == b'"';
        while inside {
            let Some(byte) = bytes.next() else { return };
            out.push(byte);
            if byte == b'\\' {
                out.extend(bytes.next());
            }
            inside = byte != b'"';
        }
    }
}

fn new_line(out: &mut Vec<u8>, indent: &[u8], depth: usize) {
    out.push(b'\n');
    for _ in 0..depth {
        out.extend_from_slice(indent);
    }
}

#[cfg(test)]
mod tests {
    use super::minify;
    use super::pretty;

    #[test]
    fn layout() {
        let text = br#" {"a b" : [1 ,[ ] ,{ } ],"c":"\" \\" } "#;
        assert_eq!(minify(text), br#"{"a b":[1,[],{}],"c":"\" \\"}"#);
        let expected = "{\n  \"a b\": [\n    1,\n    [],\n    {}\n  ],\n  \"c\": \"\\\" \\\\\"\n}";
        assert_eq!(String::from_utf8_lossy(&pretty(text, b"  ")), expected);
    }

    #[test]
    fn beginnings() {
        assert_eq!(pretty(b"[1 , ", b"  "), b"[\n  1,");
        assert_eq!(pretty(br#"{"a" : "#, b"\t"), b"{\n\t\"a\":");
        assert_eq!(pretty(b"[", b"  "), b"[");
    }
}
