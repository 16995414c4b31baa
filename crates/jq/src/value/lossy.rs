//! Text from bytes that may not be UTF-8.

#![forbid(unsafe_code)]

/// Returns bytes as text. What is not UTF-8 becomes U+FFFD where jq says so: one for each sequence of the length that its first byte
/// announces, as far as the sequence goes on and has not ended with the text.
///
/// ```
/// use fjson_jq::value::lossy_text;
///
/// assert_eq!(lossy_text("caf\u{e9}".into()), "caf\u{e9}");
/// assert_eq!(lossy_text(b"caf\xe9 au lait".to_vec()), "caf\u{fffd} au lait");
/// // A surrogate is one sequence; the last one ends with the text.
/// assert_eq!(lossy_text(b"\xed\xa0\x80 \xf0\x9f".to_vec()), "\u{fffd} \u{fffd}");
/// ```
#[must_use]
pub fn lossy_text(bytes: Vec<u8>) -> String {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let (mut text, mut rest) = (String::with_capacity(bytes.len()), &bytes[..]);
    loop {
        let (valid, bad) = match str::from_utf8(rest) {
            Ok(valid) => (valid, &[][..]),
            Err(error) => {
                let (valid, bad) = rest.split_at(error.valid_up_to());
                (str::from_utf8(valid).unwrap_or_default(), bad)
            }
        };
        text.push_str(valid);
        if bad.is_empty() {
            return text;
        }
        text.push(char::REPLACEMENT_CHARACTER);
        rest = &bad[bad_length(bad)..];
    }
}

/// Returns the length of the sequence that is not UTF-8 at the beginning of a text.
fn bad_length(text: &[u8]) -> usize {
    let announced = match text[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    if announced > text.len() {
        return text.len();
    }
    let continued = text[1..announced].iter().take_while(|byte| (0x80..0xc0).contains(*byte)).count();
    1 + continued
}

#[cfg(test)]
mod tests {
    use super::lossy_text;

    /// What jq 1.8.2 makes of bytes, with `R` for U+FFFD.
    const OF_JQ: &[(&[u8], &str)] = &[
        (b"null\xe9e", "nullR"),
        (b"\x9e\xe9e", "RR"),
        (b"a\x80\x80b", "aRRb"),
        (b"\xc0\xafx", "RRx"),
        (b"\xe0\x80\x80x", "Rx"),
        (b"\xed\xa0\x80x", "Rx"),
        (b"\xf4\x90\x80\x80x", "Rx"),
        (b"\xe2\x82x..", "Rx.."),
        (b"\xf0\x9fab.", "Rab."),
        (b"\xf5\x80", "RR"),
        (b"\xe2\x82\xac", "\u{20ac}"),
    ];

    #[test]
    fn bytes_that_are_not_utf_8() {
        for (bytes, expected) in OF_JQ {
            assert_eq!(lossy_text(bytes.to_vec()), expected.replace('R', "\u{fffd}"), "{bytes:02x?}");
        }
    }
}
