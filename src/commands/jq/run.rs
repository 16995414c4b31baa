//! The run of a program on all inputs: on each as it comes, or on those that it asks for.

#![forbid(unsafe_code)]

use crate::args::Color;
use crate::args::Format;
use crate::args::Reporting;
use crate::commands::jq::batches::Batches;
use crate::commands::jq::invocation::Invocation;
use crate::commands::jq::piece::Documents;
use crate::commands::jq::piece::Outcome;
use crate::commands::jq::piece::Piece;
use crate::commands::jq::printer::Printer;
use crate::commands::jq::program::Program;
use crate::commands::jq::queue::Queue;
use crate::commands::jq::reading::Reading;
use crate::commands::jq::session::Accepted;
use crate::commands::jq::session::BadRecords;
use crate::commands::jq::session::Session;
use crate::commands::jq::session::Shared;
use crate::commands::jq::session::Surroundings;
use crate::commands::jq::settings::Settings;
use crate::commands::jq::status::Ending;
use crate::exit::RunError;
use crate::outputs::Outputs;
use crate::report::Report;
use crate::stderr;
use crate::target::Target;
use fjson_jq::Filter;
use fjson_jq::Limits;
use fjson_jq::Machine;
use fjson_jq::value;
use fjson_jq::value::Value;
use fjson_jq::write::Colors;
use std::cell::RefCell;
use std::env;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Duration;

/// Limits of `--sandbox`, unless others are given.
const SANDBOX_TIME: Duration = Duration::from_secs(10);
const SANDBOX_MEMORY: u64 = 1 << 30;

/// Runs the program on all inputs. Returns the exit status.
pub fn run(settings: &Settings, invocation: Invocation, program: &Program, stack: usize) -> Result<u8, RunError> {
    let mut reading = Reading::new(settings);
    if !settings.null_input {
        reading.inputs().check_stdin_for_options()?;
    }
    let mut outputs = Outputs::beside(reading.inputs()).or_in_place();
    let target = match &settings.output {
        Some(path) => outputs.create(path)?,
        None => outputs.stdout()?,
    };
    let written = outputs.files();
    reading.set_outputs(written);
    reading.set_leading_path(program.leading_path());
    if invocation == Invocation::Command && !settings.null_input {
        reading.inputs().announce_terminal();
    }
    let printer = Printer::new(settings, colors(settings, &target, invocation));
    let report = Report::to_stderr(&reporting(settings), reading.inputs())?;
    let mut session = Session::new(&printer, invocation, report, target);
    session.apply(settings);
    let asks = program.filter().uses().inputs;
    if asks || reading.slurps() {
        session.queue = Queue::of_inputs(&reading);
    }
    let session = Rc::new(RefCell::new(session));
    let mut runner = Runner::new(program, &session, settings, stack);
    if settings.null_input {
        runner.run(Value::NULL);
    } else if asks || reading.slurps() {
        runner.run_all();
    } else {
        let is_parallel = reading.has_batches() && program.may_be_shared() && !settings.with_filename;
        let batches = Batches::new(program, &printer, limits(settings, None), is_parallel);
        let _ = reading.each(&|opened, batch| batches.map(opened, batch), &mut |piece| runner.take(piece));
    }
    drop(runner);
    let Some(session) = Rc::into_inner(session) else { return Ok(0) };
    let (status, target) = session.into_inner().finish(settings.exit_status);
    target.map_or(Ok(()), Target::commit)?;
    Ok(status)
}

/// Returns the limits of the program; those of the stack only where it is known.
fn limits(settings: &Settings, stack: Option<usize>) -> Limits {
    let bytes = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    let mut limits = Limits::default();
    if let Some(stack) = stack {
        limits = limits.stack(stack);
    }
    if let Some(memory) = settings.max_memory.or(settings.sandbox.then_some(SANDBOX_MEMORY)) {
        limits = limits.memory(bytes(memory));
    }
    if let Some(steps) = settings.max_steps {
        limits = limits.steps(steps);
    }
    if let Some(time) = settings.max_time.or(settings.sandbox.then_some(SANDBOX_TIME)) {
        limits = limits.time(time);
    }
    limits
}

pub fn reporting(settings: &Settings) -> Reporting {
    let color = if settings.monochrome { Color::Never } else { Color::Auto };
    Reporting { format: Format::Human, max_errors: None, color, quiet: false, verbose: false }
}

/// Returns the colors of outputs: on a terminal, unless `NO_COLOR` is set, and as the options say.
fn colors(settings: &Settings, target: &Target, invocation: Invocation) -> Option<Colors> {
    let no_color = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_usual = target.is_terminal() && !no_color();
    if settings.monochrome || !(settings.color || is_usual) {
        return None;
    }
    if target.is_terminal() {
        stderr::reset_color_at_termination();
    }
    let chosen = env::var_os("JQ_COLORS").map(|value| value.to_str().and_then(Colors::parse));
    Some(chosen.unwrap_or_else(|| Some(Colors::default())).unwrap_or_else(|| {
        let warning = "JQ_COLORS is ignored, because it has other characters than digits, ; and :";
        stderr::print(&format!("{}: warning: {warning}\n", invocation.name())).ok();
        Colors::default()
    }))
}

