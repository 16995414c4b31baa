//! `fjson --version`: prints the version, the kernel selected on this machine, and all available kernels.

#![forbid(unsafe_code)]

use crate::exit::Exit;
use crate::exit::RunError;
use crate::target::Target;
use fjson::Isa;

pub fn run() -> Result<Exit, RunError> {
    let version = env!("CARGO_PKG_VERSION");
    let available = Isa::available().map(Isa::name).collect::<Vec<_>>().join(", ");
    let text = format!("fjson {version} (kernel {}; available {available})\n", Isa::detect());
    Target::stdout()?.print(text)?;
    Ok(Exit::Success)
}
