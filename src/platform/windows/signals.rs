//! The events that end a program on Windows: Ctrl-C, Ctrl-Break, and the end of the console or the session.

#![forbid(unsafe_code)]

use std::process;

/// Exit status of a program that Ctrl-C ended (`STATUS_CONTROL_C_EXIT`).
const ENDED_BY_CONTROL_C: u32 = 0xc000_013a;

/// Does nothing: the abort of Rust's runtime cannot be intercepted, and ends with the status 0xc0000409.
pub fn exit_on_out_of_memory(_: i32) {}

/// Does nothing: files have no size limit.
pub fn ignore_file_size_limit() {}

/// Ends the program, with the status of an output that failed.
#[expect(clippy::exit, reason = "the reader of the output has ended, which is the end of a filter")]
pub fn end_by_broken_pipe() {
    process::exit(2);
}

/// Calls `before` when such an event ends the program, and keeps its result until the end.
#[expect(clippy::exit, reason = "the event ends the program; the handler only removes files first")]
pub fn on_termination<G: 'static>(before: fn() -> G) {
    // If no handler can be installed, the events end the program at once.
    ctrlc::set_handler(move || {
        let _guard = before();
        process::exit(ENDED_BY_CONTROL_C.cast_signed());
    })
    .ok();
}
