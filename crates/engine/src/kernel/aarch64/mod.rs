//! The kernel for AArch64, in two versions: with and without carry-less products.

mod neon;
mod vectors;

use crate::kernel::Kernel;
use crate::kernel::Pass;
pub(crate) use neon::Neon;

/// Runs a pass with the version of the kernel for this machine.
#[inline(always)]
pub(super) fn run<P: Pass>(pass: P) -> P::Output {
    match Neon::<true>::detect() {
        Some(kernel) => kernel.run(pass),
        None => Neon::<false>::new().run(pass),
    }
}