impl Session<'_> {
    /// Takes over what the command line says.
    pub fn apply(&mut self, settings: &Settings) {
        self.bad_records = match settings {
            Settings { skip_bad: true, .. } => BadRecords::Count,
            Settings { seq: true, .. } => BadRecords::Report,
            _ => BadRecords::End,
        };
        self.has_labels = settings.with_filename;
        self.is_unbuffered |= settings.unbuffered;
    }
}

/// Runs a program on one input after the other.
pub struct Runner<'r, 's> {
    machine: Machine<'s>,
    /// The machine for the elements to which the path at the beginning of the program leads.
    element_machine: Option<Machine<'s>>,
    session: &'s Shared<'r>,
}

impl<'r: 's, 's> Runner<'r, 's> {
    pub fn new(program: &'s Program, session: &'s Shared<'r>, settings: &Settings, stack: usize) -> Self {
        let machine = |filter: &'s Filter| {
            let (session, modules) = (session.clone(), program.modules.clone());
            let surroundings = Surroundings { session, modules, is_sandboxed: settings.sandbox };
            let mut machine = filter.machine_with(surroundings);
            program.set_variables(&mut machine);
            machine.set_limits(limits(settings, Some(stack)));
            machine
        };
        Self { machine: machine(program.filter()), element_machine: program.element_filter().map(machine), session }
    }

    /// Runs the program on an input.
    pub fn run(&mut self, input: Value) {
        self.session.borrow_mut().begin();
        let has_elements = self.session.borrow().has_elements();
        let machine = self.element_machine.as_mut().filter(|_| has_elements).unwrap_or(&mut self.machine);
        let mut result = machine.run(input, &mut |output| self.session.borrow_mut().print(&output));
        let mut session = self.session.borrow_mut();
        if let Some(reason) = session.take_unprintable() {
            result = Err(fjson_jq::RunError::Error(value::Error::new(reason)));
        }
        let ending = Ending::of(session.last(), &result);
        session.status.add(ending);
        if let Err(error) = result {
            session.fail(&error);
        }
    }

    /// Runs the program on the inputs that it has not taken itself.
    pub fn run_all(&mut self) {
        loop {
            let mut session = self.session.borrow_mut();
            if session.is_over() {
                return;
            }
            match session.next() {
                None => return,
                Some(Err(error)) => return session.end_at(&error),
                Some(Ok(input)) => {
                    drop(session);
                    self.run(input);
                }
            }
        }
    }

    /// Runs the program on what was read.
    pub fn take(&mut self, piece: Piece) -> ControlFlow<()> {
        let accepted = self.session.borrow_mut().accept(piece);
        match accepted {
            Accepted::Invalid(error) => self.session.borrow_mut().end_at(&error),
            Accepted::Values(Piece::Documents(documents)) => self.documents(documents)?,
            Accepted::Values(Piece::Done(outcome)) => self.join(outcome)?,
            Accepted::Values(Piece::Lines(lines)) => {
                for (line, end) in lines {
                    self.value(line.into(), end)?;
                }
            }
            Accepted::Nothing | Accepted::Values(_) => {}
        }
        let mut session = self.session.borrow_mut();
        session.pass_here();
        if session.reads_stream() {
            session.flush()?;
        }
        if session.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn documents(&mut self, documents: Documents) -> ControlFlow<()> {
        for (value, end) in documents.into_values() {
            if self.session.borrow().is_behind_failure() {
                break;
            }
            self.value(value, end)?;
        }
        ControlFlow::Continue(())
    }

    fn value(&mut self, value: Value, end: u64) -> ControlFlow<()> {
        self.session.borrow_mut().reach(end);
        self.run(value);
        if self.session.borrow().is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Writes the outputs of another thread, and does what it has left.
    fn join(&mut self, outcome: Outcome) -> ControlFlow<()> {
        let Outcome { output, failures, endings, end, rest } = outcome;
        let mut session = self.session.borrow_mut();
        if session.is_behind_failure() {
            return ControlFlow::Continue(());
        }
        let mut written = 0;
        for failure in failures {
            session.write(&output[written..failure.at])?;
            written = failure.at;
            session.fail_at(failure.end, &failure.text);
        }
        session.write(&output[written..])?;
        for ending in endings {
            session.status.add(ending);
        }
        session.reach(end);
        drop(session);
        rest.map_or(ControlFlow::Continue(()), |rest| self.documents(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::limits;
    use crate::commands::jq::settings::Settings;
    use fjson_jq::Limits;
    use std::time::Duration;

    #[test]
    fn a_sandbox_has_ten_seconds_and_a_gibibyte() {
        let sandboxed = Settings { sandbox: true, ..Settings::default() };
        let expected = Limits::default().memory(1 << 30).time(Duration::from_secs(10));
        assert_eq!(limits(&sandboxed, None), expected);
        let chosen = Settings { max_time: Some(Duration::from_secs(1)), max_steps: Some(7), ..sandboxed };
        assert_eq!(limits(&chosen, None), expected.time(Duration::from_secs(1)).steps(7));
        assert_eq!(limits(&Settings::default(), None), Limits::default());
    }
}
