//! Comments in JSON for people: without color, and without characters that a terminal must not receive.

#![forbid(unsafe_code)]

use crate::sanitize;

/// The state in a comment, after its first slash.
#[derive(Clone, Debug, Default)]
pub struct Comment {
    /// Whether it ends with the line; `None` before its second byte.
    ends_line: Option<bool>,
    /// Whether the last byte is a star, of which a slash makes the end.
    has_star: bool,
    /// The first bytes of a character.
    begun: Vec<u8>,
}

impl Comment {
    /// Appends the part of the text that belongs to the comment to `out`. Returns the rest of the text if the comment has ended.
    pub fn write<'t>(&mut self, text: &'t [u8], escapes: bool, out: &mut Vec<u8>) -> Option<&'t [u8]> {
        for (index, &byte) in text.iter().enumerate() {
            match (self.ends_line, byte) {
                (None, b'/' | b'*') => {
                    self.ends_line = Some(byte == b'/');
                    out.push(byte);
                }
                (None, _) | (Some(true), b'\n') => return Some(&text[index..]),
                (Some(false), b'/') if self.has_star => {
                    out.push(byte);
                    return Some(&text[index + 1..]);
                }
                // It would move the cursor to the start of the line.
                (Some(_), b'\r') if escapes => {}
                (Some(_), _) => {
                    self.has_star = byte == b'*';
                    self.character(byte, escapes, out);
                }
            }
        }
        None
    }

    fn character(&mut self, byte: u8, escapes: bool, out: &mut Vec<u8>) {
        self.begun.push(byte);
        if !escapes {
            out.append(&mut self.begun);
        } else if self.begun.len() >= sanitize::length(self.begun[0]) {
            sanitize::escape(&self.begun, out);
            self.begun.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Comment;

    fn written(text: &str, size: usize, escapes: bool) -> (String, usize) {
        let (mut comment, mut out, mut at) = (Comment::default(), Vec::new(), 0);
        while at < text.len() {
            let piece = &text.as_bytes()[at..text.len().min(at + size)];
            at += piece.len();
            if let Some(rest) = comment.write(piece, escapes, &mut out) {
                at -= rest.len();
                break;
            }
        }
        (String::from_utf8(out).expect("text"), text.len() - at)
    }

    #[test]
    fn comments_end_and_control_no_terminal() {
        for (text, expected, rest) in [
            ("/ \"a\u{1b}[31m\u{202e}é\n1", "/ \"a\\u001b[31m\\u202eé", 2),
            ("* /\t\r\n **/ 1", "* /\t\n **/", 2),
            ("*/*/", "*/*/", 0),
            ("1", "", 1),
        ] {
            for size in [1, 2, 3, 100] {
                assert_eq!(written(text, size, true), (expected.to_owned(), rest), "{text:?} in pieces of {size}");
                assert_eq!(written(text, size, false).0, text[..text.len() - rest]);
            }
        }
    }
}
