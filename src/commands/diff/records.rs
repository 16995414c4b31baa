//! Compares the records of two inputs that have the same key.
//!
//! Of each record of the first input, only hashes and the place are held in memory; it is read again if it differs. If that is not
//! possible, because the input is no plain file, its text is held, too.

#![forbid(unsafe_code)]

use crate::args::Bom;
use crate::args::Encoding;
use crate::args::diff::Diff;
use crate::commands::diff::Trouble;
use crate::commands::diff::text::Lines;
use crate::exit::FILE_CHANGED;
use crate::exit::RunError;
use crate::name::Name;
use crate::source::Source;
use crate::target::Target;
use fjson::DiffOptions;
use fjson::Framing;
use fjson::Options;
use fjson::OwnedDocument;
use fjson::Value;
use fjson::diff;
use fjson::map_documents;
use std::hash::BuildHasher;
use std::hash::RandomState;
use std::ops::ControlFlow;
use std::ops::Range;

/// The first bytes of compressed files, with which no JSON begins: gzip, zstd, bzip2 and xz.
const COMPRESSED: [u8; 4] = [0x1f, 0x28, b'B', 0xfd];

/// A record: the hashes of its key and of its value, and where it is.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    value: u64,
    offset: u64,
    length: usize,
}

/// A record of the second input, with its text if it may differ.
struct Found {
    entry: Entry,
    text: Option<String>,
}

/// The records of a batch, or the number in it of one that has no key.
type Batch<T> = Result<Vec<T>, u64>;

/// The records of the first input.
struct Records<'s> {
    source: &'s Source,
    /// In the order of the hashes of their keys; those with the same key in their order.
    entries: Vec<Entry>,
    /// The texts of all records, if they cannot be read again.
    texts: Option<Vec<u8>>,
}

struct Join<'j> {
    arguments: &'j Diff,
    options: &'j DiffOptions,
    key: &'j str,
    state: RandomState,
    /// Whether records with equal hashes are equal, and others differ.
    is_exact: bool,
}

/// Compares the records of two inputs by the values at the JSON Pointer `key`. Returns whether they are equal.
pub fn join(
    arguments: &Diff,
    options: &DiffOptions,
    key: &str,
    [old, new]: [&Source; 2],
    target: &mut Target,
) -> Result<bool, Trouble> {
    let is_exact = arguments.ignored.is_empty() && arguments.tolerance.is_none_or(|tolerance| tolerance <= 0.0);
    let join = Join { arguments, options, key, state: RandomState::new(), is_exact };
    let records = join.records(old)?;
    let mut lines = Lines::new(arguments, target);
    let mut are_equal = true;
    // For the first record with each key, how many with it were matched.
    let mut matched = vec![0; records.entries.len()];
    let entries = &records.entries;
    let found = |record: Value<'_, '_>, entry: Entry| {
        let group = group(entries, entry.key);
        let is_same = is_exact && group.len() == 1 && entries[group.start].value == entry.value;
        Found { entry, text: (!is_same).then(|| record.raw().to_owned()) }
    };
    let mut take = |found: Found| {
        let group = group(entries, found.entry.key);
        let place = matched.get(group.start).map_or(group.end, |count| group.start + count);
        let entry = (place < group.end).then(|| &entries[place]);
        if entry.is_some() {
            matched[group.start] += 1;
        }
        are_equal &= join.compare(&records, entry, &found, new, &mut lines)?;
        Ok(lines.write_full(target)?)
    };
    join.each(new, &found, &mut take)?;
    let mut removed = Vec::new();
    let mut start = 0;
    for group in records.entries.chunk_by(|one, other| one.key == other.key) {
        removed.extend_from_slice(&group[matched[start]..]);
        start += group.len();
    }
    removed.sort_unstable_by_key(|entry| entry.offset);
    for entry in &removed {
        are_equal = false;
        let old = records.read(entry)?;
        lines.difference(&join.label(old.root()), "", Some(old.root()), None);
        lines.write_full(target)?;
    }
    // What was read again may be another text than what was hashed.
    if records.texts.is_none() && !old.is_unchanged() {
        return Err(RunError::new(old.name.clone(), FILE_CHANGED).into());
    }
    if !arguments.quiet {
        lines.end(target)?;
    }
    Ok(are_equal)
}

