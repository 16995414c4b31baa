//! What is in memory as an input.

#![forbid(unsafe_code)]

use crate::input::Input;
use crate::input::Source;

impl<'a> From<&'a [u8]> for Input<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::of(Source::Memory(bytes))
    }
}

impl<'a> From<&'a Vec<u8>> for Input<'a> {
    fn from(bytes: &'a Vec<u8>) -> Self {
        bytes.as_slice().into()
    }
}

impl<'a, const LENGTH: usize> From<&'a [u8; LENGTH]> for Input<'a> {
    fn from(bytes: &'a [u8; LENGTH]) -> Self {
        bytes.as_slice().into()
    }
}

impl<'a> From<&'a String> for Input<'a> {
    fn from(text: &'a String) -> Self {
        text.as_bytes().into()
    }
}

impl<'a> From<&'a str> for Input<'a> {
    fn from(text: &'a str) -> Self {
        text.as_bytes().into()
    }
}
