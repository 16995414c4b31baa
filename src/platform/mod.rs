//! What differs between operating systems. Each system has the same functions and types, in a file of its own.
//!
//! * Files: whether two names mean the same file, and how an existing file is replaced.
//! * Standard streams: as files, whether they are closed, and what a console needs.
//! * Signals, limits of the process, processor times, and bytes as file names.
//!
//! Nothing else in the program tests for the operating system.

#[cfg_attr(not(all(target_os = "linux", any(target_arch = "aarch64", target_arch = "x86_64"))), path = "no_cycles.rs")]
mod cycles;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use cycles::CycleCounter;
#[cfg(unix)]
pub use unix::*;
#[cfg(windows)]
pub use windows::*;
