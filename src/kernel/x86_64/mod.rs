//! The kernels of x86-64: one file per instruction set, of the same shape.

mod avx2;
mod avx512;
mod sse2;

pub(crate) use avx2::Avx2;
pub(crate) use avx512::Avx512;
pub(crate) use sse2::Sse2;

/// Stamps the detection and the instruction steps of one kernel from one list of features, so that the two cannot
/// differ.
///
/// `features!` gives the module a `fn supported() -> bool`, unless nothing has to be detected, and a macro `steps!`.
/// Each function in `steps! { … }` becomes a safe method whose body is compiled for the features. The body may use
/// every intrinsic that takes no pointer without `unsafe`; the one unsafe operation is the step into it.
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
                        // SAFETY: the features are there: part of every x86-64 processor, or else every argument list
                        // holds a word or the kernel itself, and neither can be made before `detect` saw them.
                        unsafe { step $dollar(::<$dollar number>)? ($dollar($dollar argument),*) }
                    }
                )*
            };
        }
    };
}
use features;

/// Keeps a number in a general register. LLVM likes to compute two such numbers side by side in a vector register, and
/// the moves there and back cost more than all the rest.
macro_rules! in_register {
    ($number:expr) => {{
        let mut number = $number;
        // SAFETY: there is no instruction in it.
        unsafe { std::arch::asm!("/* {0:r} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags)) };
        number
    }};
}
use in_register;

/// Gives a word the operators of the algebra, from the steps `and`, `or`, `xor` and `not` of its module.
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
