//! Signals that end the program while it writes files: each file is old or new, and no other file is left.

use std::collections::HashMap;
use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::faults::Ending;
use crate::faults::Program;
use crate::faults::contents::Content;
use crate::faults::contents::text;
use crate::random::Random;

const LINES: [(&str, &str); 8] = [
    ("minify -i victim.json", "victim.json"),
    ("pretty -i victim.json", "victim.json"),
    ("pretty -i -S victim.json", "victim.json"),
    ("minify -o out victim.json", "out"),
    ("pretty -o out victim.json", "out"),
    ("gzip -f -o out victim.json", "out"),
    ("jq -i . victim.json", "victim.json"),
    ("jq -c -o out . victim.json", "out"),
];

const SIGNALS: [(&str, i32); 8] =
    [("HUP", 1), ("INT", 2), ("QUIT", 3), ("KILL", 9), ("USR1", 10), ("ALRM", 14), ("TERM", 15), ("XCPU", 24)];

const SIZE: usize = 1 << 20;

/// Rounds with one program.
pub struct Killed {
    program: Program,
    text: Vec<u8>,
    /// The output of each line, and how long it takes.
    undisturbed: HashMap<&'static str, (Vec<u8>, Duration)>,
}

impl Killed {
    /// Rounds with this program.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self { program, text: text(Content::Wide, SIZE), undisturbed: HashMap::new() }
    }

    /// One signal under one command line.
    ///
    /// # Errors
    /// If a file is neither old nor new, or another one is left.
    ///
    /// # Panics
    /// If files cannot be made.
    pub fn round(&mut self, random: &mut Random) -> Result<(), String> {
        let (line, product) = LINES[random.below(LINES.len())];
        let (name, signal) = SIGNALS[random.below(SIGNALS.len())];
        if !self.undisturbed.contains_key(line) {
            self.put_files(product);
            let outcome = self.program.run(self.command(line), Duration::from_secs(6));
            assert_eq!(outcome.ending, Ending::Status(0), "{line}: {}", outcome.words());
            let new = fs::read(self.program.file(product)).expect("it was written");
            self.undisturbed.insert(line, (new, outcome.took));
        }
        let (new, took) = &self.undisturbed[line];
        self.put_files(product);
        let running = self.program.start(self.command(line));
        let when = u32::try_from(random.below(1200)).unwrap_or_default();
        thread::sleep(*took * when / 1000);
        let id = running.id().to_string();
        // It may have ended, but its number is not reused until its parent has waited for it.
        let sent = Command::new("kill").args(["-s", name, &id]).status().expect("kill is there");
        assert!(sent.success(), "kill -s {name} {id}");
        let outcome = running.wait(*took);

        let place = || format!("{line}, {name}: {:?}: {}", outcome.ending, outcome.words());
        if outcome.ending != Ending::Status(0) && outcome.ending != Ending::Signal(signal) {
            return Err(place());
        }
        let mut names = self.program.names();
        // As SECURITY.md says: between the link and the rename, or where there are no unnamed files.
        names.retain(|left| !(name == "KILL" && left.starts_with(".fjson-")));
        let expected: &[&str] = if product == "out" { &["out", "victim.json"] } else { &["victim.json"] };
        if names != expected {
            return Err(format!("{}: {names:?} are left", place()));
        }
        let left = fs::read(self.program.file(product)).expect("the file is there");
        let old = if product == "out" { b"old" } else { &self.text[..] };
        if left == *new || left == old && outcome.ending != Ending::Status(0) {
            Ok(())
        } else {
            Err(format!("{}: {} bytes are left, old {}, new {}", place(), left.len(), old.len(), new.len()))
        }
    }

    fn put_files(&self, product: &str) {
        self.program.clear();
        fs::write(self.program.file("victim.json"), &self.text).expect("the file is written");
        if product == "out" {
            fs::write(self.program.file("out"), "old").expect("the file is written");
        }
    }

    fn command(&self, line: &str) -> Command {
        self.program.command(&line.split_whitespace().collect::<Vec<_>>())
    }
}
