//! The options of `fjson man` and `fjson completions`, which write what an installation needs.

#![forbid(unsafe_code)]

use clap::Args;
use clap::ValueHint;
use clap_complete::Shell;
use std::path::PathBuf;

#[derive(Args)]
pub struct Man {
    /// Directory for fjson.1 and one page per command; created if it does not exist
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub directory: PathBuf,
}

#[derive(Args)]
pub struct Completions {
    /// Shell to generate the script for
    pub shell: Shell,
}
