//! `fjson completions SHELL`: prints the completion script for a shell.

#![forbid(unsafe_code)]

use crate::args::Arguments;
use crate::args::Completions;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::target::Target;
use clap::CommandFactory;
use clap::ValueEnum;
use clap_complete::Shell;

pub fn run(arguments: &Completions) -> Result<Exit, RunError> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "fjson", &mut script);
    // For fish, only options are generated, not the values of arguments.
    if arguments.shell == Shell::Fish {
        let shells: Vec<_> = Shell::value_variants().iter().map(ToString::to_string).collect();
        let condition = "__fish_fjson_using_subcommand completions";
        script.extend(format!("complete -c fjson -n \"{condition}\" -f -a \"{}\"\n", shells.join(" ")).bytes());
    }
    Target::stdout()?.print(script)?;
    Ok(Exit::Success)
}
