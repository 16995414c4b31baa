//! Evaluation: every output of an expression is passed to a function as soon as there is one.
//!
//! Nothing is allocated for an output, and a consumer that wants no more returns an error, which ends everything up to the label or
//! `try` that it belongs to. Expressions with at most one output, which are known when the program is compiled, are evaluated by a
//! function that returns it; so `reduce`, updates and tail calls own their values and change them in place.
//!
//! The same code evaluates values and paths: an item is a value, or a value and where it was found.

#![forbid(unsafe_code)]

mod bind;
mod calls;
mod construct;
mod context;
mod halt;
mod host;
mod item;
mod limits;
mod loops;
mod machine;
mod many;
mod natives;
mod one;
mod product;
mod stop;
mod update;

pub(crate) use context::Context;
pub(crate) use natives::NATIVES;

pub use halt::Halt;
pub use halt::RunError;
pub use host::Host;
pub use host::NoHost;
pub use limits::Limit;
pub use limits::Limits;
pub use machine::Machine;
