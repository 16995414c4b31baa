//! Which mutants are tested: those that are marked in the sources, or those that are made at random, or a part of them.

#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::iter::zip;
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use proof::random::Random;
use proof::suites;

use crate::PACKAGES;
use crate::Package;
use crate::random::random_mutants;

/// What a marker begins with.
const MARKER: &str = "// mutant";

/// A mutant: a place in the sources, and what stands there instead.
pub struct Mutant {
    /// 1 for the first.
    pub number: usize,
    pub package: &'static Package,
    /// The path of the file, relative to the sources of the package.
    pub file: String,
    pub line: usize,
    /// How it is shown: file, line and replacement.
    pub shown: String,
    /// The part of the file that is replaced.
    pub range: Range<usize>,
    pub replacement: String,
}

/// The mutants that `FJSON_MUTANTS` selects.
pub struct Selection {
    pub mutants: Vec<Mutant>,
    /// Whether each of them must compile: not those that are made at random.
    pub must_compile: bool,
}

impl Selection {
    pub fn wanted() -> Self {
        let wanted = env::var("FJSON_MUTANTS").unwrap_or_default();
        let number = |text: &str| text.parse::<usize>().ok();
        let random = wanted.strip_prefix("random:").and_then(|rest| rest.split_once(':'));
        let must_compile = random.is_none() && wanted != "changed";
        let mut files = Vec::new();
        for package in &PACKAGES {
            collect(package, &suites::root().join(package.sources()), "", &mut files);
        }
        let mut mutants: Vec<_> =
            files.iter().flat_map(if must_compile { marked_mutants } else { random_mutants }).collect();
        if let Some((count, seed)) = random {
            let mut random = Random::new(seed.parse().expect("a seed"));
            let surplus = mutants.len().saturating_sub(count.parse().expect("a number of mutants"));
            for _ in 0..surplus {
                mutants.swap_remove(random.below(mutants.len()));
            }
        } else if wanted == "changed" {
            let changed = changed_lines();
            mutants.retain(|mutant| {
                changed.get(&mutant.path()).is_some_and(|lines| lines.iter().any(|lines| lines.contains(&mutant.line)))
            });
        } else if let Some((part, parts)) =
            wanted.split_once('/').and_then(|(part, parts)| Some((number(part)?, number(parts)?)))
        {
            // Neighbors are in different parts.
            mutants = mutants.into_iter().skip(part - 1).step_by(parts).collect();
        } else {
            let is_wanted = |mutant: &Mutant| wanted.split(',').any(|part| mutant.location().contains(part));
            mutants.retain(is_wanted);
        }
        mutants.sort_by_key(|mutant| (mutant.path(), mutant.line));
        (1..).zip(&mut mutants).for_each(|(number, mutant)| mutant.number = number);
        Self { mutants, must_compile }
    }
}

/// Returns the lines of each file that differ from a commit.
fn changed_lines() -> HashMap<String, Vec<Range<usize>>> {
    let base = env::var("FJSON_BASE").unwrap_or_else(|_| "origin/main".to_owned());
    let mut git = Command::new("git");
    git.args(["diff", "--unified=0", &base]).current_dir(suites::root());
    let output = git.output().expect("git can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (mut changed, mut file) = (HashMap::<_, Vec<_>>::new(), String::new());
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(path) = line.strip_prefix("+++ b/") {
            path.clone_into(&mut file);
        } else if let Some((_, lines)) = line.strip_prefix("@@ ").and_then(|rest| rest.split_once('+')) {
            // `@@ -7,0 +8,2 @@`
            let (first, count) =
                lines.split(' ').next().map(|lines| lines.split_once(',').unwrap_or((lines, "1"))).unwrap_or_default();
            let [first, count] = [first, count].map(|number| number.parse().unwrap_or(0));
            changed.entry(file.clone()).or_default().push(first..first + count);
        }
    }
    changed
}

/// A file of the sources.
pub struct Source {
    pub package: &'static Package,
    /// The path, relative to the sources of the package.
    pub file: String,
    pub text: String,
}

impl Source {
    pub fn mutant(&self, range: Range<usize>, replacement: &str) -> Mutant {
        let line = self.text[..range.start].matches('\n').count() + 1;
        let changed = self.text[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        let mut mutant = Mutant {
            number: 0,
            package: self.package,
            file: self.file.clone(),
            line,
            shown: String::new(),
            range,
            replacement: replacement.to_owned(),
        };
        mutant.show(&format!("{changed} -> {replacement}"));
        mutant
    }
}

impl Mutant {
    /// Returns the path of the file.
    fn path(&self) -> String {
        format!("{}/src/{}", self.package.folder, self.file)
    }

    /// Returns the path and the number of the line, each with a colon after it.
    fn location(&self) -> String {
        format!("{}:{}:", self.path(), self.line)
    }

    fn show(&mut self, change: &str) {
        self.shown = format!("{} {change}", self.location());
    }
}

/// Finds the files in a folder, in the order of their names.
fn collect(package: &'static Package, folder: &Path, prefix: &str, files: &mut Vec<Source>) {
    let entries = fs::read_dir(folder).expect("a folder of the sources");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let file = format!("{prefix}{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            collect(package, &path, &format!("{file}/"), files);
        } else if path.extension() == Some(OsStr::new("rs")) {
            let text = fs::read_to_string(&path).expect("a source file");
            files.push(Source { package, file, text });
        }
    }
}

/// Finds the markers in a file: `// mutant: TEXT` or `// mutant (2 lines): TEXT`.
fn marked_mutants(source: &Source) -> Vec<Mutant> {
    let mut end = 0;
    let mut offset_of = |line: &str| {
        end += line.len();
        end - line.len()
    };
    let lines: Vec<_> = source.text.split_inclusive('\n').map(|line| (offset_of(line), line)).collect();
    let marker = |line: &'_ str| line.trim().strip_prefix(MARKER).map(str::to_owned);
    let mutant = |(number, &(_, line)): (usize, &(usize, &str))| {
        let rest = marker(line)?;
        let (count, replacement) =
            rest.split_once(':').unwrap_or_else(|| panic!("{}:{}: no colon", source.file, number + 1));
        let digits: String = count.chars().filter(char::is_ascii_digit).collect();
        let count = digits.parse().unwrap_or(1);
        // Several markers may stand before a line.
        let first = number + lines[number..].iter().take_while(|(_, line)| marker(line).is_some()).count();
        let (start, end) = (lines[first].0, lines[first + count].0);
        let replaced = &source.text[start..end];
        let start = end - replaced.trim_start().len();
        let replaced = replaced.trim();
        // Only what differs is replaced.
        let replacement = replacement.trim();
        let same = |(one, other): &(u8, u8)| one == other;
        let before = zip(replaced.bytes(), replacement.bytes()).take_while(same).count();
        let shorter = replaced.len().min(replacement.len()) - before;
        let after = zip(replaced.bytes().rev(), replacement.bytes().rev()).take_while(same).count().min(shorter);
        let (range, part) = (before..replaced.len() - after, before..replacement.len() - after);
        let mut mutant = source.mutant(start + range.start..start + range.end, &replacement[part]);
        mutant.show(replacement);
        Some(mutant)
    };
    lines.iter().enumerate().filter_map(mutant).collect()
}
