//! Files that change while the program reads them.
//!
//! The file is changed after the program has mapped it, and so knows its size and times: every later change is
//! detected, or the text was read before it. So a result with status 0 or 1 has to be that of the old text. In a few
//! rounds the change comes at any time, or to a file that is not mapped, where the result may mix both texts; in these
//! the program only has to end.

use std::collections::HashMap;
use std::fs;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::Duration;

use crate::faults::Ending;
use crate::faults::Outcome;
use crate::faults::Program;
use crate::faults::Running;
use crate::faults::contents::Content;
use crate::faults::contents::Contents;
use crate::faults::contents::Form;
use crate::faults::lines::Effect;
use crate::faults::lines::LINES;
use crate::faults::lines::Line;
use crate::random::Random;

const VICTIM: &str = "victim.json";

/// What overwrites the text: bytes with a meaning in it, and bytes that are not text at all.
const OVERWRITING: &[u8] = b"\"\\{}[],:0\xFF";

/// More than a tick of the clock of file times: a change soon after the file was made could have the same time.
const TICKS: Duration = Duration::from_millis(12);

/// A change of the file.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// It is truncated here.
    Truncate(u64),
    /// It is truncated to nothing, and written again.
    WriteAnew,
    /// This many bytes are appended.
    Grow(usize),
    /// This many ranges of it are overwritten, all at once or until the program ends.
    Overwrite { times: usize, lasting: bool },
    /// Another file replaces it.
    Replace,
}

/// A round, as determined by its seed.
#[derive(Debug)]
struct Round {
    line: Line,
    content: Content,
    form: Form,
    threads: usize,
    through_stdin: bool,
    mapped: bool,
    at_any_time: bool,
    change: Change,
    /// The time of the change, in thousandths of the time of an undisturbed run.
    when: u32,
}

