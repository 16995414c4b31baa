//! Types that borrow from the text, or keep it, are read as `serde_json` reads them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;

use fjson::scalar::Number;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

/// A string that is borrowed unless it has escapes.
#[derive(Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

/// A struct with members that borrow.
#[derive(Debug, Deserialize, PartialEq)]
#[serde(bound(deserialize = "'de: 't"))]
struct Members<'t> {
    a: Option<&'t str>,
    #[serde(borrow)]
    b: Option<Text<'t>>,
    #[serde(default)]
    text: Vec<&'t str>,
}

/// Compares what is read as each type.
#[expect(clippy::zero_sized_map_values, reason = "the values are read, too")]
pub fn compare(text: &[u8]) {
    same::<&str>(text);
    same::<&[u8]>(text);
    same::<Text<'_>>(text);
    same::<Vec<&str>>(text);
    same::<Vec<&[u8]>>(text);
    same::<Vec<Text<'_>>>(text);
    same::<Vec<Members<'_>>>(text);
    same::<BTreeMap<&str, IgnoredAny>>(text);
    same::<BTreeMap<Text<'_>, Vec<&str>>>(text);
    texts(text);
}

/// A text is read alike, as a value of type `T`.
fn same<'t, T: Deserialize<'t> + Debug + PartialEq>(text: &'t [u8]) {
    let expected = serde_json::from_slice::<T>(text);
    let found = fjson::from_slice::<T>(text);
    assert_eq!(found.as_ref().ok(), expected.as_ref().ok(), "{}: {found:?}, {expected:?}", text.escape_ascii());
    assert!(found.err().is_none_or(|error| error.line().is_some()), "{}", text.escape_ascii());
}

/// Elements that keep their text have that of the `RawValue` of `serde_json`, and numbers are those that are numbers.
fn texts(text: &[u8]) {
    let expected: Option<Vec<&RawValue>> = serde_json::from_slice(text).ok();
    let expected: Option<Vec<&str>> = expected.map(|values| values.into_iter().map(RawValue::get).collect());
    let found: Option<Vec<&RawValue>> = fjson::from_slice(text).ok();
    assert_eq!(
        found.map(|values| values.into_iter().map(RawValue::get).collect()),
        expected,
        "{}",
        text.escape_ascii()
    );
    let found: Option<Vec<fjson::RawValue<'_>>> = fjson::from_slice(text).ok();
    let found = found.as_ref().map(|values| values.iter().map(fjson::RawValue::text).collect::<Vec<_>>());
    assert_eq!(found, expected, "{}", text.escape_ascii());
    let is_number = |text: &&str| text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let expected = expected.filter(|values| values.iter().all(is_number));
    let found: Option<Vec<Number<'_>>> = fjson::from_slice(text).ok();
    let found = found.as_ref().map(|values| values.iter().map(Number::text).collect::<Vec<_>>());
    assert_eq!(
        found,
        expected.map(|values| values.into_iter().map(str::as_bytes).collect()),
        "{}",
        text.escape_ascii()
    );
}
