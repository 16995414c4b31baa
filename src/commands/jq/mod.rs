//! `fjson jq`: runs programs in the jq language. If the program is called by the name `jq`, it is this command.

#![forbid(unsafe_code)]

mod batches;
mod events;
mod in_place;
mod invocation;
mod line_numbers;
mod piece;
mod printer;
mod program;
mod queue;
mod reading;
mod run;
mod session;
mod settings;
mod status;

pub use crate::commands::jq::invocation::Invocation;

use crate::args::Bom;
use crate::commands::jq::program::Program;
use crate::commands::jq::reading::inputs;
use crate::commands::jq::settings::Request;
use crate::commands::jq::settings::Settings;
use crate::exit::RunError;
use crate::output_file::SAME_FILE_OR_IN_PLACE;
use crate::outputs::check_stdout;
use crate::short_help;
use crate::target::Target;
use std::ffi::OsString;
use std::io;
use std::io::IsTerminal;
use std::panic;
use std::thread;

/// The version of the language.
const LANGUAGE: &str = "1.8";

/// Bytes of stack for nested calls and documents. They are reserved, and cost nothing before they are used.
const STACKS: [usize; 3] = [256 << 20, 64 << 20, 8 << 20];

/// Bytes of a stack that are not for nested calls.
const RESERVED: usize = 1 << 20;

/// Bytes of a path that can be compiled on any stack.
const LONGEST_PATH: usize = 200;

/// Runs the command. Returns the exit status.
pub fn run(invocation: Invocation, arguments: Vec<OsString>) -> u8 {
    // jq skips byte order marks.
    let bom = if invocation == Invocation::Name { Bom::Accept } else { Bom::Error };
    let settings = match Settings::parse(arguments, bom) {
        Ok(settings) => settings,
        Err(message) => {
            invocation.print_usage_error(&message);
            return status::SYSTEM;
        }
    };
    if let Some(request) = settings.request {
        return answer(invocation, request);
    }
    let has_default = settings.program.is_none() && !settings.is_from_file;
    if settings.program.is_none() && (!has_default || io::stdout().is_terminal() && io::stdin().is_terminal()) {
        invocation.print_usage_error("expected a program, such as '.name'");
        return status::SYSTEM;
    }
    let is_stdout_written = settings.output.is_none() && !settings.in_place;
    if is_stdout_written && let Err(error) = check_stdout(&inputs(&settings), SAME_FILE_OR_IN_PLACE) {
        error.print();
        return status::SYSTEM;
    }
    if settings.program.as_ref().is_none_or(|program| !settings.is_from_file && is_path(&program.to_string_lossy())) {
        return with_stack(invocation, &settings, RESERVED / 2);
    }
    thread::scope(|scope| {
        for bytes in STACKS {
            let settings = &settings;
            let work = move || with_stack(invocation, settings, bytes - RESERVED);
            // There may be no room for so large a stack.
            if let Ok(thread) = thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work) {
                return thread.join().unwrap_or_else(|reason| panic::resume_unwind(reason));
            }
        }
        with_stack(invocation, &settings, RESERVED / 2)
    })
}

/// Whether a program does nothing but follow a path, such as `.a[0] | .b[]?`. It needs no large stack, and so no thread, whose start takes
/// a while on a busy machine.
fn is_path(program: &str) -> bool {
    let mut before = ' ';
    let may_follow = |character| {
        let before = std::mem::replace(&mut before, character);
        match character {
            'a'..='z' | 'A'..='Z' | '_' => matches!(before, '.' | '_') || before.is_ascii_alphanumeric(),
            '.' => before != '.',
            '0'..='9' | '[' | ']' | '?' | '|' | ' ' => true,
            _ => false,
        }
    };
    program.len() <= LONGEST_PATH && program.chars().all(may_follow)
}

fn with_stack(invocation: Invocation, settings: &Settings, stack: usize) -> u8 {
    let program = match Program::new(settings, invocation) {
        Ok(program) => program,
        Err(status) => return status,
    };
    let result = if settings.in_place {
        in_place::run(settings, invocation, &program, stack)
    } else {
        run::run(settings, invocation, &program, stack)
    };
    result.unwrap_or_else(|error| {
        error.print();
        status::SYSTEM
    })
}

/// Prints what was asked for instead of running a program.
fn answer(invocation: Invocation, request: Request) -> u8 {
    let text = match request {
        Request::Help { is_long } => short_help::of_command("jq", invocation.command(), is_long),
        // Scripts compare what follows `jq-`.
        Request::Version if invocation == Invocation::Name => {
            format!("jq-{LANGUAGE} (fjson {})\n", env!("CARGO_PKG_VERSION"))
        }
        Request::Version => format!("fjson {} (jq language {LANGUAGE})\n", env!("CARGO_PKG_VERSION")),
        Request::BuildConfiguration => program::build_configuration() + "\n",
    };
    let printed: Result<(), RunError> = Target::stdout().and_then(|mut target| target.print(text));
    match printed {
        Ok(()) => 0,
        Err(error) => {
            error.print();
            status::SYSTEM
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn paths_call_nothing() {
        for program in ["", ".", ".a", ".a_1.B[0] | .[].c?", ".[]?[]", ".a[12][]|.b"] {
            assert!(is_path(program), "{program}");
        }
        for program in
            ["a", ".[a]", ". a", "..", ".a|b", ".a,.b", ".\"a\"", ".a // 1", "def f: .a; .a", "1|a", ".ä", ".[$a]"]
        {
            assert!(!is_path(program), "{program}");
        }
        assert!(!is_path(&"[".repeat(1000)));
    }
}
