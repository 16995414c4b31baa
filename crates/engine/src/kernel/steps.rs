//! A macro for the functions of a kernel that are compiled for an instruction set.

/// Generates the feature detection and the target-feature functions of a kernel from a single list of features, so that the two
/// cannot differ.
///
/// `features!` defines a function `supported() -> bool`, unless no detection is needed, and a macro `steps!`. Each function in
/// `steps! { … }` becomes a safe function whose body is compiled for the features. The body can use all intrinsics without pointer
/// arguments without `unsafe`. Only the call of the inner function is unsafe.
macro_rules! features {
    ($dollar:tt, $all:literal, [$($feature:tt),*]) => {
        fn supported() -> bool {
            use std::sync::atomic::AtomicU8;
            use std::sync::atomic::Ordering::Relaxed;
            // Bit 0: known; bit 1: supported. One load instead of one per feature, because short texts take little longer.
            static ANSWER: AtomicU8 = AtomicU8::new(0);
            match ANSWER.load(Relaxed) {
                0 => {
                    let supported = $(std::arch::is_x86_feature_detected!($feature))&&*;
                    ANSWER.store(1 | u8::from(supported) << 1, Relaxed);
                    supported
                }
                answer => answer > 1,
            }
        }

        features!($dollar, $all);
    };
    ($dollar:tt, $all:literal) => {
        macro_rules! steps {
            ($dollar(
                $dollar(#[$dollar attribute:meta])*
                $dollar visibility:vis fn $dollar name:ident $dollar(<const $dollar number:ident: $dollar integer:ty>)?
                    ($dollar($dollar argument:ident: $dollar kind:ty),*) $dollar(-> $dollar result:ty)?
                    $dollar body:block
            )*) => {
                $dollar(
                    $dollar(#[$dollar attribute])*
                    #[inline(always)]
                    $dollar visibility fn $dollar name $dollar(<const $dollar number: $dollar integer>)?
                        ($dollar($dollar argument: $dollar kind),*) $dollar(-> $dollar result)?
                    {
                        #[target_feature(enable = $all)]
                        #[inline]
                        fn step $dollar(<const $dollar number: $dollar integer>)?
                            ($dollar($dollar argument: $dollar kind),*) $dollar(-> $dollar result)?
                            $dollar body
                        // SAFETY: the features are available. Either every processor of the architecture has them, or the
                        // arguments include a word or the kernel itself, which can only be created after `detect` found them.
                        unsafe { step $dollar(::<$dollar number>)? ($dollar($dollar argument),*) }
                    }
                )*
            };
        }
    };
}
pub(super) use features;
