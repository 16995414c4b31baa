//! For tests: a mapped file that changes at a chosen moment while it is read.
//!
//! Racing threads would hit only a few of the possible moments, and not reproducibly. Here the reading thread itself changes the
//! content, at its *n*-th call of [`look`].

#![forbid(unsafe_code)]

use crate::input::Input;

use std::cell::Cell;
use std::cell::RefCell;
use std::env;
use std::fs;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::process;
use std::time::Duration;
use std::time::SystemTime;

/// How a file changes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change<'c> {
    /// Its beginning is overwritten.
    Overwrite(&'c [u8]),
    /// It is truncated to this length.
    Cut(u64),
    /// This is appended.
    Append(&'c [u8]),
}

/// The pending change, with its own copy of the text.
enum Plan {
    Overwrite(Vec<u8>),
    Cut(u64),
    Append(u64, Vec<u8>),
}

thread_local! {
    /// Number of looks so far.
    static LOOKS: Cell<u64> = const { Cell::new(0) };
    /// Number of the look at which the file changes.
    static MOMENT: Cell<u64> = const { Cell::new(u64::MAX) };
    /// Number of looks that must not be reached.
    static MOST: Cell<u64> = const { Cell::new(u64::MAX) };
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
    static FILE: File = nameless();
}

/// Creates an unlinked file, which no other process can open.
fn nameless() -> File {
    let path = env::temp_dir().join(format!("fjson-changing-{}-{:?}", process::id(), std::thread::current().id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path).expect("creates");
    fs::remove_file(&path).expect("removes");
    file
}

/// Counts a look at the text and changes the file if this is the chosen one.
#[inline]
pub(super) fn change_point() {
    let looks = LOOKS.get() + 1;
    LOOKS.set(looks);
    if looks >= MOMENT.get() {
        change();
    }
    assert!(looks < MOST.get(), "no end after {looks} looks");
}

#[cold]
fn change() {
    MOMENT.set(u64::MAX);
    let plan = PLAN.take().expect("a change is planned");
    FILE.with(|file| {
        match plan {
            Plan::Overwrite(text) => file.write_all_at(&text, 0).expect("writes"),
            Plan::Cut(length) => file.set_len(length).expect("cuts"),
            Plan::Append(length, text) => file.write_all_at(&text, length).expect("appends"),
        }
        // Clocks are coarse, and the change must be detectable.
        file.set_modified(SystemTime::UNIX_EPOCH).expect("sets the time");
    });
}

/// Runs `read` on a mapped file with this content, which changes at the look number `moment`. Panics at the look number `most`.
/// Returns the result and the number of looks.
pub(crate) fn read<T>(
    content: &[u8],
    change: Change<'_>,
    moment: u64,
    most: u64,
    read: impl FnOnce(Input<'_>) -> T,
) -> (T, u64) {
    let input = FILE.with(|file| {
        file.set_len(content.len() as u64).expect("sets the length");
        file.write_all_at(content, 0).expect("writes");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1)).expect("sets the time");
        Input::map_for_test(file)
    });
    PLAN.set(Some(match change {
        Change::Overwrite(text) => Plan::Overwrite(text[..text.len().min(content.len())].to_vec()),
        Change::Cut(length) => Plan::Cut(length.min(content.len() as u64)),
        Change::Append(text) => Plan::Append(content.len() as u64, text.to_vec()),
    }));
    LOOKS.set(0);
    MOMENT.set(moment);
    MOST.set(most);
    let result = read(input);
    MOMENT.set(u64::MAX);
    MOST.set(u64::MAX);
    (result, LOOKS.get())
}
