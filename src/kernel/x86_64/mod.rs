//! The kernels for x86-64, one file per instruction set.

mod avx2;
mod avx512;
mod sse2;

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;
pub(crate) use sse2::Sse2;

/// Generates the feature detection and the target-feature functions of a kernel from a single list of features, so that the two
/// cannot differ.
///
/// `features!` defines a function `supported() -> bool`, unless no detection is needed, and a macro `steps!`. Each function in
/// `steps! { … }` becomes a safe function whose body is compiled for the features. The body can use all intrinsics without pointer
/// arguments without `unsafe`. Only the call of the inner function is unsafe.
macro_rules! features {
    ($dollar:tt, $all:literal, [$($feature:tt),*]) => {
        fn supported() -> bool {
            $(std::arch::is_x86_feature_detected!($feature))&&*
        }

        features!($dollar, $all);
    };
    ($dollar:tt, $all:literal) => {
        macro_rules! steps {
            ($dollar(
                $dollar(#[$dollar attribute:meta])*
                fn $dollar name:ident $dollar(<const $dollar number:ident: $dollar integer:ty>)?
                    ($dollar($dollar argument:ident: $dollar kind:ty),*) $dollar(-> $dollar result:ty)?
                    $dollar body:block
            )*) => {
                $dollar(
                    $dollar(#[$dollar attribute])*
                    #[inline(always)]
                    fn $dollar name $dollar(<const $dollar number: $dollar integer>)?
                        ($dollar($dollar argument: $dollar kind),*) $dollar(-> $dollar result)?
                    {
                        #[target_feature(enable = $all)]
                        #[inline]
                        fn step $dollar(<const $dollar number: $dollar integer>)?
                            ($dollar($dollar argument: $dollar kind),*) $dollar(-> $dollar result)?
                            $dollar body
                        // SAFETY: the features are available. Either every x86-64 processor has them, or the arguments
                        // include a word or the kernel itself, which can only be created after `detect` found the features.
                        unsafe { step $dollar(::<$dollar number>)? ($dollar($dollar argument),*) }
                    }
                )*
            };
        }
    };
}
use features;

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
