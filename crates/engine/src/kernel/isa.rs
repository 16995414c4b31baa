//! Detection, selection and dispatch of kernels at run time.

#![forbid(unsafe_code)]

use std::fmt;
use std::str::FromStr;

use crate::kernel::Kernel;
use crate::kernel::Pass;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
use crate::kernel::aarch64;
use crate::kernel::portable::Pair;
use crate::kernel::portable::Portable;
#[cfg(target_arch = "x86_64")]
use crate::kernel::x86_64::Avx2;
#[cfg(target_arch = "x86_64")]
use crate::kernel::x86_64::Avx512;

/// The type of pairs that the portable kernel uses.
#[cfg(target_arch = "x86_64")]
type Pairs = crate::kernel::x86_64::Sse2;
#[cfg(not(target_arch = "x86_64"))]
type Pairs = crate::kernel::integers::Integers;

/// An instruction set that the engine has a kernel for.
///
/// All kernels give the same output, the same error kinds and the same offsets. They differ only in speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// x86-64 with AVX-512 F, BW, DQ, VL, VBMI, VBMI2, VPOPCNTDQ, GFNI and VPCLMULQDQ: Intel Ice Lake, AMD Zen 4 and later.
    Avx512,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT: Intel Haswell, AMD Zen 1 and later.
    Avx2,
    /// `AArch64` with NEON, which all of its processors have. It also uses the carry-less product (PMULL) if there is one.
    Neon,
    /// Words of 128 bits, for every processor.
    Portable,
}

impl Isa {
    /// All kernels, fastest first.
    const ALL: [Self; 4] = [Self::Avx512, Self::Avx2, Self::Neon, Self::Portable];

    /// Returns the fastest kernel that this machine can run.
    #[must_use]
    pub fn detect() -> Self {
        Self::available().next().unwrap_or(Self::Portable)
    }

    /// Returns the kernels that this machine can run, fastest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|isa| isa.is_available())
    }

    /// Returns whether this machine can run this kernel.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(all(target_arch = "x86_64", not(portable_only)))]
            Self::Avx512 => Avx512::detect().is_some(),
            #[cfg(all(target_arch = "x86_64", not(portable_only)))]
            Self::Avx2 => Avx2::detect().is_some(),
            #[cfg(any(portable_only, not(target_arch = "x86_64")))]
            Self::Avx512 | Self::Avx2 => false,
            Self::Neon => cfg!(all(target_arch = "aarch64", target_endian = "little")),
            Self::Portable => true,
        }
    }

    /// Returns the name of the kernel, as it is parsed and displayed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "avx512",
            Self::Avx2 => "avx2",
            Self::Neon => "neon",
            Self::Portable => "portable",
        }
    }

    /// Runs a pass with this kernel, or with the portable one if this machine cannot run it.
    pub(crate) fn run<P: Pass>(self, pass: P) -> P::Output {
        #[cfg(all(target_arch = "x86_64", not(portable_only)))]
        match self {
            Self::Avx512 => {
                if let Some(kernel) = Avx512::detect() {
                    return kernel.run(pass);
                }
            }
            Self::Avx2 => {
                if let Some(kernel) = Avx2::detect() {
                    return kernel.run(pass);
                }
            }
            Self::Neon | Self::Portable => {}
        }
        #[cfg(all(target_arch = "aarch64", target_endian = "little"))]
        if self == Self::Neon {
            return aarch64::run(pass);
        }
        Portable::<Pairs>::new().run(pass)
    }
}

/// Bytes in a row, which every machine can search without a kernel.
pub(crate) const ROW: usize = 16;

/// Returns the positions of the bytes of `row` that are less than a space or equal to one of `bytes`, with instructions that every
/// machine has.
#[inline(always)]
pub(crate) fn controls_or(row: &[u8; ROW], bytes: [u8; 2]) -> u16 {
    Pairs::load(row).controls_or(bytes)
}

impl Default for Isa {
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// The error of parsing the name of a kernel that does not exist or that this machine cannot run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownIsa(String);

impl fmt::Display for UnknownIsa {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Isa::ALL.iter().any(|isa| isa.name() == self.0);
        let reason = if known { "this machine cannot run the kernel" } else { "there is no kernel" };
        write!(formatter, "{reason} `{}`; available here:", self.0.escape_debug())?;
        for (count, isa) in Isa::available().enumerate() {
            write!(formatter, "{} {isa}", if count == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownIsa {}

impl FromStr for Isa {
    type Err = UnknownIsa;

    fn from_str(name: &str) -> Result<Self, UnknownIsa> {
        Self::available().find(|isa| isa.name() == name).ok_or_else(|| UnknownIsa(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::Isa;

    #[test]
    fn names_are_read_back() {
        for isa in Isa::available() {
            assert_eq!(isa.name().parse(), Ok(isa));
        }
        assert!("sse9".parse::<Isa>().is_err_and(|error| error.to_string().starts_with("there is no kernel `sse9`")));
    }

    #[test]
    fn detect_is_the_first_available() {
        assert_eq!(Isa::available().next(), Some(Isa::detect()));
        assert_eq!(Isa::available().last(), Some(Isa::Portable));
    }
}
