//! For tests: a mapped file that changes at a chosen moment while it is read.
//!
//! Races find few of the moments at which a file may change, and none of them again. Here the content is changed by the reader's own
//! thread, at the *n*-th look that it takes at the text.

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
    /// It is cut short.
    Cut(u64),
}

/// What is to happen to the file.
enum Plan {
    Overwrite(Vec<u8>),
    Cut(u64),
}

thread_local! {
    /// Looks so far, the one at which the file changes, and the most that there may be.
    static LOOKS: Cell<u64> = const { Cell::new(0) };
    static MOMENT: Cell<u64> = const { Cell::new(u64::MAX) };
    static MOST: Cell<u64> = const { Cell::new(u64::MAX) };
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
    static FILE: File = nameless();
}

/// A file that nobody else knows.
fn nameless() -> File {
    let path = env::temp_dir().join(format!("fjson-changing-{}-{:?}", process::id(), std::thread::current().id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path).expect("creates");
    fs::remove_file(&path).expect("removes");
    file
}

/// A look at the text.
#[inline]
pub(super) fn look() {
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
    let Some(plan) = PLAN.take() else { return };
    FILE.with(|file| {
        match plan {
            Plan::Overwrite(text) => file.write_all_at(&text, 0).expect("writes"),
            Plan::Cut(length) => file.set_len(length).expect("cuts"),
        }
        // Clocks are coarse, and a change is to be noticed.
        file.set_modified(SystemTime::UNIX_EPOCH).expect("sets the time");
    });
}

/// Has `read` read a mapped file with this content, which changes at a look, and may not look at it more often than that. Returns
/// what comes of it, and how many looks it took.
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
    }));
    LOOKS.set(0);
    MOMENT.set(moment);
    MOST.set(most);
    let result = read(input);
    MOMENT.set(u64::MAX);
    MOST.set(u64::MAX);
    (result, LOOKS.get())
}
