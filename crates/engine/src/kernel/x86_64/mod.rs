//! The kernels for x86-64, one file per instruction set.

mod avx2;
mod avx512;
mod sse2;

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;
pub(crate) use sse2::Sse2;

/// Keeps a number in a general-purpose register. Otherwise LLVM tends to compute two such numbers together in a vector register,
/// and the moves between registers cost more than the computation.
macro_rules! in_register {
    ($number:expr) => {{
        let mut number = $number;
        // SAFETY: the assembly contains no instruction.
        unsafe { std::arch::asm!("/* {0:r} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags)) };
        number
    }};
}
use in_register;

/// Implements the Boolean operators for a word with the functions `and`, `or`, `xor` and `not` of its module.
macro_rules! operators {
    ($word:ty) => {
        operators!($word, BitAnd bitand and, BitOr bitor or, BitXor bitxor xor);

        impl std::ops::Not for $word {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                not(self)
            }
        }
    };
    ($word:ty, $($operator:ident $method:ident $step:ident),*) => {
        $(
            impl std::ops::$operator for $word {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    $step(self, other)
                }
            }
        )*
    };
}
use operators;
