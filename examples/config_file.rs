//! Reads a configuration file into a struct, with defaults, and says where it is wrong.
//!
//! ```sh
//! cargo run --example config_file -- server.json
//! ```

use std::env;
use std::fmt::Display;
use std::fs;
use std::io;
use std::io::Write;
use std::process::ExitCode;

use fjson::Layout;
use serde::Deserialize;
use serde::Serialize;

/// The configuration. Unknown members are errors, so that a misspelled name is noticed.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The IP address to listen on.
    pub address: String,
    /// The port to listen on.
    pub port: u16,
    /// The number of threads; if `None`, one per processor.
    pub workers: Option<usize>,
    /// How much is logged.
    pub log: Log,
}

/// How much is logged.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Log {
    /// Errors only.
    Quiet,
    /// Errors and warnings.
    Normal,
    /// All requests.
    Verbose,
}

impl Default for Config {
    fn default() -> Self {
        Self { address: "127.0.0.1".to_owned(), port: 8080, workers: None, log: Log::Normal }
    }
}

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        return print(io::stdout(), show(&Config::default()).unwrap_or_default(), ExitCode::SUCCESS);
    };
    let config = match fs::read_to_string(&path) {
        Ok(text) => read(&text),
        Err(error) => Err(format!(" {error}")),
    };
    match config {
        Ok(config) => print(io::stdout(), format_args!("{config:?}"), ExitCode::SUCCESS),
        Err(message) => print(io::stderr(), format_args!("{path}:{message}"), ExitCode::FAILURE),
    }
}

/// Prints a line and returns the exit status.
fn print(mut output: impl Write, line: impl Display, status: ExitCode) -> ExitCode {
    if writeln!(output, "{line}").is_ok() { status } else { ExitCode::FAILURE }
}

/// Returns the configuration.
///
/// # Errors
///
/// If the text is not JSON, or not a configuration: the line and the column, if they are known, and the reason.
pub fn read(text: &str) -> Result<Config, String> {
    fjson::from_str(text).map_err(|error| match error.position() {
        Some(position) => format!("{}:{}: {error}", position.line, position.column),
        None => format!(" {error}"),
    })
}

/// Returns a configuration as the text of a file.
///
/// # Errors
///
/// If a value cannot be written as JSON, which does not happen to this type.
pub fn show(config: &Config) -> Result<String, fjson::Error> {
    fjson::to_string_pretty(config, &Layout::default())
}
