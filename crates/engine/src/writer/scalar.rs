//! The values that are written with one call: literals, numbers and strings.

#![forbid(unsafe_code)]

use std::borrow::Cow;

use crate::pretty::Layout;
use crate::scalar::Escape;
use crate::writer::numbers::push_any_float;
use crate::writer::numbers::push_integer;
use crate::writer::numbers::push_wide_integer;
use crate::writer::strings::push_string_escaped;

/// What [`Writer::value`](crate::Writer::value) writes: `bool`, all integers, `f32`, `f64`, `char`, strings, `()` for null, any
/// [`Value`](crate::Value) of a document, and references to these. An [`Option`] is its value, or null.
///
/// The trait cannot be implemented for other types. With the feature `serde`, `Writer::serialize` writes any type that
/// implements `serde::Serialize`.
///
/// ```
/// use fjson::{Scalar, Writer};
///
/// fn column<S: Scalar>(values: &[S]) -> Result<Vec<u8>, fjson::Error> {
///     let mut writer = Writer::new(Vec::new());
///     writer.begin_array();
///     for value in values {
///         writer.value(value);
///     }
///     writer.end();
///     writer.finish()
/// }
///
/// assert_eq!(column(&["a", "b"])?, br#"["a","b"]"#);
/// assert_eq!(column(&[Some(1.5), None])?, b"[1.5,null]");
/// # Ok::<(), fjson::Error>(())
/// ```
pub trait Scalar: Sealed {
    /// Appends the JSON text of the value.
    #[doc(hidden)]
    fn append_json(&self, escape: Escape, out: &mut Vec<u8>);

    /// Appends the JSON text of the value inside so many containers.
    #[doc(hidden)]
    #[inline]
    fn append_json_in(&self, _layout: Option<Layout>, _level: usize, escape: Escape, out: &mut Vec<u8>) {
        self.append_json(escape, out);
    }
}

/// Keeps [`Scalar`] closed to other crates: it promises valid JSON.
pub trait Sealed {}

macro_rules! scalars {
    ($($type:ty => |$value:ident, $escape:ident, $out:ident| $push:expr;)+) => {
        $(
            impl Sealed for $type {}
            impl Scalar for $type {
                #[inline]
                fn append_json(&self, $escape: Escape, $out: &mut Vec<u8>) {
                    let $value = self;
                    $push
                }
            }
        )+
    };
}

scalars! {
    () => |_value, _escape, out| out.extend_from_slice(b"null");
    bool => |value, _escape, out| out.extend_from_slice(if *value { b"true" } else { b"false" });
    f32 => |value, _escape, out| push_any_float(out, *value);
    f64 => |value, _escape, out| push_any_float(out, *value);
    str => |value, escape, out| push_string_escaped(out, value, escape);
    String => |value, escape, out| push_string_escaped(out, value, escape);
    Cow<'_, str> => |value, escape, out| push_string_escaped(out, value, escape);
    isize => |value, _escape, out| push_integer(out, *value < 0, value.unsigned_abs() as u64);
    usize => |value, _escape, out| push_integer(out, false, *value as u64);
    i128 => |value, _escape, out| push_wide_integer(out, *value < 0, value.unsigned_abs());
    u128 => |value, _escape, out| push_wide_integer(out, false, *value);
    char => |value, escape, out| push_string_escaped(out, value.encode_utf8(&mut [0; 4]), escape);
}

macro_rules! signed {
    ($($type:ty)+) => {
        scalars! { $($type => |value, _escape, out| push_integer(out, *value < 0, u64::from(value.unsigned_abs()));)+ }
    };
}

macro_rules! unsigned {
    ($($type:ty)+) => {
        scalars! { $($type => |value, _escape, out| push_integer(out, false, u64::from(*value));)+ }
    };
}

signed! { i8 i16 i32 i64 }
unsigned! { u8 u16 u32 u64 }

impl<T: Scalar + ?Sized> Sealed for &T {}

impl<T: Scalar + ?Sized> Scalar for &T {
    #[inline]
    fn append_json(&self, escape: Escape, out: &mut Vec<u8>) {
        (**self).append_json(escape, out);
    }

    #[inline]
    fn append_json_in(&self, layout: Option<Layout>, level: usize, escape: Escape, out: &mut Vec<u8>) {
        (**self).append_json_in(layout, level, escape, out);
    }
}

impl<T: Scalar> Sealed for Option<T> {}

impl<T: Scalar> Scalar for Option<T> {
    #[inline]
    fn append_json(&self, escape: Escape, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.append_json(escape, out),
            None => ().append_json(escape, out),
        }
    }

    #[inline]
    fn append_json_in(&self, layout: Option<Layout>, level: usize, escape: Escape, out: &mut Vec<u8>) {
        match self {
            Some(value) => value.append_json_in(layout, level, escape, out),
            None => ().append_json(escape, out),
        }
    }
}