/// What runs with the same result have in common.
type Key = (&'static str, Content, Form, usize, bool, bool);

/// Rounds with one program.
pub struct Changing {
    program: Program,
    contents: Contents,
    undisturbed: HashMap<Key, (Outcome, Option<Vec<u8>>)>,
}

impl Changing {
    /// Rounds with this program.
    #[must_use]
    pub fn new(program: Program) -> Self {
        Self { program, contents: Contents::default(), undisturbed: HashMap::new() }
    }

    /// One change under one command line.
    ///
    /// # Errors
    /// If the program does not end as it should.
    ///
    /// # Panics
    /// If files cannot be made.
    pub fn round(&mut self, random: &mut Random) -> Result<(), String> {
        let round = Round::of(random);
        self.disturb(&round, random).map_err(|failure| format!("{round:?}: {failure}"))
    }

    fn disturb(&mut self, round: &Round, random: &mut Random) -> Result<(), String> {
        let (reference, product) = self.undisturbed(round);
        let limit = reference.took;
        let text = self.contents.get(round.content, round.form, round.line.size);
        let victim = self.program.file(VICTIM);
        self.program.clear();
        fs::write(&victim, text).expect("the file is written");
        let mut file = File::options().read(true).write(true).open(&victim).expect("the file is there");
        let replacement = self.program.spare("replacement");
        if matches!(round.change, Change::Replace) {
            fs::write(&replacement, &text[..text.len() / 2]).expect("the file is written");
        }
        thread::sleep(TICKS);

        let mut running = self.program.start(command(&self.program, round));
        let knows = round.at_any_time || !round.mapped || wait_until_mapped(&mut running);
        thread::sleep(limit * round.when / 1000);
        if knows {
            match round.change {
                Change::Truncate(percent) => file.set_len(text.len() as u64 * percent / 100).expect("it is truncated"),
                Change::WriteAnew => {
                    file.set_len(0).expect("it is truncated");
                    file.write_all_at(&text[..text.len() / 3], 0).expect("it is written");
                }
                Change::Grow(length) => {
                    file.write_all_at(&text[..length.min(text.len())], text.len() as u64).expect("it grows");
                }
                Change::Overwrite { times, lasting } => {
                    for _ in 0..times {
                        let most = if random.one_in(4) { 64 } else { 2 };
                        let length = 1 + random.below(most);
                        let bytes: Vec<_> = (0..length).map(|_| random.byte_of(OVERWRITING)).collect();
                        let place = random.below(text.len() - length.min(text.len()));
                        file.write_all_at(&bytes, place as u64).expect("it is overwritten");
                        if lasting && running.has_ended() {
                            break;
                        }
                    }
                }
                Change::Replace => {
                    fs::rename(&replacement, &victim).expect("it is replaced");
                    file = File::open(&victim).expect("it is there");
                }
            }
        }
        let outcome = running.wait(limit);
        outcome.is_orderly()?;
        if round.at_any_time || !round.mapped {
            return Ok(());
        }
        self.judge(round, &outcome, &reference, product.as_deref(), &file)
    }

    fn judge(
        &self,
        round: &Round,
        outcome: &Outcome,
        reference: &Outcome,
        product: Option<&[u8]>,
        left: &File,
    ) -> Result<(), String> {
        let names = self.program.names();
        let expected: &[&str] = if round.line.effect == Effect::Writes && outcome.ending == Ending::Status(0) {
            &["out", VICTIM]
        } else {
            &[VICTIM]
        };
        if names != expected {
            return Err(format!("{names:?} are left, with {:?}: {}", outcome.ending, outcome.words()));
        }
        if outcome.ending == Ending::Status(2) {
            return if tells_of_a_document(outcome) {
                Err(format!("an error is told that was not there: {}", outcome.words()))
            } else {
                Ok(())
            };
        }
        let is_right = match round.line.effect {
            Effect::Prints => outcome.says(reference),
            Effect::Writes => outcome.says(reference) && fs::read(self.program.file("out")).ok().as_deref() == product,
            // A file is edited in two readings, and the second one may read the changed file.
            Effect::Edits => self.is_edited(round, outcome, reference, product, left),
        };
        if is_right {
            Ok(())
        } else {
            let end = self.program.spare("answer");
            fs::write(&end, &outcome.stdout).expect("the answer is kept");
            Err(format!(
                "{:?} with {} bytes, undisturbed {:?} with {}: {}",
                outcome.ending,
                outcome.stdout.len(),
                reference.ending,
                reference.stdout.len(),
                outcome.words()
            ))
        }
    }

    /// Whether a file was edited completely, whether from the old text or the changed one; `left` is the file that was changed.
    fn is_edited(
        &self,
        round: &Round,
        outcome: &Outcome,
        reference: &Outcome,
        product: Option<&[u8]>,
        left: &File,
    ) -> bool {
        let victim = self.program.file(VICTIM);
        let edited = fs::read(&victim).expect("the file is there");
        if outcome.says(reference) && Some(&*edited) == product {
            return true;
        }
        let length = left.metadata().expect("the system tells").len();
        let mut text = vec![0; usize::try_from(length).expect("a small file")];
        left.read_exact_at(&mut text, 0).expect("the file is read");
        // The change came after the edit.
        if outcome.says(reference) && edited == text {
            return true;
        }
        fs::write(&victim, text).expect("the file is written");
        let again = self.program.run(command(&self.program, round), reference.took);
        outcome.says(&again) && fs::read(&victim).ok() == Some(edited)
    }

    /// The outcome of an undisturbed run, and what it wrote.
    fn undisturbed(&mut self, round: &Round) -> (Outcome, Option<Vec<u8>>) {
        let Round { line, content, form, threads, through_stdin, mapped, .. } = *round;
        let key = (line.words, content, form, threads, through_stdin, mapped);
        if let Some(known) = self.undisturbed.get(&key) {
            return known.clone();
        }
        let text = self.contents.get(content, form, line.size);
        let victim = self.program.file(VICTIM);
        let once = || {
            self.program.clear();
            fs::write(&victim, text).expect("the file is written");
            let outcome = self.program.run(command(&self.program, round), Duration::from_secs(6));
            let product: Option<PathBuf> = match line.effect {
                Effect::Prints => None,
                Effect::Writes => Some(self.program.file("out")),
                Effect::Edits => Some(victim.clone()),
            };
            (outcome, product.map(|path| fs::read(path).expect("it was written")))
        };
        // The first run reads files that are not in the page cache, and takes longer.
        let first = once();
        let (mut outcome, product) = once();
        assert!(outcome.says(&first.0) && product == first.1, "{round:?} is answered in two ways");
        // A query without matches has a result, too.
        let is_answer = matches!(outcome.ending, Ending::Status(0 | 1)) && outcome.stderr.is_empty();
        assert!(is_answer, "{round:?}: {}", outcome.words());
        outcome.took = outcome.took.min(first.0.took);
        self.undisturbed.insert(key, (outcome.clone(), product.clone()));
        (outcome, product)
    }
}

impl Round {
    fn of(random: &mut Random) -> Self {
        let line = LINES[random.below(LINES.len())];
        let is_edit = line.effect == Effect::Edits;
        let form = match random.below(8) {
            0 | 1 if !is_edit => Form::Gzip,
            2 if !is_edit => Form::Zstd,
            _ => Form::Plain,
        };
        let change = match random.below(12) {
            0 | 1 => Change::Truncate(0),
            2 => Change::Truncate(random.below(100) as u64),
            3 => Change::WriteAnew,
            4 => Change::Grow(1 + random.below(100_000)),
            5 => Change::Replace,
            6 => Change::Overwrite { times: 1 + random.below(4), lasting: false },
            7..=9 => Change::Overwrite { times: 2000, lasting: false },
            _ => Change::Overwrite { times: 100_000, lasting: true },
        };
        let threads = 1 + random.below(2);
        let kind = random.below(16);
        Self {
            line,
            content: line.contents[random.below(line.contents.len())],
            form,
            threads,
            through_stdin: kind == 0 && !is_edit,
            // `diff` has no `--no-mmap`.
            mapped: kind != 1 || line.words.starts_with("diff"),
            at_any_time: kind == 2,
            change,
            when: u32::try_from(random.below(1000)).unwrap_or_default(),
        }
    }
}

fn command(program: &Program, round: &Round) -> Command {
    let threads = round.threads.to_string();
    let mut words = round.line.words();
    words.extend(["--threads", &threads]);
    if !round.mapped {
        words.push("--no-mmap");
    }
    if !round.through_stdin {
        words.push(VICTIM);
        return program.command(&words);
    }
    // `diff` names both of its inputs.
    if words[0] == "diff" {
        words.push("-");
    }
    let mut command = program.command(&words);
    command.stdin(File::open(program.file(VICTIM)).expect("the file is there"));
    command
}

/// Waits until the program has mapped the file. Returns whether it did before it ended.
fn wait_until_mapped(running: &mut Running) -> bool {
    let maps = format!("/proc/{}/maps", running.id());
    while !running.has_ended() {
        if fs::read(&maps).is_ok_and(|maps| maps.windows(VICTIM.len()).any(|name| name == VICTIM.as_bytes())) {
            return true;
        }
        thread::sleep(Duration::from_micros(50));
    }
    false
}

/// Whether standard error has an error with a line and a column, that is, one in a document.
fn tells_of_a_document(outcome: &Outcome) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    String::from_utf8_lossy(&outcome.stderr).lines().any(|line| {
        let place = line.split(": error:").next().unwrap_or_default();
        let mut fields = place.rsplit(':');
        line.contains(": error:") && fields.next().is_some_and(is_number) && fields.next().is_some_and(is_number)
    })
}
