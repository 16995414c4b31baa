//! Passes the target triple on to `fjson --version --verbose`, because only build scripts are told it, and the commit, if the
//! package is a checkout of the repository.

#![forbid(unsafe_code)]

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=FJSON_COMMIT");
    println!("cargo::rustc-env=FJSON_TARGET={}", env::var("TARGET").unwrap_or_default());
    // The release scripts set it.
    if let Ok(commit) = env::var("FJSON_COMMIT") {
        println!("cargo::rustc-env=FJSON_COMMIT={commit}");
    } else if env::var("PROFILE").is_ok_and(|profile| profile == "release")
        && let Some(commit) = checkout()
    {
        println!("cargo::rustc-env=FJSON_COMMIT={commit}");
    }
}

/// Returns the commit that is checked out here, and has the package built again when another one is; so this is for release builds
/// only. Changes that were not committed are not noticed.
fn checkout() -> Option<String> {
    // The package from the registry may be unpacked in a checkout of something else.
    if !Path::new(".git").exists() {
        return None;
    }
    // `git` adds a line to the log of HEAD whenever HEAD changes.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "--short=12", "HEAD"])
}

/// Returns what git prints, if there is git.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
