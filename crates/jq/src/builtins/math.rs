//! The functions of the mathematical library of C, by its names.
//!
//! They come from the crate `libm` and not from the library of the system, so that results are the same on every system, and that short
//! runs of programs do not have to load that library.

#![forbid(unsafe_code)]
#![expect(clippy::unnecessary_wraps, reason = "all native functions have the same signature")]

use crate::eval::Context;
use crate::value::Error;
use crate::value::Value;
use crate::value::arithmetic;
use crate::value::compare;

type Output = Result<Value, Error>;

fn number(value: &Value) -> Result<f64, Error> {
    value.as_number().ok_or_else(|| Error::of(value, "number required"))
}

/// Defines functions of the input.
macro_rules! unary {
    ($($name:ident = $function:expr;)*) => {$(
        pub(super) fn $name(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
            let function: fn(f64) -> f64 = $function;
            Ok(function(number(&input)?).into())
        }
    )*};
}

/// Defines functions of two arguments.
macro_rules! binary {
    ($($name:ident = $function:expr;)*) => {$(
        pub(super) fn $name(_: &mut Context, _: Value, arguments: &mut [Value]) -> Output {
            let function: fn(f64, f64) -> f64 = $function;
            Ok(function(number(&arguments[0])?, number(&arguments[1])?).into())
        }
    )*};
}

/// Defines functions whose output is an array of two numbers.
macro_rules! pair {
    ($($name:ident = $function:expr;)*) => {$(
        pub(super) fn $name(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
            let function: fn(f64) -> (f64, f64) = $function;
            let (first, second) = function(number(&input)?);
            Ok(vec![first.into(), second.into()].into())
        }
    )*};
}

unary! {
    acos = libm::acos;
    acosh = libm::acosh;
    asin = libm::asin;
    asinh = libm::asinh;
    atan = libm::atan;
    atanh = libm::atanh;
    cbrt = libm::cbrt;
    ceil = libm::ceil;
    cos = libm::cos;
    cosh = libm::cosh;
    erf = libm::erf;
    erfc = libm::erfc;
    exp = libm::exp;
    exp10 = libm::exp10;
    exp2 = libm::exp2;
    expm1 = libm::expm1;
    fabs = f64::abs;
    floor = libm::floor;
    j0 = libm::j0;
    j1 = libm::j1;
    lgamma = libm::lgamma;
    log = libm::log;
    log10 = libm::log10;
    log1p = libm::log1p;
    log2 = libm::log2;
    logb = binary_exponent;
    round = libm::round;
    round_to_even = libm::rint;
    significand = significand_of;
    sin = libm::sin;
    sinh = libm::sinh;
    sqrt = f64::sqrt;
    tan = libm::tan;
    tanh = libm::tanh;
    tgamma = libm::tgamma;
    trunc = libm::trunc;
    y0 = libm::y0;
    y1 = libm::y1;
}

binary! {
    atan2 = libm::atan2;
    copysign = f64::copysign;
    fdim = libm::fdim;
    fmax = f64::max;
    fmin = f64::min;
    fmod = libm::fmod;
    hypot = libm::hypot;
    jn = |order, number| bessel(order, number, libm::jn, 0.0);
    ldexp = |number, exponent| libm::ldexp(number, integer(exponent));
    nextafter = libm::nextafter;
    pow = libm::pow;
    remainder = libm::remainder;
    scalb = scale;
    yn = |order, number| bessel(order, number, libm::yn, f64::NEG_INFINITY);
}

pair! {
    frexp = |number| {
        if number == 0.0 || !number.is_finite() {
            return (number, 0.0);
        }
        let (fraction, exponent) = libm::frexp(number);
        (fraction, f64::from(exponent))
    };
    lgamma_r = |number| {
        let (logarithm, sign) = libm::lgamma_r(number);
        (logarithm, f64::from(sign))
    };
    modf = |number| {
        let fraction = if number.is_infinite() { 0.0 } else { number - libm::trunc(number) };
        (fraction.copysign(number), libm::trunc(number))
    };
}

/// `fma(x; y; z)`: `x * y + z` rounded once.
pub(super) fn fma(_: &mut Context, _: Value, arguments: &mut [Value]) -> Output {
    let (x, y, z) = (number(&arguments[0])?, number(&arguments[1])?, number(&arguments[2])?);
    Ok(libm::fma(x, y, z).into())
}

#[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
fn integer(number: f64) -> i32 {
    number as i32
}

/// Greatest order of a Bessel function that is computed. Computing it takes a number of steps in proportion to the order.
const GREATEST_ORDER: i32 = 1_000_000;

/// Returns the value of a Bessel function. Of a great order, it is `limit` far from numbers of the size of the order, and not computed
/// near them.
fn bessel(order: f64, number: f64, function: fn(i32, f64) -> f64, limit: f64) -> f64 {
    let order = integer(order);
    if order.saturating_abs() <= GREATEST_ORDER || number.is_nan() {
        return function(order, number);
    }
    if (0.0..f64::from(order.saturating_abs()) / 2.0).contains(&number) { limit } else { f64::NAN }
}

/// Returns the exponent of a number, whose fraction is at least 1 and less than 2.
fn binary_exponent(number: f64) -> f64 {
    if number == 0.0 {
        return f64::NEG_INFINITY;
    }
    if number.is_nan() {
        return number;
    }
    if number.is_infinite() { f64::INFINITY } else { f64::from(libm::ilogb(number)) }
}

/// Returns the fraction of a number, at least 1 and less than 2, with its sign.
fn significand_of(number: f64) -> f64 {
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    libm::scalbn(number, -libm::ilogb(number))
}

/// Returns a number times two to the power of an exponent, which must be an integer.
fn scale(number: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || exponent.is_finite() && libm::modf(exponent).0.abs() > 0.0 {
        return f64::NAN;
    }
    if exponent.is_infinite() {
        // Zero times infinity has no value.
        return if exponent > 0.0 { number * exponent } else { number / -exponent };
    }
    libm::scalbn(number, integer(exponent))
}

/// Defines tests of numbers, which are false for other values.
macro_rules! tests {
    ($($name:ident = $function:expr;)*) => {$(
        pub(super) fn $name(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
            let function: fn(f64) -> bool = $function;
            Ok(input.as_number().is_some_and(function).into())
        }
    )*};
}

tests! {
    isinfinite = f64::is_infinite;
    isnan = f64::is_nan;
    isnormal = f64::is_normal;
}

pub(super) fn infinite(_: &mut Context, _: Value, _: &mut [Value]) -> Output {
    Ok(f64::INFINITY.into())
}

pub(super) fn nan(_: &mut Context, _: Value, _: &mut [Value]) -> Output {
    Ok(f64::NAN.into())
}

/// `abs`: what is less than 0 with the other sign, everything else as it is.
pub(super) fn abs(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    match input.as_number() {
        Some(number) if number > 0.0 => Ok(input),
        // Numbers of texts may be less than 0 even if their double is not. `null` and Booleans are less, too.
        _ if compare(&input, &Value::number_literal("0").unwrap_or_default())?.is_lt() => arithmetic::negate(input),
        _ => Ok(input),
    }
}
