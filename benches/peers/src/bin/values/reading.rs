//! Reading: the same types by all libraries, and single values of a document.

use std::hint::black_box;
use std::sync::OnceLock;

use fjson::Isa;
use fjson::Options;
use fjson::Parser;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde::de::IgnoredAny;
use simd_json::prelude::*;
use sonic_rs::JsonValueTrait;

use crate::contest::contestant;
use crate::contest::race;

/// The kernel for reading, if it is not the fastest one.
pub static KERNEL: OnceLock<Isa> = OnceLock::new();

fn kernel_options() -> Options {
    let options = Options::new();
    match KERNEL.get() {
        Some(&isa) => options.isa(isa),
        None => options,
    }
}

/// Measures reading a value that owns its text. Before that, all must have read the same value.
pub fn owned<T: for<'de> Deserialize<'de> + PartialEq>(task: &str, text: &[u8]) {
    let expected: T = serde_json::from_slice(text).expect("valid");
    let mut parser = Parser::with_options(&kernel_options());
    assert!(parser.read::<T>(text).expect("valid") == expected, "{task}: another value than serde_json");
    assert!(sonic_rs::from_slice::<T>(text).expect("valid") == expected, "{task}: sonic-rs reads something else");
    let mut copy = text.to_vec();
    assert!(simd_json::serde::from_slice::<T>(&mut copy).expect("valid") == expected, "{task}: simd-json");
    race(
        task,
        text.len(),
        vec![
            contestant("sonic-rs", || sonic_rs::from_slice::<T>(black_box(text)).expect("valid")),
            contestant("serde_json", || serde_json::from_slice::<T>(black_box(text)).expect("valid")),
            contestant("simd-json", || {
                // It modifies its input, so the copy is part of its work.
                copy.clear();
                copy.extend_from_slice(black_box(text));
                simd_json::serde::from_slice::<T>(&mut copy).expect("valid")
            }),
            contestant("fjson", || parser.read::<T>(black_box(text)).expect("valid")),
        ],
    );
}

/// Measures reading a value that borrows its text.
pub fn borrowed<'t, T: Deserialize<'t> + PartialEq>(task: &str, text: &'t [u8]) {
    let expected: T = serde_json::from_slice(text).expect("valid");
    let mut parser = Parser::with_options(&kernel_options());
    assert!(parser.read::<T>(text).expect("valid") == expected, "{task}: another value than serde_json");
    assert!(sonic_rs::from_slice::<T>(text).expect("valid") == expected, "{task}: sonic-rs reads something else");
    race(
        task,
        text.len(),
        vec![
            contestant("sonic-rs", || sonic_rs::from_slice::<T>(black_box(text)).expect("valid")),
            contestant("serde_json", || serde_json::from_slice::<T>(black_box(text)).expect("valid")),
            contestant("fjson", || parser.read::<T>(black_box(text)).expect("valid")),
        ],
    );
}

/// Measures reading one value per line of NDJSON.
pub fn lines<'t, T: DeserializeOwned + PartialEq, B: Deserialize<'t> + PartialEq>(task: &str, text: &'t [u8]) {
    let options = kernel_options();
    let serde_lines =
        || text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).map(serde_json::from_slice::<T>);
    let is_equal = fjson::lines::<T>(text, &options).map(Result::ok).eq(serde_lines().map(Result::ok));
    assert!(is_equal, "{task}: other values than serde_json");
    let with_sonic = || {
        let lines = black_box(text).split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| drop(black_box(sonic_rs::from_slice::<T>(line).expect("valid")))).count()
    };
    let borrowed_with_sonic = || {
        let lines = black_box(text).split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| drop(black_box(sonic_rs::from_slice::<B>(line).expect("valid")))).count()
    };
    let mut parser = Parser::with_options(&kernel_options());
    let one_by_one = || {
        let lines = black_box(text).split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| drop(black_box(parser.read::<T>(line).expect("valid")))).count()
    };
    let with_fjson =
        || fjson::lines::<T>(black_box(text), &options).map(|value| drop(black_box(value.expect("valid")))).count();
    let borrowed = || {
        fjson::borrowed_lines::<B>(black_box(text), &options)
            .map(|value| drop(black_box(value.expect("valid"))))
            .count()
    };
    race(
        &format!("{task}, owned"),
        text.len(),
        vec![
            contestant("sonic-rs", with_sonic),
            contestant("serde_json", || serde_lines().map(|value| drop(black_box(value.expect("valid")))).count()),
            contestant("fjson", with_fjson),
            contestant("fjson called per line", one_by_one),
        ],
    );
    race(
        &format!("{task}, borrowed"),
        text.len(),
        vec![contestant("sonic-rs", borrowed_with_sonic), contestant("fjson", borrowed)],
    );
}

