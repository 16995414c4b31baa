//! Reads records in another thread, makes columns of them, and passes these on in batches.
//!
//! The library reads parts of the input on several threads, each of which makes columns of its part. The reading thread puts parts
//! together to batches with as many records as are wanted, whatever the number of threads.

#![forbid(unsafe_code)]

use std::mem;
use std::ops::ControlFlow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;
use std::sync::mpsc::SyncSender;

use fjson::DocumentBatch;
use fjson::Error;
use fjson::Kind as JsonKind;
use fjson::Options;
use fjson::Query;
use fjson::Value;
use fjson::map_documents;

use crate::columns::arrow::Finished;
use crate::columns::build::Column;
use crate::columns::build::Expected;
use crate::columns::build::Mismatch;
use crate::columns::build::Mismatches;
use crate::columns::kind::Keys;
use crate::columns::kind::Kind;
use crate::columns::select::Path;
use crate::columns::select::Selection;
use crate::columns::select::Unexpected;
use crate::source::Shared;

/// Bytes after which a batch ends although it has fewer records than wanted. It may get longer by what was read at once, and the offsets
/// of texts have 31 bits.
const MOST_BYTES: usize = 1 << 26;

/// Longest text that a message shows.
const SHOWN: usize = 40;

/// What is read, and how.
pub struct Plan {
    pub names: Keys,
    pub kinds: Vec<Kind>,
    pub selection: Selection,
    pub options: Options,
    /// How many records a batch has.
    pub batch_size: usize,
    pub skip_bad: bool,
    pub null_mismatches: bool,
    /// The bytes in which the lines begin that are read.
    pub range: Range<u64>,
}

/// What was passed over.
#[derive(Default)]
pub struct Counts {
    pub skipped: AtomicU64,
    pub mismatches: AtomicU64,
}

impl Counts {
    pub fn reset(&self) {
        self.skipped.store(0, Ordering::Relaxed);
        self.mismatches.store(0, Ordering::Relaxed);
    }
}

/// Why reading ended early.
pub enum Trouble {
    Error(Error),
    Misfit(Misfit),
}

/// A value that does not fit into its column.
pub struct Misfit {
    pub message: String,
    pub help: Option<String>,
    pub pointer: String,
    /// The text of the record, and the offset of the value in it.
    pub text: Vec<u8>,
    pub offset: usize,
    /// The number of the record, from 1.
    pub record: u64,
}

/// A batch, or why there is none.
pub type Message = Result<Arc<Finished>, Trouble>;

impl Trouble {
    /// Returns one sentence with the place.
    pub fn describe(&self) -> String {
        let (message, record, pointer) = match self {
            Self::Error(error) => (error.to_string(), error.record(), error.pointer().unwrap_or_default()),
            Self::Misfit(misfit) => (misfit.message.clone(), Some(misfit.record), misfit.pointer.as_str()),
        };
        match (record, pointer) {
            (None, _) => message,
            (Some(record), "") => format!("{message}: record {record}"),
            (Some(record), pointer) => format!("{message}: record {record}, at {pointer}"),
        }
    }
}

/// Columns of consecutive records.
struct Part {
    columns: Vec<Column>,
    rows: usize,
    mismatches: u64,
    /// Why there are no more rows. Its record is counted from the first one of the part.
    misfit: Option<Misfit>,
}

/// Reads a source, or until nobody receives the batches.
pub fn read(source: &mut Shared, plan: &Plan, counts: &Counts, sender: &SyncSender<Message>) {
    let mut batch = Batch { plan, counts, sender, columns: plan.columns(), rows: 0 };
    let result = source.input_in(plan.range.clone()).and_then(|input| {
        map_documents(
            input,
            &plan.options,
            |documents| part(plan, documents),
            |mapped| match mapped {
                Ok(mapped) => batch.add(mapped.result, mapped.number),
                Err(_) if plan.skip_bad => {
                    counts.skipped.fetch_add(1, Ordering::Relaxed);
                    ControlFlow::Continue(())
                }
                Err(error) => batch.fail(Trouble::Error(error)),
            },
        )
    });
    // The receiver may be gone, and then nobody wants to know.
    let _ = match result {
        Ok(_) => batch.flush(),
        Err(error) => batch.fail(Trouble::Error(error)),
    };
}

impl Plan {
    fn columns(&self) -> Vec<Column> {
        self.kinds.iter().map(Column::new).collect()
    }
}

/// The batch that is being filled.
struct Batch<'p> {
    plan: &'p Plan,
    counts: &'p Counts,
    sender: &'p SyncSender<Message>,
    columns: Vec<Column>,
    rows: usize,
}

