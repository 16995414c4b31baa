//! The jq language, version 1.8: compiles a program once and runs it on any number of values.
//!
//! # A program
//!
//! A [`Filter`] is a compiled program. It gets a value and has any number of outputs, which are passed to a function one by one.
//!
//! ```
//! use fjson_jq::Filter;
//!
//! let filter = Filter::new(".[] | {name, total: (.prices | add)}")?;
//! let mut outputs = Vec::new();
//! filter.machine().run_each(r#"[{"name": "a", "prices": [1, 2]}]"#, &mut |output| outputs.push(output.to_string()))?;
//! assert_eq!(outputs, [r#"{"name":"a","total":3}"#]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values
//!
//! A [`Value`](value::Value) is what JSON has. It is made of text, read, changed, and written.
//!
//! ```
//! use fjson_jq::Filter;
//! use fjson_jq::value::Value;
//!
//! let mut value = Value::parse(br#"{"a": 1.50}"#)?;
//! value.set_field(&"b".into(), vec![Value::TRUE, Value::NULL].into())?;
//! assert_eq!(value.to_string(), r#"{"a":1.50,"b":[true,null]}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Many values
//!
//! A [`Machine`] runs a filter on one value after the other. A filter can be shared by threads; machines and values stay in theirs.
//!
//! ```
//! use fjson_jq::Filter;
//!
//! let filter = Filter::new("length")?;
//! std::thread::scope(|scope| {
//!     for text in ["[1, 2]", "[3]"] {
//!         scope.spawn(|| assert!(filter.machine().run_each(text, &mut |_| {}).is_ok()));
//!     }
//! });
//! # Ok::<(), fjson_jq::ProgramError>(())
//! ```
//!
//! # Variables, modules, surroundings
//!
//! Variables are named when the program is compiled ([`Builder::variable`]) and set before it runs ([`Machine::set_variable`]).
//! Modules come from [`Modules`], for example [`Directories`]. Further inputs, environment variables and messages go through a
//! [`Host`]. Without these, a program has no way to reach anything but its input.
//!
//! # Errors
//!
//! A program that does not compile is a [`ProgramError`] with the place, an excerpt, and often a sentence that helps. A run ends with a
//! [`RunError`]: an error that nothing caught, `halt`, or a limit. It holds a value, so it cannot be sent to another thread; its message can.
//!
//! ```
//! use fjson_jq::Filter;
//! use fjson_jq::RunError;
//!
//! let error = Filter::new(".items[").unwrap_err();
//! assert_eq!(error.message(), "syntax error, unexpected end of file");
//!
//! match Filter::new(".a.b")?.first(r#"{"a": 5}"#) {
//!     Err(RunError::Error(error)) => assert_eq!(error.to_string(), r#"Cannot index number with string ("b")"#),
//!     other => panic!("{other:?}"),
//! }
//! # Ok::<(), fjson_jq::ProgramError>(())
//! ```
//!
//! # Untrusted programs
//!
//! [`Limits`] bound the stack, the memory, the steps and the time of a run. Whatever the program and the document are, a run ends with
//! an error and not with a crash: nesting is bounded by the stack that the caller allows, and only where it needs the stack.

#![forbid(unsafe_code)]
#![expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "native functions have one signature, and what flows through an expression is passed by value"
)]

mod builtins;
mod eval;
mod filter;
mod ir;
mod leading;
mod modules;
mod paths;
mod program_error;
mod resolve;
mod stack;
mod syntax;
pub mod value;
pub mod write;

pub use eval::Halt;
pub use eval::Host;
pub use eval::Limit;
pub use eval::Limits;
pub use eval::Machine;
pub use eval::NoHost;
pub use eval::RunError;
pub use filter::Builder;
pub use filter::Filter;
pub use ir::Uses;
pub use leading::LeadingPath;
pub use modules::Directories;
pub use modules::Import;
pub use modules::Imported;
pub use modules::Modules;
pub use program_error::ProgramError;
