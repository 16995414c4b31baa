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
        // Miri runs no assembly.
        if !cfg!(miri) {
            // SAFETY: the assembly contains no instruction.
            unsafe { std::arch::asm!("/* {0:r} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags)) };
        }
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

/// Implements [`Word`](crate::kernel::Word) with the functions of its module.
macro_rules! word {
    ($word:ty, $lanes:literal, $store:ident) => {
        impl Word for $word {
            const LANES: usize = $lanes;

            #[inline(always)]
            fn advance<const N: u32>(self, previous: Self) -> Self {
                advance::<N>(self, previous)
            }

            #[inline(always)]
            fn add(self, addend: Self, carry: &mut u32) -> Self {
                add(self, addend, carry)
            }

            #[inline(always)]
            fn add_short(self, class: Self, previous: &mut Self) -> Self {
                add_short(self, class, previous)
            }

            #[inline(always)]
            fn add_lanes(self, addend: Self) -> Self {
                add_lanes(self, addend)
            }

            #[inline(always)]
            fn shift_lanes(self, before: Self, count: u32) -> Self {
                shift_lanes(self, before, count)
            }

            #[inline(always)]
            fn subtract(self, subtrahend: Self) -> Self {
                subtract(self, subtrahend)
            }

            #[inline(always)]
            fn prefix_xor(self, carry: &mut u32) -> Self {
                prefix_xor(self, carry)
            }

            #[inline(always)]
            fn any(self) -> bool {
                any(self)
            }

            #[inline(always)]
            fn any_lane_full(self) -> bool {
                any_lane_full(self)
            }

            #[inline(always)]
            fn last(self) -> u32 {
                last(self)
            }

            #[inline(always)]
            fn store(self, lanes: &mut [u64]) {
                let lanes = &mut lanes[..$lanes];
                // SAFETY: the slice has the size of the word; self exists, so detect() saw the features.
                unsafe { $store(lanes.as_mut_ptr().cast(), self.0) };
            }
        }
    };
}
use word;
