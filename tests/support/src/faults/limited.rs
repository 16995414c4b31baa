//! System limits: address space, descriptors, stack, file size.
//!
//! Under each limit the program gives the same result, or reports an error.

use std::fs;
use std::time::Duration;

use crate::faults::Ending;
use crate::faults::Outcome;
use crate::faults::Program;
use crate::faults::contents::Content;
use crate::faults::contents::text;
use crate::faults::unless_failed;

/// Limits as for `ulimit`: its option, and values in descending order. The program and its libraries take 10 MB of address
/// space before anything is read.
const LIMITS: [(&str, &[u32]); 4] = [
    ("-v", &[400_000, 200_000, 100_000, 80_000, 60_000]),
    ("-n", &[64, 20, 12, 9, 7, 6, 5, 4]),
    ("-s", &[1024, 512, 256]),
    ("-f", &[1000, 100, 1, 0]),
];

/// Command lines, and whether they read many small inputs or a large one.
const LINES: &[(&str, Inputs)] = &[
    ("validate", Inputs::Large),
    ("validate --unique-keys --no-mmap", Inputs::Large),
    ("validate --ijson", Inputs::Deep),
    ("validate", Inputs::Many),
    ("validate --threads 1000", Inputs::Many),
    ("validate --threads 1000", Inputs::Large),
    ("validate --lines --threads 4", Inputs::Lines),
    ("minify", Inputs::Many),
    ("minify", Inputs::Large),
    ("minify -S", Inputs::Large),
    ("minify --canonical", Inputs::Large),
    ("minify -o out --threads 8", Inputs::Large),
    ("pretty -o out", Inputs::Large),
    ("pretty --check", Inputs::Many),
    ("gzip -o out --threads 8", Inputs::Large),
    ("gzip -c -9", Inputs::Large),
    ("stats", Inputs::Large),
    ("stats", Inputs::Many),
    ("jq -c .", Inputs::Large),
    ("jq -c .", Inputs::Many),
    ("jq [..]|length", Inputs::Deep),
    ("jq -c .id? --threads 4", Inputs::Lines),
    ("jq -o out -s .", Inputs::Many),
    ("query $..a", Inputs::Large),
    ("query $..*", Inputs::Large),
    ("query --paths $..a", Inputs::Deep),
    ("query --count -p $..a -p $..b", Inputs::Large),
    ("query $..[?@.z==2].z", Inputs::Large),
    ("query --order document --pointers $..*", Inputs::Large),
    ("query $.id --lines --threads 4", Inputs::Lines),
    ("query --csv -p $.id -p $.name --lines", Inputs::Lines),
    ("query $.a --threads 1000", Inputs::Many),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inputs {
    Large,
    Deep,
    Lines,
    /// 300 of them.
    Many,
}

/// Runs the lines under each `step`th limit, and returns the number of runs.
///
/// # Errors
/// If the program did not end as it should.
///
/// # Panics
/// If files cannot be made.
pub fn all(program: &Program, step: usize) -> Result<u32, String> {
    program.clear();
    let put = |name: &str, content| fs::write(program.file(name), content).expect("the file is written");
    put("large.json", text(Content::Wide, 3 << 20));
    put("deep.json", [vec![b'['; 200_000], vec![b']'; 200_000]].concat());
    put("lines.jsonl", text(Content::Lines, 2 << 20));
    let many: Vec<_> = (0..300).map(|number| format!("{number}.json")).collect();
    for name in &many {
        put(name, format!("{{\n  \"a\": \"{name}\"\n}}\n").into_bytes());
    }
    let (mut runs, mut failures) = (0, Vec::new());
    for (number, &(line, inputs)) in LINES.iter().enumerate() {
        let mut words: Vec<_> = line.split_whitespace().collect();
        match inputs {
            Inputs::Large => words.push("large.json"),
            Inputs::Deep => words.push("deep.json"),
            Inputs::Lines => words.push("lines.jsonl"),
            Inputs::Many => words.extend(many.iter().map(String::as_str)),
        }
        let (undisturbed, product) = run(program, &[], &words);
        // A query without matches has a result, too.
        if !matches!(undisturbed.ending, Ending::Status(0 | 1)) || !undisturbed.stderr.is_empty() {
            failures.push(format!("{line} {inputs:?}: {:?}: {}", undisturbed.ending, undisturbed.words()));
            continue;
        }
        for (option, values) in LIMITS {
            for value in values.iter().skip(number % step).step_by(step) {
                let limit = format!("ulimit {option} {value} && exec \"$@\"");
                let before = ["sh", "-c", &*limit, "sh"];
                // The loader needs some, too, and so does the system to start a program.
                if run(program, &before, &["--version"]).0.ending != Ending::Status(0) {
                    break;
                }
                let (outcome, written) = run(program, &before, &words);
                runs += 1;
                let is_right = outcome.ending != Ending::Status(2) && outcome.says(&undisturbed) && written == product;
                let is_external = outcome.ending == Ending::Status(2) && written.is_none();
                let result = if let Err(failure) = outcome.is_orderly() {
                    Err(failure)
                } else if is_right || is_external {
                    Ok(())
                } else {
                    Err(format!("{:?} with another answer: {}", outcome.ending, outcome.words()))
                };
                failures.extend(result.err().map(|why| format!("{line} {inputs:?}, ulimit {option} {value}: {why}")));
            }
        }
    }
    unless_failed(runs, &failures)
}

/// The exit status, and what was written to `out`.
fn run(program: &Program, before: &[&str], words: &[&str]) -> (Outcome, Option<Vec<u8>>) {
    fs::remove_file(program.file("out")).ok();
    let outcome = program.run(program.behind(before, words), Duration::from_secs(6));
    (outcome, fs::read(program.file("out")).ok())
}
