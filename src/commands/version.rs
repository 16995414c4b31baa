//! `fjson --version`: the version, the kernel selected on this machine, and all available kernels; with `--verbose`, also how the
//! program was built.

#![forbid(unsafe_code)]

use crate::exit::Exit;
use crate::exit::RunError;
use crate::platform::C_LIBRARY;
use crate::target::Target;
use fjson::Isa;
use std::ffi::OsString;
use std::fmt::Write;

pub fn run(is_verbose: bool) -> Result<Exit, RunError> {
    let version = env!("CARGO_PKG_VERSION");
    let available = Isa::available().map(Isa::name).collect::<Vec<_>>().join(", ");
    let mut text = format!("fjson {version} (kernel {}; available {available})\n", Isa::detect());
    if is_verbose {
        let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
        for (name, value) in [
            // Release builds from a checkout have it, and so has what the release scripts build.
            ("commit", option_env!("FJSON_COMMIT").unwrap_or("not recorded")),
            ("target", env!("FJSON_TARGET")),
            ("C library", C_LIBRARY),
            ("profile", profile),
        ] {
            // Writing to a string cannot fail.
            writeln!(text, "{name}: {value}").ok();
        }
    }
    Target::stdout()?.print(text)?;
    Ok(Exit::Success)
}

/// Whether a command line asks for the version with details: `-vV`, or `--version --verbose` and nothing else.
pub fn wants_details(mut arguments: impl Iterator<Item = OsString>) -> bool {
    let (mut version, mut verbose) = (false, false);
    let only = arguments.all(|argument| {
        let (is_version, is_verbose) = match argument.to_str() {
            Some("-V" | "--version") => (true, false),
            Some("-v" | "--verbose") => (false, true),
            Some("-vV" | "-Vv") => (true, true),
            _ => return false,
        };
        version |= is_version;
        verbose |= is_verbose;
        true
    });
    only && version && verbose
}

#[cfg(test)]
mod tests {
    use super::wants_details;
    use std::ffi::OsString;

    #[test]
    fn details_must_be_asked_for_with_the_version_alone() {
        for (line, expected) in [
            ("-vV", true),
            ("-V -v", true),
            ("--verbose --version", true),
            ("--version", false),
            ("-v", false),
            ("", false),
            ("validate -vV", false),
            ("-vV file", false),
        ] {
            assert_eq!(wants_details(line.split_whitespace().map(OsString::from)), expected, "{line}");
        }
    }
}
