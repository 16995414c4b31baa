//! What a run of `cargo test` did not test, because something is not on the machine: one summary at its end.
//!
//! Each test binary appends to a file in the target directory, and the last one that cargo runs prints it: `tests/untested.rs` of this
//! package, because cargo runs packages and then targets in the order of their names. Records of other runs are told apart by the
//! process that started the binary. Where only a part of the tests is run, there is no last binary, so the message is printed at once.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::fs::File;
use std::io;
use std::io::Write as _;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;

/// Arguments of cargo that select a part of the tests.
const PARTIAL: [&str; 16] = [
    "--test",
    "--lib",
    "--bin",
    "--bins",
    "--bench",
    "--benches",
    "--doc",
    "--example",
    "--examples",
    "--tests",
    "-p",
    "--package",
    "--exclude",
    "--no-run",
    "--manifest-path",
    "miri",
];

/// Reports that something is not tested, and why.
pub fn report(what: &str) {
    static REPORTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if !REPORTED.lock().unwrap_or_else(PoisonError::into_inner).insert(what.to_owned()) {
        return;
    }
    // A binary that runs after the summary, because of a package with a later name, does not miss it.
    let is_over = || fs::read_to_string(file()).is_ok_and(|records| is_summarized(&records, &starter()));
    let is_recorded = is_whole_run() && !is_over() && record(&file(), &starter(), &binary(), what).is_ok();
    if !is_recorded {
        // Not `eprintln`, whose output is hidden if the test passes.
        let _ = writeln!(io::stderr(), "\nNOT TESTED: {what}\n");
    }
}

/// Returns the summary of this run, if something was not tested, and forgets all records.
#[must_use]
pub fn summary() -> Option<String> {
    let records = fs::read_to_string(file()).unwrap_or_default();
    fs::write(file(), format!("{}\t{SUMMARIZED}\n", starter())).ok();
    summary_of(&records, &starter())
}

/// What the summary leaves in the file.
const SUMMARIZED: &str = "summarized";

/// Whether the summary of this run has been printed.
fn is_summarized(records: &str, starter: &str) -> bool {
    records.lines().any(|record| record.split_once('\t') == Some((starter, SUMMARIZED)))
}

/// Appends a record. Short appends are atomic, so binaries that run at the same time do not mix theirs.
fn record(file: &Path, starter: &str, binary: &str, what: &str) -> io::Result<()> {
    let what = what.replace(['\t', '\n'], " ");
    let mut file = File::options().create(true).append(true).open(file)?;
    file.write_all(format!("{starter}\t{binary}\t{what}\n").as_bytes())
}

fn summary_of(records: &str, starter: &str) -> Option<String> {
    let mut untested = BTreeMap::<&str, BTreeSet<&str>>::new();
    for record in records.lines() {
        let mut fields = record.splitn(3, '\t');
        if fields.next() == Some(starter)
            && let (Some(binary), Some(what)) = (fields.next(), fields.next())
        {
            untested.entry(what).or_default().insert(binary);
        }
    }
    if untested.is_empty() {
        return None;
    }
    let line = "=".repeat(100);
    let mut text = format!("\n{line}\nNOT TESTED, although no test has failed:\n");
    for (what, binaries) in untested {
        let binaries = binaries.into_iter().collect::<Vec<_>>().join(", ");
        // Writing to a string cannot fail.
        writeln!(text, "  * {what} (in {binaries})").ok();
    }
    writeln!(text, "{line}\n").ok();
    Some(text)
}

/// Returns the file of the records, in the directory of the profile: `target/debug/deps/BINARY` is the program.
fn file() -> PathBuf {
    let program = env::current_exe().unwrap_or_default();
    let folder = program.ancestors().nth(2).map(Path::to_path_buf);
    folder.unwrap_or_else(env::temp_dir).join("not-tested.txt")
}

/// Returns the name of this test binary, without the hash that cargo appends.
fn binary() -> String {
    let program = env::current_exe().unwrap_or_default();
    let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    name.rsplit_once('-').map_or(name.clone(), |(name, _)| name.to_owned())
}

/// Returns a text that is the same for all binaries that the same process has started.
fn starter() -> String {
    #[cfg(unix)]
    let starter = std::os::unix::process::parent_id();
    #[cfg(not(unix))]
    let starter = 0;
    starter.to_string()
}

/// Whether cargo runs all tests of the workspace, so that the summary will be printed.
fn is_whole_run() -> bool {
    let command = fs::read(format!("/proc/{}/cmdline", starter())).unwrap_or_default();
    let words: Vec<_> = command.split(|&byte| byte == 0).map(|word| String::from_utf8_lossy(word)).collect();
    let folder = fs::read_link(format!("/proc/{}/cwd", starter())).unwrap_or_default();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    runs_everything(&words) && folder.canonicalize().ok() == root.canonicalize().ok()
}

/// Whether this is a command line of cargo that selects no part of the tests.
fn runs_everything(words: &[impl AsRef<str>]) -> bool {
    let mut words = words.iter().map(AsRef::as_ref);
    let is_cargo =
        words.next().is_some_and(|program| Path::new(program).file_stem().is_some_and(|name| name == "cargo"));
    let words: Vec<_> = words.take_while(|word| *word != "--").collect();
    let selects = |word: &&str| PARTIAL.contains(&word.split('=').next().unwrap_or_default());
    is_cargo && words.iter().any(|word| ["test", "t"].contains(word)) && !words.iter().any(selects)
}

#[cfg(test)]
mod tests {
    use super::SUMMARIZED;
    use super::is_summarized;
    use super::record;
    use super::runs_everything;
    use super::summary_of;
    use std::env;
    use std::fs;
    use std::process;

    #[test]
    fn the_summary_has_what_this_run_has_recorded() {
        let file = env::temp_dir().join(format!("fjson-not-tested-{}", process::id()));
        for (starter, binary, what) in [
            ("7", "values", "the suite a, which is not there"),
            ("8", "values", "of another run"),
            ("7", "kernels", "the suite a, which is not there"),
            ("7", "cli", "jq\n\tis not there"),
        ] {
            record(&file, starter, binary, what).expect("it is written");
        }
        let records = fs::read_to_string(&file).expect("it is there");
        fs::remove_file(&file).expect("it is there");
        let summary = summary_of(&records, "7").expect("something is not tested");
        assert_eq!(summary.matches("NOT TESTED").count(), 1);
        assert!(summary.contains("  * the suite a, which is not there (in kernels, values)\n"), "{summary}");
        assert!(summary.contains("  * jq  is not there (in cli)\n") && !summary.contains("another"), "{summary}");
        assert_eq!(summary_of(&records, "9"), None);
        assert_eq!(summary_of("", "7"), None);
        let over = format!("7\t{SUMMARIZED}\n");
        assert!(is_summarized(&over, "7") && !is_summarized(&over, "8") && !is_summarized(&records, "7"));
        assert_eq!(summary_of(&over, "7"), None);
    }

    /// Where no summary follows, the message must be printed at once.
    #[test]
    fn a_part_of_the_tests_is_told_apart() {
        for (line, expected) in [
            ("/usr/bin/cargo test", true),
            ("cargo test --locked --workspace", true),
            ("cargo test --locked -- --test-threads 1 --test", true),
            ("cargo test values", true),
            ("cargo test --test cli", false),
            ("cargo test --test=cli", false),
            ("cargo test -p fjson-engine --lib", false),
            ("cargo nextest run", false),
            ("bash", false),
        ] {
            assert_eq!(runs_everything(&line.split(' ').collect::<Vec<_>>()), expected, "{line}");
        }
    }
}
