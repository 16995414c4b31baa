//! Evaluates several singular queries (RFC 9535, section 2.3.5.1) on a batch of records: on the list of its tokens, in one pass over each
//! object.
//!
//! On masks, each query takes time for each record, because its names are searched for among all strings. A list of tokens takes as
//! long as two or three queries, and each key is then compared only with names that have not been found in its object.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::options::Options;
use crate::positions::Positions;
use crate::query::excerpt::Span;
use crate::query::stream::record_matches::Matches;
use crate::query::stream::set::Set;
use crate::query::syntax::Segment;
use crate::query::syntax::Selector;
use crate::query::syntax::Text;

/// Number of queries from which on a list of tokens is faster than masks.
const MIN_QUERIES: usize = 3;

/// Singular queries that have a plan, and so a limited number of segments.
#[derive(Clone, Debug)]
pub(super) struct SingularQueries {
    root: Wanted,
    /// Number of queries.
    count: usize,
    /// Whether they are the paths of one query.
    are_one_query: bool,
}

/// The text of a batch, which may be part of a mapped file that changes, and its tokens.
#[derive(Default)]
pub(super) struct TokenList {
    text: Vec<u8>,
    positions: Positions,
}

/// A checked text and its tokens, by number. A string has two: its quotes.
#[derive(Clone, Copy)]
struct Tokens<'t> {
    text: &'t [u8],
    positions: &'t Positions,
}

impl Tokens<'_> {
    /// Returns the index of the first byte of a token, or the length of the text after the last one.
    #[inline]
    fn start(self, token: usize) -> usize {
        self.positions.list()[token] as usize
    }

    /// Returns the first byte of a token, or 0 after the last one.
    #[inline]
    fn byte(self, token: usize) -> u8 {
        self.text.get(self.start(token)).copied().unwrap_or(0)
    }

    /// Whether the string that begins with `token` has this value.
    #[inline]
    fn is_key(self, token: usize, name: &Text) -> bool {
        let (start, end) = (self.start(token) + 1, self.start(token + 1));
        let key = &self.text[start..end];
        if self.positions.may_have_escapes(start, end) { name.is(key) } else { *key == *name.value().as_bytes() }
    }

    /// Returns the token after a value.
    #[inline]
    fn skip(self, mut token: usize) -> usize {
        let mut depth = 0_usize;
        loop {
            match self.byte(token) {
                b'"' => token += 1,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            token += 1;
            if depth == 0 {
                return token;
            }
        }
    }

    /// Returns the index of the byte after a value.
    fn end(self, token: usize) -> usize {
        let last = self.start(self.skip(token) - 1);
        let rest = &self.text[last..];
        let is_inside = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'z' | b'E' | b'+' | b'-' | b'.');
        last + rest.iter().position(|byte| !is_inside(byte)).unwrap_or(rest.len()).max(1)
    }
}

/// What the queries select in a value.
#[derive(Clone, Debug, Default)]
struct Wanted {
    /// The queries that select the value itself.
    queries: Vec<usize>,
    members: Vec<(Text, Self)>,
    /// In ascending order of the indexes.
    elements: Vec<(u64, Self)>,
}

impl SingularQueries {
    /// Returns the queries, given by their segments, if all are singular, and a list of tokens is faster for them.
    pub(super) fn new<'s>(queries: impl Iterator<Item = &'s [Segment]>, are_one_query: bool) -> Option<Self> {
        let (mut root, mut count) = (Wanted::default(), 0);
        for query in queries {
            root.add(count, query)?;
            count += 1;
        }
        (count >= MIN_QUERIES).then_some(Self { root, count, are_one_query })
    }

    /// Adds what the queries select in the records of a batch to `matches`, in the order of the queries. Also returns the number of
    /// records. `None` if one is invalid, or if there is no memory.
    pub(super) fn find(
        &self,
        text: &[u8],
        options: &Options,
        memory: &mut TokenList,
        mut matches: Matches,
    ) -> Option<(u64, Matches)> {
        let TokenList { text: copy, positions } = memory;
        copy.clear();
        copy.room(text.len(), OutOfMemory::Text).ok()?;
        copy.extend_from_slice(text);
        let records = positions.list_records(copy, options).ok()??;
        let tokens = Tokens { text: copy, positions };
        let (mut found, mut root) = (vec![None; self.count], 0);
        for (record, &next) in (1..).zip(positions.record_ends()) {
            found.fill(None);
            self.root.find(tokens, root, &mut found);
            let before = matches.spans.len();
            matches.spans.room(self.count, OutOfMemory::Matches).ok()?;
            matches.spans.extend(found.iter().enumerate().filter_map(|(query, &token)| {
                let [start, end] = [tokens.start(token?), tokens.end(token?)].map(|index| index as u64);
                Some(Span { start, end, query: if self.are_one_query { 0 } else { query } })
            }));
            matches.assign(before, record)?;
            root = next as usize;
        }
        matches.count = matches.spans.len() as u64;
        Some((records, matches))
    }
}

impl Wanted {
    /// Adds what a query selects with these segments. Returns `None` if it is not singular.
    fn add(&mut self, query: usize, segments: &[Segment]) -> Option<()> {
        let Some((segment, rest)) = segments.split_first() else {
            self.queries.push(query);
            return Some(());
        };
        let child = match &segment.selectors[..] {
            _ if segment.descendant => return None,
            [Selector::Name(name) | Selector::Token { name, index: None }] => self.member(name),
            [Selector::Index(index)] => self.element(u64::try_from(*index).ok()?),
            _ => return None,
        };
        child.add(query, rest)
    }

    fn member(&mut self, name: &Text) -> &mut Self {
        let place = self.members.iter().position(|(other, _)| other == name).unwrap_or(self.members.len());
        if place == self.members.len() {
            self.members.push((name.clone(), Self::default()));
        }
        &mut self.members[place].1
    }

    fn element(&mut self, index: u64) -> &mut Self {
        let place = self.elements.partition_point(|&(other, _)| other < index);
        if self.elements.get(place).is_none_or(|&(other, _)| other != index) {
            self.elements.insert(place, (index, Self::default()));
        }
        &mut self.elements[place].1
    }

    /// Sets the tokens of what the queries select in the value at `token`.
    fn find(&self, tokens: Tokens<'_>, token: usize, found: &mut [Option<usize>]) {
        for &query in &self.queries {
            found[query] = Some(token);
        }
        match tokens.byte(token) {
            b'{' => self.find_members(tokens, token + 1, found),
            b'[' => self.find_elements(tokens, token + 1, found),
            _ => {}
        }
    }

    fn find_members(&self, tokens: Tokens<'_>, mut key: usize, found: &mut [Option<usize>]) {
        let mut missing = Set::of(&self.members, |_| true);
        while !missing.is_empty() && tokens.byte(key) == b'"' {
            let number = missing.into_iter().find(|&number| tokens.is_key(key, &self.members[number].0));
            if let Some(number) = number {
                self.members[number].1.find(tokens, key + 2, found);
                // A name selects the first member that has it.
                // mutant:
                missing = missing.difference(Set::single(number));
            }
            key = tokens.skip(key + 2);
        }
    }

    fn find_elements(&self, tokens: Tokens<'_>, mut token: usize, found: &mut [Option<usize>]) {
        let mut index = 0;
        for (wanted, child) in &self.elements {
            while index < *wanted && tokens.byte(token) != b']' {
                token = tokens.skip(token);
                index += 1;
            }
            if tokens.byte(token) == b']' {
                return;
            }
            child.find(tokens, token, found);
        }
    }
}