impl Batch<'_> {
    fn add(&mut self, part: Part, number: u64) -> ControlFlow<()> {
        self.counts.mismatches.fetch_add(part.mismatches, Ordering::Relaxed);
        let mut row = 0;
        while row < part.rows {
            let end = part.rows.min(row + self.plan.batch_size - self.rows);
            for (column, other) in self.columns.iter_mut().zip(&part.columns) {
                column.extend(other, row..end);
            }
            self.rows += end - row;
            row = end;
            if self.rows == self.plan.batch_size {
                self.flush()?;
            }
        }
        if let Some(misfit) = part.misfit {
            let record = misfit.record + number;
            return self.fail(Trouble::Misfit(Misfit { record, ..misfit }));
        }
        if self.columns.iter().map(Column::size).sum::<usize>() > MOST_BYTES {
            self.flush()
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Passes on the records before an error, and the error.
    fn fail(&mut self, trouble: Trouble) -> ControlFlow<()> {
        self.flush()?;
        let _ = self.sender.send(Err(trouble));
        ControlFlow::Break(())
    }

    fn flush(&mut self) -> ControlFlow<()> {
        if self.rows == 0 {
            return ControlFlow::Continue(());
        }
        let columns = mem::replace(&mut self.columns, self.plan.columns());
        let batch = Finished::batch(columns, mem::take(&mut self.rows));
        if self.sender.send(Ok(batch)).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

/// Makes columns of some records.
fn part(plan: &Plan, documents: &DocumentBatch<'_>) -> Part {
    let mut part = Part { columns: plan.columns(), rows: 0, mismatches: 0, misfit: None };
    let mut mismatches = Mismatches { are_null: plan.null_mismatches, count: 0 };
    let mut slots = Vec::new();
    for record in documents.records() {
        if let Err(mismatch) = push(plan, record, &mut slots, &mut part.columns, &mut mismatches) {
            part.misfit = Some(misfit(&mismatch, record, part.rows));
            break;
        }
        part.rows += 1;
    }
    part.mismatches = mismatches.count;
    part
}

/// Adds a record to columns.
fn push<'p, 't>(
    plan: &Plan,
    record: Value<'p, 't>,
    slots: &mut Vec<Option<Value<'p, 't>>>,
    columns: &mut [Column],
    mismatches: &mut Mismatches,
) -> Result<(), Mismatch<'p, 't>> {
    plan.selection.find(record, slots, |unexpected| match unexpected {
        Unexpected::Record(value) => mismatches.add(value, Expected::Kind("an object".to_owned())),
        Unexpected::Key(key) => mismatches.add(key, Expected::Key),
    })?;
    let paths = plan.selection.paths();
    for (((column, kind), path), slot) in columns.iter_mut().zip(&plan.kinds).zip(paths).zip(slots) {
        match (path, kind) {
            (Path::All(query), Kind::List(items)) => {
                column.push_list(items, record, all(record, query)?.into_iter(), mismatches)?;
            }
            (Path::One(query) | Path::All(query), _) => {
                column.push(kind, all(record, query)?.first().copied(), mismatches)?;
            }
            (Path::Names(_), _) => column.push(kind, *slot, mismatches)?,
        }
    }
    Ok(())
}

fn all<'p, 't>(record: Value<'p, 't>, query: &Query) -> Result<Vec<Value<'p, 't>>, Mismatch<'p, 't>> {
    let failed = |error: Error| Mismatch { value: record, expected: Expected::Query(error.to_string()) };
    record.find(query).map_err(failed)
}

/// Returns the message for a value of the record in this row.
fn misfit(mismatch: &Mismatch<'_, '_>, record: Value<'_, '_>, row: usize) -> Misfit {
    let value = mismatch.value;
    let found = describe(value);
    let mut help = None;
    let message = match &mismatch.expected {
        Expected::Kind(kind) => format!("found {found}, expected {kind}"),
        Expected::Unicode => "lone surrogate in an escape sequence".to_owned(),
        Expected::Query(message) => message.clone(),
        Expected::Less => "more text than a column of one batch can have (2 GiB)".to_owned(),
        Expected::Key => {
            help = Some("name the columns and their types, or infer them from more records with `infer`".to_owned());
            format!("found the key {}, expected one of those that were inferred", shown(value))
        }
    };
    Misfit {
        message,
        help,
        pointer: value.to_pointer(),
        text: record.raw().as_bytes().to_vec(),
        offset: value.start() - record.start(),
        record: row as u64,
    }
}

fn describe(value: Value<'_, '_>) -> String {
    match value.kind() {
        JsonKind::Null => "null".to_owned(),
        JsonKind::Bool => value.raw().to_owned(),
        JsonKind::Number => format!("the number {}", shown(value)),
        JsonKind::String => format!("the string {}", shown(value)),
        JsonKind::Array => "an array".to_owned(),
        JsonKind::Object => "an object".to_owned(),
    }
}

fn shown(value: Value<'_, '_>) -> String {
    let text = value.raw();
    if text.chars().count() <= SHOWN { text.to_owned() } else { text.chars().take(SHOWN).chain(['…']).collect() }
}