impl Join<'_> {
    /// Reads the records of the first input.
    fn records<'s>(&self, source: &'s Source) -> Result<Records<'s>, Trouble> {
        let is_plain = self.arguments.encoding == Encoding::Utf8
            && self.arguments.bom == Bom::Error
            && !self.arguments.inputs().may_have_comments(source);
        let mut first = [0];
        let is_plain = is_plain
            && source.regular().is_some()
            && source.name != Name::Stdin
            && source.read_at(0, &mut first).is_ok()
            && !COMPRESSED.contains(&first[0]);
        let mut records = Records { source, entries: Vec::new(), texts: (!is_plain).then(Vec::new) };
        let found = |record: Value<'_, '_>, entry: Entry| {
            let text = (!is_plain).then(|| record.raw().to_owned());
            Found { entry, text }
        };
        let mut take = |Found { mut entry, text }: Found| {
            if let (Some(texts), Some(text)) = (&mut records.texts, text) {
                entry.offset = texts.len() as u64;
                texts.extend_from_slice(text.as_bytes());
            }
            records.entries.push(entry);
            Ok(())
        };
        self.each(source, &found, &mut take)?;
        records.entries.sort_by_key(|entry| entry.key);
        Ok(records)
    }

    /// Calls a function with the hashes of each record on several threads, and another one with its results in order.
    fn each(
        &self,
        source: &Source,
        found: &(dyn Fn(Value<'_, '_>, Entry) -> Found + Sync),
        take: &mut dyn FnMut(Found) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let inputs = self.arguments.inputs();
        let options: Options = self.arguments.engine.options(&inputs, &source.name).framing(Framing::Lines);
        let invalid = |error| Trouble::Input(source.name.clone(), error);
        let mut failure = None;
        let read = map_documents(
            inputs.read(source).map_err(invalid)?,
            &options,
            |batch| -> Batch<Found> {
                let hashed = batch.records().zip(0_u64..).map(|(record, number)| {
                    let key = record.pointer(self.key).ok_or(number)?;
                    let [key, value] = [key, record].map(|value| self.state.hash_one(value));
                    let (offset, length) = (batch.offset_of(record), record.raw().len());
                    Ok(found(record, Entry { key, value, offset, length }))
                });
                hashed.collect()
            },
            |mapped| {
                let taken = mapped.map_err(invalid).and_then(|mapped| match mapped.result {
                    Ok(batch) => batch.into_iter().try_for_each(&mut *take),
                    Err(number) => {
                        let message = format!("record {} has no value at {}", mapped.number + number, self.key);
                        Err(RunError::new(source.name.clone(), message).into())
                    }
                });
                failure = taken.err();
                if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        match failure {
            Some(failure) => Err(failure),
            None => read.map(drop).map_err(invalid),
        }
    }

    /// Compares a record with that of the first input that has its key, if there is one. Returns whether they are equal.
    fn compare(
        &self,
        records: &Records<'_>,
        old: Option<&Entry>,
        found: &Found,
        source: &Source,
        lines: &mut Lines,
    ) -> Result<bool, Trouble> {
        if self.is_exact && old.is_some_and(|old| old.value == found.entry.value) {
            return Ok(true);
        }
        let invalid = |error| Trouble::Input(source.name.clone(), error);
        // A record without its text is equal to the only one with its key.
        let Some(text) = &found.text else { return Ok(true) };
        let new = OwnedDocument::new(text.as_bytes()).map_err(invalid)?;
        let label = self.label(new.root());
        let Some(old) = old else {
            lines.difference(&label, "", None, Some(new.root()));
            return Ok(false);
        };
        let old = records.read(old)?;
        let keys = [&old, &new].map(|record| record.root().pointer(self.key));
        if keys[0] != keys[1] {
            return Err(RunError::new(records.source.name.clone(), FILE_CHANGED).into());
        }
        let changes = diff(old.root(), new.root(), self.options).map_err(invalid)?;
        for change in changes.with_context() {
            if change.is_context() {
                lines.context(&label, &change.own_pointer(), change.old_value());
            } else {
                lines.difference(&label, &change.own_pointer(), change.old_value(), change.new_value());
            }
        }
        Ok(changes.is_empty())
    }

    /// Returns the key of a record as text.
    fn label(&self, record: Value<'_, '_>) -> String {
        record.pointer(self.key).map(Value::raw).unwrap_or_default().to_owned()
    }
}

impl Records<'_> {
    /// Reads a record again.
    fn read(&self, entry: &Entry) -> Result<OwnedDocument, Trouble> {
        let changed = || RunError::new(self.source.name.clone(), FILE_CHANGED);
        let mut text = vec![0; entry.length];
        match &self.texts {
            None => self.source.read_at(entry.offset, &mut text).map_err(|_| changed())?,
            Some(texts) => {
                let start = usize::try_from(entry.offset).unwrap_or(usize::MAX);
                let held = texts.get(start..).and_then(|rest| rest.get(..entry.length)).ok_or_else(changed)?;
                text.copy_from_slice(held);
            }
        }
        // It was valid.
        Ok(OwnedDocument::new(text).map_err(|_| changed())?)
    }
}

/// Returns the records whose keys have this hash.
fn group(entries: &[Entry], key: u64) -> Range<usize> {
    let start = entries.partition_point(|entry| entry.key < key);
    start..start + entries[start..].iter().take_while(|entry| entry.key == key).count()
}
