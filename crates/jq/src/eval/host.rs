//! What a program asks of the outside world, which the caller decides.

#![forbid(unsafe_code)]

use std::time::SystemTime;

use crate::modules::Modules;
use crate::value::Value;

/// The surroundings of a program: its further inputs, and what it may know and write.
///
/// Every method has a default that knows and does nothing, except that time passes.
///
/// ```
/// use fjson_jq::{Filter, Host};
/// use fjson_jq::value::{Error, Value};
///
/// /// Numbers as further inputs.
/// struct Countdown(u32);
///
/// impl Host for Countdown {
///     fn next_input(&mut self) -> Option<Result<Value, Error>> {
///         self.0 = self.0.checked_sub(1)?;
///         Some(Ok(f64::from(self.0).into()))
///     }
///
///     fn has_inputs(&self) -> bool {
///         true
///     }
/// }
///
/// let filter = Filter::new("[inputs]")?;
/// let mut outputs = Vec::new();
/// filter.machine_with(Countdown(3)).run_each("null", &mut |output| outputs.push(output.to_string()))?;
/// assert_eq!(outputs, ["[2,1,0]"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Host {
    /// Returns the next input, for `input` and `inputs`; `None` at the end.
    fn next_input(&mut self) -> Option<Result<Value, crate::value::Error>> {
        None
    }

    /// Whether there is a source of inputs. If not, `input` fails with the error `break`.
    fn has_inputs(&self) -> bool {
        false
    }

    /// Writes what `debug` passes on, usually to standard error as `["DEBUG:",value]`.
    fn debug(&mut self, value: &Value) {
        let _ = value;
    }

    /// Writes what `stderr` passes on, usually to standard error: a string as it is, another value as compact JSON.
    fn stderr(&mut self, value: &Value) {
        let _ = value;
    }

    /// Returns the environment variables, for `env` and `$ENV`.
    fn environment(&mut self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns the name of the current input file.
    fn input_filename(&mut self) -> Option<String> {
        None
    }

    /// Returns how many line breaks of the current input have been read.
    fn input_line_number(&mut self) -> u64 {
        0
    }

    /// Returns the directories that modules are searched in.
    fn search_list(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the modules that `modulemeta` describes.
    fn modules(&mut self) -> Option<&mut dyn Modules> {
        None
    }

    /// Returns the seconds since 1970 began, for `now`.
    fn now(&mut self) -> f64 {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
    }

    /// Returns the name of a time zone for `localtime`, `mktime` and `strflocaltime`; `None` for that of the system.
    fn time_zone(&mut self) -> Option<String> {
        None
    }
}

/// Surroundings that know and do nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHost;

impl Host for NoHost {}

impl<H: Host + ?Sized> Host for &mut H {
    fn next_input(&mut self) -> Option<Result<Value, crate::value::Error>> {
        (**self).next_input()
    }

    fn has_inputs(&self) -> bool {
        (**self).has_inputs()
    }

    fn debug(&mut self, value: &Value) {
        (**self).debug(value);
    }

    fn stderr(&mut self, value: &Value) {
        (**self).stderr(value);
    }

    fn environment(&mut self) -> Vec<(String, String)> {
        (**self).environment()
    }

    fn input_filename(&mut self) -> Option<String> {
        (**self).input_filename()
    }

    fn input_line_number(&mut self) -> u64 {
        (**self).input_line_number()
    }

    fn search_list(&mut self) -> Vec<String> {
        (**self).search_list()
    }

    fn modules(&mut self) -> Option<&mut dyn Modules> {
        (**self).modules()
    }

    fn now(&mut self) -> f64 {
        (**self).now()
    }

    fn time_zone(&mut self) -> Option<String> {
        (**self).time_zone()
    }
}
