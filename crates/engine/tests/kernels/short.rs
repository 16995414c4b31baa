//! All documents of one and two bytes, and every beginning of a character of up to four bytes.

use proof::check;

#[test]
fn up_to_two_bytes() {
    check::document(b"");
    for first in 0..=u8::MAX {
        check::document(&[first]);
        for second in 0..=u8::MAX {
            check::document(&[first, second]);
        }
    }
}

/// All two-byte beginnings of UTF-8 sequences, followed by the lowest and highest bytes that are valid there, in a string that
/// ends at a border of 64 bytes, begins there, or crosses it.
#[test]
fn characters() {
    const EDGES: [u8; 6] = [b'"', 0x7f, 0x80, 0x8f, 0xbf, 0xc0];
    for blanks in [58, 60, 61, 62, 63] {
        for first in 0x80..=u8::MAX {
            for second in (0x7f..=0xc0).chain([b'"', 0xff]) {
                for third in EDGES {
                    for fourth in EDGES {
                        let mut text = vec![b' '; blanks];
                        text.extend([b'"', first, second, third, fourth, b'"']);
                        check::agree(check::Verb::Validate, &text);
                    }
                }
            }
        }
    }
}
