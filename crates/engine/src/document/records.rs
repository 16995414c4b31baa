//! The records of NDJSON as values, from one list of tokens for all.

#![forbid(unsafe_code)]

use std::iter::FusedIterator;
use std::ops::Range;

use crate::document::Tokens;
use crate::document::Value;
use crate::document::View;

/// Valid records, whose values are read in place; see [`Parser::records`](crate::Parser::records). It borrows their text and the
/// memory of the parser.
///
/// ```
/// let mut parser = fjson::Parser::new();
/// let records = parser.records(b"{\"id\": 1}\n{\"id\": 2}\n{\"id\": 3}")?;
/// assert_eq!(records.get(2).unwrap().raw(), "{\"id\": 3}");
/// let ids: Vec<_> = records.skip(1).filter_map(|record| record.get("id")?.as_u64()).collect();
/// assert_eq!(ids, [2, 3]);
/// # Ok::<(), fjson::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Records<'p, 't> {
    view: View<'p, 't>,
    /// The number of the first token after each record.
    ends: &'p [u32],
    /// The number of the next record.
    next: usize,
}

impl<'p, 't> Records<'p, 't> {
    pub(crate) fn new(view: View<'p, 't>) -> Self {
        Self { view, ends: view.record_ends(), next: 0 }
    }

    /// Returns the record with this number, from 0, in constant time, wherever the iterator is.
    #[must_use]
    #[inline]
    pub fn get(&self, number: usize) -> Option<Value<'p, 't>> {
        self.ends.get(number)?;
        let token = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Some(Value::new(self.view, token))
    }

    /// Returns where the text of the record with this number is, from 0: [`Value::range`] in constant time, except for a long number.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let records = parser.records(b"[1]\n [2]\n")?;
    /// assert_eq!((records.range(1), records.range(2)), (Some(5..8), None));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn range(&self, number: usize) -> Option<Range<usize>> {
        let start = self.get(number)?.start();
        let last = (self.ends[number] as usize).checked_sub(1)?;
        Some(start..self.view.end_of_last(last))
    }

    /// Returns the tokens of all records. The root of a record follows the last token of the record before it.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// assert_eq!(parser.records(b"[1]\n2\n")?.tokens().positions(), [0, 1, 2, 4, 6]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn tokens(&self) -> Tokens<'p, 't> {
        Tokens::new(self.view)
    }
}

impl<'p, 't> Iterator for Records<'p, 't> {
    type Item = Value<'p, 't>;

    #[inline]
    fn next(&mut self) -> Option<Value<'p, 't>> {
        let record = self.get(self.next)?;
        self.next += 1;
        Some(record)
    }

    #[inline]
    fn nth(&mut self, count: usize) -> Option<Value<'p, 't>> {
        self.next = self.next.saturating_add(count).min(self.ends.len());
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let rest = self.ends.len() - self.next;
        (rest, Some(rest))
    }
}

impl ExactSizeIterator for Records<'_, '_> {}

impl FusedIterator for Records<'_, '_> {}

#[cfg(test)]
mod tests {
    use crate::document::Parser;
    use crate::explain::random::Random;
    use crate::kernel::Isa;
    use crate::options::Options;

    /// Checks that the records of a text are those of its lines, on every kernel.
    fn check(text: &str) {
        let lines: Vec<_> = text.lines().map(|line| line.trim_matches([' ', '\t', '\r'])).collect();
        let lines: Vec<_> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        for isa in Isa::available() {
            let mut parser = Parser::with_options(&Options::new().isa(isa));
            let mut single = Parser::new();
            match parser.records(text.as_bytes()) {
                Ok(records) => {
                    assert_eq!(records.len(), lines.len(), "{isa}: {text}");
                    assert!(
                        records.clone().map(super::super::value::Value::raw).eq(lines.iter().copied()),
                        "{isa}: {text}"
                    );
                    assert!(
                        (0..lines.len()).all(|number| records.get(number).is_some_and(|it| it.raw() == lines[number]))
                    );
                    assert!(records.get(lines.len()).is_none());
                    let ranges = records.clone().map(|record| Some(record.range()));
                    assert!(ranges.eq((0..lines.len()).map(|number| records.range(number))));
                    assert_eq!(records.range(lines.len()), None);
                    for (number, record) in records.clone().enumerate().step_by(3) {
                        assert_eq!(
                            records.clone().nth(number).map(super::super::value::Value::start),
                            Some(record.start())
                        );
                    }
                    assert!(lines.iter().all(|line| single.document(line.as_bytes()).is_ok()));
                }
                Err(error) => {
                    let first = lines.iter().position(|line| single.document(line.as_bytes()).is_err());
                    assert_eq!(error.record(), first.map(|first| first as u64 + 1), "{isa}: {text}");
                }
            }
        }
    }

    #[test]
    fn few_records() {
        for text in [
            "",
            "\n",
            " \r\n\t\n",
            "1",
            "1\n",
            "\n1\n\n2",
            "[1,\n2]\n",
            "{}\n{\"a\":[{}]}\n\"x\"\r\n",
            "1 2\n",
            "1,\n2",
        ] {
            check(text);
        }
    }

    /// Line breaks at every place of a superblock and of a tile.
    #[test]
    fn records_of_every_length() {
        for length in (0..140).chain(500..520).step_by(if cfg!(miri) { 71 } else { 1 }) {
            let record = format!("[\"{}\",1]", "x".repeat(length));
            check(&[&record, "\n", &record, "\n"].concat());
            check(&[&record, "\n", &record].concat());
            check(&["1\n".repeat(length), record, "\r\n \n".repeat(length % 70)].concat());
        }
    }

    #[test]
    fn random_records() {
        let mut random = Random::new(41);
        let parts = ["1", "\"\\n\"", "[[],{}]", "{\"a\": [1, \"b\"]}", "null", " ", "", "\t-0.5e1", "[0", "\"é\""];
        for _ in 0..if cfg!(miri) { 3 } else { 400 } {
            let count = random.below(200);
            // Most texts have no invalid record.
            let used = if random.below(4) == 0 { parts.len() } else { 8 };
            let line =
                |random: &mut Random| [parts[random.below(used)], ["\n", "\n\n", " \r\n"][random.below(3)]].concat();
            let text: String = (0..count).map(|_| line(&mut random)).collect();
            check(&text);
        }
    }
}
