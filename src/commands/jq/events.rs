//! The events of `--stream`: a document as `[path, value]` for each scalar and empty container, and `[path]` at the end of each other
//! container.
//!
//! They are made from the tokens of the scan, so that a document may be longer than the memory, and are themselves texts of documents,
//! one per line. Of an invalid document there are those before the error, as in jq: an element is an event once a comma or bracket
//! follows it.

#![forbid(unsafe_code)]

use fjson::TokenBatch;
use fjson_jq::value::Value;
use fjson_jq::write::to_json;
use std::io::Write;

/// Number of bytes of events that are passed on together.
const FULL: usize = 64 << 10;

/// Makes events of tokens.
#[derive(Default)]
pub struct Events {
    /// The open containers.
    levels: Vec<OpenContainer>,
    /// The text of the path up to the innermost container: `[0,"a"`.
    path: Vec<u8>,
    /// The text of a scalar or empty container that nothing follows yet.
    pending: Vec<u8>,
    /// The events, and the offset of the end of the token with which each was complete.
    pub out: Vec<u8>,
    pub ends: Vec<u64>,
    /// Offset of the end of this token.
    at: u64,
}

/// An open container.
struct OpenContainer {
    /// Length of the path to it.
    parent: usize,
    /// The index of the element; `None` in an object.
    index: Option<u64>,
    /// Whether it has an element or a key.
    is_begun: bool,
    /// Whether the next string is a key.
    at_key: bool,
}

impl Events {
    /// Adds the events of the tokens from this one on, until there is enough to be passed on: a path is as long as the document is deep,
    /// so the events of a batch may be much longer than it. Returns the number of the token that follows.
    pub fn add(&mut self, batch: &TokenBatch<'_>, first: usize) -> usize {
        for (number, &position) in batch.positions.iter().enumerate().skip(first) {
            if self.is_full() {
                return number;
            }
            let start = position as usize;
            self.at = batch.offset + u64::from(position) + 1;
            match batch.text[start] {
                open @ (b'{' | b'[') => self.open(open),
                close @ (b'}' | b']') => self.close(close),
                b',' => self.comma(),
                b':' => {}
                _ => {
                    let end = batch.positions.get(number + 1).map_or(batch.text.len(), |&next| next as usize);
                    let text = batch.text[start..end].trim_ascii_end();
                    self.at += text.len() as u64 - 1;
                    self.scalar(text);
                }
            }
        }
        batch.positions.len()
    }

    /// Whether the events should be passed on.
    pub fn is_full(&self) -> bool {
        self.out.len() >= FULL
    }

    /// Begins an element of the innermost container.
    fn begin(&mut self) {
        let Some(level) = self.levels.last_mut().filter(|level| !level.is_begun) else { return };
        level.is_begun = true;
        if level.index.is_some() {
            self.enter_index();
        }
    }

    /// Adds the index to the path.
    fn enter_index(&mut self) {
        let Some(OpenContainer { parent, index: Some(index), .. }) = self.levels.last() else { return };
        self.path.truncate(*parent);
        let separator = if self.path.is_empty() { "[" } else { "," };
        // Writing to a list cannot fail.
        write!(self.path, "{separator}{index}").ok();
    }

    fn open(&mut self, bracket: u8) {
        self.begin();
        let index = (bracket == b'[').then_some(0);
        self.levels.push(OpenContainer { parent: self.path.len(), index, is_begun: false, at_key: index.is_none() });
    }

    fn scalar(&mut self, text: &[u8]) {
        if let Some(level) = self.levels.last_mut().filter(|level| level.at_key) {
            (level.at_key, level.is_begun) = (false, true);
            self.path.truncate(level.parent);
            let separator = if self.path.is_empty() { b'[' } else { b',' };
            self.path.push(separator);
            self.path.extend_from_slice(text);
            return;
        }
        self.begin();
        self.pending.extend_from_slice(text);
        if self.levels.is_empty() {
            self.leaf();
        }
    }

    fn comma(&mut self) {
        self.leaf();
        let Some(level) = self.levels.last_mut() else { return };
        match &mut level.index {
            Some(index) => {
                *index += 1;
                self.enter_index();
            }
            None => level.at_key = true,
        }
    }

    fn close(&mut self, bracket: u8) {
        self.leaf();
        let Some(OpenContainer { parent, is_begun, .. }) = self.levels.pop() else { return };
        if is_begun {
            self.out.push(b'[');
            self.put_path();
            self.end_event();
            self.path.truncate(parent);
        } else {
            self.pending.extend_from_slice(if bracket == b']' { b"[]" } else { b"{}" });
            if self.levels.is_empty() {
                self.leaf();
            }
        }
    }

    /// Adds the event of what is pending.
    fn leaf(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        self.out.push(b'[');
        self.put_path();
        self.out.push(b',');
        self.out.append(&mut self.pending);
        self.end_event();
    }

    fn end_event(&mut self) {
        self.out.extend_from_slice(b"]\n");
        self.ends.push(self.at);
    }

    fn put_path(&mut self) {
        if self.path.is_empty() {
            self.out.push(b'[');
        } else {
            self.out.extend_from_slice(&self.path);
        }
        self.out.push(b']');
    }

    /// Adds the event of an error, for `--stream-errors`, and begins anew.
    pub fn add_error(&mut self, message: &str) {
        self.out.push(b'[');
        self.out.extend_from_slice(to_json(&Value::from(message)).as_bytes());
        self.out.push(b',');
        self.put_path();
        self.end_event();
        let Self { out, ends, at, .. } = std::mem::take(self);
        *self = Self { out, ends, at, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::Events;
    use super::FULL;
    use fjson::Input;
    use fjson::Options;

    #[test]
    fn events_of_a_deep_document_are_passed_on_in_pieces() {
        const LEVELS: usize = 1_000;
        let text = "[".repeat(LEVELS) + &"]".repeat(LEVELS);
        let (mut events, mut count, mut longest) = (Events::default(), 0, 0);
        let mut pass_on = |events: &mut Events| {
            longest = longest.max(events.out.len());
            count += std::mem::take(&mut events.ends).len();
            events.out.clear();
        };
        fjson::index(
            Input::from(&*text),
            &mut |batch| {
                let mut at = 0;
                while at < batch.positions.len() {
                    at = events.add(&batch, at);
                    if events.is_full() {
                        pass_on(&mut events);
                    }
                }
            },
            &Options::new(),
        )
        .expect("valid");
        pass_on(&mut events);
        assert_eq!(count, LEVELS);
        assert!(longest < FULL + 3 * LEVELS, "{longest}");
    }
}
