//! What must hold for the values of every document: as a `Document`, they are those of a naive reader; as values of Rust
//! types, those of `serde_json`.

mod borrowed;
mod naive;
mod types;

use std::fmt::Debug;

use fjson::Options;
use fjson::Parser;
use serde::de::DeserializeOwned;

use crate::check::kernels;
use crate::reader;

pub use types::Everything;
pub use types::random;

/// Greatest depth for which a recursive reader has enough stack.
const DEPTH: u64 = 500;

/// Greatest depth that neither `serde_json` nor fjson refuses.
const SERDE_DEPTH: u64 = 100;

/// On every kernel, a document has the verdict of the reference, and the values of the naive reader.
///
/// # Panics
/// If not.
pub fn document(text: &[u8]) {
    let verdict = reader::read(text, None);
    let is_shallow = reader::read(text, Some(DEPTH)) == verdict;
    for &isa in kernels() {
        let mut parser = Parser::with_options(&Options::new().isa(isa));
        match (parser.document(text), verdict) {
            (Ok(document), Ok(())) if is_shallow => naive::compare(text, document),
            (Ok(document), Ok(())) => assert!(document.range().len() <= text.len()),
            (Err(error), Err((kind, offset))) => {
                assert_eq!((error.kind(), error.offset()), (kind, offset as u64), "{isa} {}", text.escape_ascii());
            }
            (found, expected) => panic!("{isa} {}: {:?}, expected {expected:?}", text.escape_ascii(), found.is_ok()),
        }
    }
}

/// A text has the values that `serde_json` reads, for types of each kind, or neither reads it.
///
/// # Panics
/// If not.
pub fn deserialize(text: &[u8]) {
    if reader::read(text, Some(SERDE_DEPTH)).is_err() {
        assert!(reader::read(text, None).is_ok() || fjson::from_slice::<serde_json::Value>(text).is_err());
        return;
    }
    for compare in types::ALL {
        compare(text);
    }
    borrowed::compare(text);
}

/// A text is read alike, as a value of type `T`.
fn same<T: DeserializeOwned + Debug + PartialEq>(text: &[u8]) {
    let expected = serde_json::from_slice::<T>(text);
    match (fjson::from_slice::<T>(text), &expected) {
        (Ok(found), Ok(expected)) => assert_eq!(&found, expected, "{}", text.escape_ascii()),
        (Err(error), Err(_)) => {
            let place = (error.line(), error.pointer(), error.excerpt());
            assert!(place.0.is_some(), "{error} in {} has no place", text.escape_ascii());
        }
        (found, _) => {
            let name = std::any::type_name::<T>();
            panic!("{} as {name}: {found:?}, expected {expected:?}", text.escape_ascii())
        }
    }
}
