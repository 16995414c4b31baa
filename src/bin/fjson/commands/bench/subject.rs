//! A document in memory, as it is measured.

#![forbid(unsafe_code)]

use fjson::Framing;
use std::path::PathBuf;

pub struct Subject {
    pub name: String,
    pub text: Vec<u8>,
    pub framing: Framing,
    pub origin: Origin,
}

pub enum Origin {
    /// Made here, in one of our shapes.
    Generated,
    File(PathBuf),
    Stdin,
}

/// How many structurals a valid text has: `{ } [ ] : ,` outside strings, and first bytes of strings, numbers and literals.
pub fn structurals(text: &[u8]) -> usize {
    let mut count = 0;
    let mut rest = text.iter();
    let mut in_scalar = false;
    while let Some(&byte) = rest.next() {
        match byte {
            b'"' => {
                count += 1;
                in_scalar = false;
                while let Some(&byte) = rest.next() {
                    match byte {
                        b'"' => break,
                        b'\\' => _ = rest.next(),
                        _ => {}
                    }
                }
            }
            b'{' | b'}' | b'[' | b']' | b':' | b',' => {
                count += 1;
                in_scalar = false;
            }
            b' ' | b'\t' | b'\n' | b'\r' | b'\x1e' => in_scalar = false,
            _ => {
                count += usize::from(!in_scalar);
                in_scalar = true;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structurals_are_counted() {
        for (text, count) in [
            ("", 0),
            ("12.5e3", 1),
            (r#""a\"b\\""#, 1),
            (r#"{"a":[1,true,"{,}"]}"#, 11),
            ("1 2\n[ ]\n", 4),
            ("\u{1e}1\n\u{1e}null\n", 2),
        ] {
            assert_eq!(structurals(text.as_bytes()), count, "{text}");
        }
    }
}