/// Measures the sum of the identifiers and the length of the names of an array of users, without types.
pub fn lazy(task: &str, text: &[u8]) {
    let with_sonic = || {
        let mut sums = (0, 0);
        for user in sonic_rs::to_array_iter(black_box(text)) {
            let user = user.expect("valid");
            sums.0 += user.get("id").as_u64().expect("a number");
            sums.1 += user.get("name").as_str().expect("a string").len();
        }
        sums
    };
    let with_serde = || {
        let users: serde_json::Value = serde_json::from_slice(black_box(text)).expect("valid");
        users.as_array().expect("an array").iter().fold((0, 0), |sums, user| {
            (sums.0 + user["id"].as_u64().expect("a number"), sums.1 + user["name"].as_str().expect("a string").len())
        })
    };
    let mut copy = Vec::with_capacity(text.len());
    let mut with_tape = || {
        copy.clear();
        copy.extend_from_slice(black_box(text));
        let tape = simd_json::to_tape(&mut copy).expect("valid");
        tape.as_value().as_array().expect("an array").iter().fold((0, 0), |sums, user| {
            let id = user.get("id").and_then(|id| id.as_u64()).expect("a number");
            let name = user.get("name").and_then(|name| name.into_string()).expect("a string");
            (sums.0 + id, sums.1 + name.len())
        })
    };
    let mut parser = Parser::with_options(&kernel_options());
    let mut with_fjson = || {
        let document = parser.document(black_box(text)).expect("valid");
        document.root().iter().fold((0, 0), |sums, user| {
            let id = user.get("id").and_then(|id| id.as_u64()).expect("a number");
            let name = user.get("name").and_then(|name| name.as_str()).expect("a string");
            (sums.0 + id, sums.1 + name.len())
        })
    };
    let expected = with_serde();
    assert!(with_sonic() == expected && with_tape() == expected && with_fjson() == expected, "{task}");
    race(
        task,
        text.len(),
        vec![
            contestant("sonic-rs", with_sonic),
            contestant("serde_json value", with_serde),
            contestant("simd-json tape", with_tape),
            contestant("fjson", with_fjson),
        ],
    );
}

/// Measures checking a document, without reading any value.
pub fn valid(task: &str, text: &[u8]) {
    let options = kernel_options();
    assert!(fjson::is_valid(text), "{task}");
    race(
        task,
        text.len(),
        vec![
            contestant("sonic-rs", || sonic_rs::from_slice::<IgnoredAny>(black_box(text)).is_ok()),
            contestant("serde_json", || serde_json::from_slice::<IgnoredAny>(black_box(text)).is_ok()),
            contestant("fjson is_valid", || fjson::is_valid(black_box(text))),
            contestant("fjson validate", || fjson::validate(black_box(text), &options).is_ok()),
        ],
    );
}

/// Measures finding one value by its JSON Pointer.
pub fn pointer(task: &str, text: &[u8], index: usize, name: &str) {
    let pointer = format!("/{index}/{name}");
    let path = sonic_rs::pointer![index, name];
    let with_sonic = || sonic_rs::get(black_box(text), &path).expect("valid").as_str().map(str::len);
    let mut parser = Parser::with_options(&kernel_options());
    let mut with_fjson = || {
        let document = parser.document(black_box(text)).expect("valid");
        document.root().pointer(&pointer).and_then(|value| value.as_str().map(|text| text.len()))
    };
    assert!(with_sonic().is_some() && with_sonic() == with_fjson(), "{task}");
    race(task, text.len(), vec![contestant("sonic-rs", with_sonic), contestant("fjson", with_fjson)]);
}
