//! Reading: the same types by all libraries, and single values of a document.

use std::hint::black_box;

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

/// Returns the names of fjson's contestants and their options: with the fastest kernel, and with AVX2 if this processor has it.
fn kernels() -> impl Iterator<Item = (&'static str, Options)> {
    let avx2 = Isa::Avx2.is_available().then(|| ("fjson avx2", Options::new().isa(Isa::Avx2)));
    [("fjson", Options::new())].into_iter().chain(avx2)
}

/// Returns them with parsers.
fn parsers() -> impl Iterator<Item = (&'static str, Parser)> {
    kernels().map(|(name, options)| (name, Parser::with_options(&options)))
}

/// Measures reading a value that owns its text. Before that, all must have read the same value.
pub fn owned<T: for<'de> Deserialize<'de> + PartialEq>(task: &str, text: &[u8]) {
    let expected: T = serde_json::from_slice(text).expect("valid");
    assert!(sonic_rs::from_slice::<T>(text).expect("valid") == expected, "{task}: sonic-rs reads something else");
    let mut copy = text.to_vec();
    assert!(simd_json::serde::from_slice::<T>(&mut copy).expect("valid") == expected, "{task}: simd-json");
    let mut contestants = vec![
        contestant("sonic-rs", || sonic_rs::from_slice::<T>(black_box(text)).expect("valid")),
        contestant("serde_json", || serde_json::from_slice::<T>(black_box(text)).expect("valid")),
        contestant("simd-json", || {
            // It modifies its input, so the copy is part of its work.
            copy.clear();
            copy.extend_from_slice(black_box(text));
            simd_json::serde::from_slice::<T>(&mut copy).expect("valid")
        }),
    ];
    for (name, mut parser) in parsers() {
        assert!(parser.read::<T>(text).expect("valid") == expected, "{task}: another value than serde_json");
        contestants.push(contestant(name, move || parser.read::<T>(black_box(text)).expect("valid")));
    }
    race(task, text.len(), contestants);
}

/// Measures reading a value that borrows its text.
pub fn borrowed<'t, T: Deserialize<'t> + PartialEq>(task: &str, text: &'t [u8]) {
    let expected: T = serde_json::from_slice(text).expect("valid");
    assert!(sonic_rs::from_slice::<T>(text).expect("valid") == expected, "{task}: sonic-rs reads something else");
    let mut contestants = vec![
        contestant("sonic-rs", || sonic_rs::from_slice::<T>(black_box(text)).expect("valid")),
        contestant("serde_json", || serde_json::from_slice::<T>(black_box(text)).expect("valid")),
    ];
    for (name, mut parser) in parsers() {
        assert!(parser.read::<T>(text).expect("valid") == expected, "{task}: another value than serde_json");
        contestants.push(contestant(name, move || parser.read::<T>(black_box(text)).expect("valid")));
    }
    race(task, text.len(), contestants);
}

/// Measures reading one value per line of NDJSON.
pub fn lines<'t, T: DeserializeOwned + PartialEq, B: Deserialize<'t> + PartialEq>(task: &str, text: &'t [u8]) {
    let split = move || black_box(text).split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
    let with_serde = || split().map(serde_json::from_slice::<T>);
    let mut owned = vec![
        contestant("sonic-rs", || {
            split().map(|line| drop(black_box(sonic_rs::from_slice::<T>(line).expect("valid")))).count()
        }),
        contestant("serde_json", || with_serde().map(|value| drop(black_box(value.expect("valid")))).count()),
    ];
    let mut borrowed = vec![contestant("sonic-rs", || {
        split().map(|line| drop(black_box(sonic_rs::from_slice::<B>(line).expect("valid")))).count()
    })];
    for (name, options) in kernels() {
        let is_equal = fjson::lines::<T>(text, &options).map(Result::ok).eq(with_serde().map(Result::ok));
        assert!(is_equal, "{task}: other values than serde_json");
        let of_borrowed = options.clone();
        owned.push(contestant(name, move || {
            let values = fjson::lines::<T>(black_box(text), &options);
            values.map(|value| drop(black_box(value.expect("valid")))).count()
        }));
        borrowed.push(contestant(name, move || {
            let values = fjson::borrowed_lines::<B>(black_box(text), &of_borrowed);
            values.map(|value| drop(black_box(value.expect("valid")))).count()
        }));
    }
    race(&format!("{task}, owned"), text.len(), owned);
    race(&format!("{task}, borrowed"), text.len(), borrowed);
}

/// Measures the sum of the identifiers and the length of the names of an array of users, without types: serde_json makes a `Value`,
/// and simd-json a tape.
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
    let expected = with_serde();
    assert!(with_sonic() == expected && with_tape() == expected, "{task}");
    let mut contestants = vec![
        contestant("sonic-rs", with_sonic),
        contestant("serde_json", with_serde),
        contestant("simd-json", with_tape),
    ];
    for (name, mut parser) in parsers() {
        let mut with_fjson = move || {
            let document = parser.document(black_box(text)).expect("valid");
            document.root().iter().fold((0, 0), |sums, user| {
                let id = user.get("id").and_then(|id| id.as_u64()).expect("a number");
                let name = user.get("name").and_then(|name| name.as_str()).expect("a string");
                (sums.0 + id, sums.1 + name.len())
            })
        };
        assert!(with_fjson() == expected, "{task}");
        contestants.push(contestant(name, with_fjson));
    }
    race(task, text.len(), contestants);
}

/// Measures checking a document without reading any value, with `is_valid` and with `validate`.
pub fn valid(task: &str, text: &[u8]) {
    let peers = || {
        vec![
            contestant("sonic-rs", || sonic_rs::from_slice::<IgnoredAny>(black_box(text)).is_ok()),
            contestant("serde_json", || serde_json::from_slice::<IgnoredAny>(black_box(text)).is_ok()),
        ]
    };
    assert!(fjson::is_valid(text), "{task}");
    let mut contestants = peers();
    contestants.push(contestant("fjson", || fjson::is_valid(black_box(text))));
    race(&format!("{task}, is_valid"), text.len(), contestants);
    let mut contestants = peers();
    for (name, options) in kernels() {
        contestants.push(contestant(name, move || fjson::validate(black_box(text), &options).is_ok()));
    }
    race(&format!("{task}, validate"), text.len(), contestants);
}

/// Measures finding one value by its JSON Pointer.
pub fn pointer(task: &str, text: &[u8], index: usize, name: &str) {
    let pointer = format!("/{index}/{name}");
    let path = sonic_rs::pointer![index, name];
    let with_sonic = || sonic_rs::get(black_box(text), &path).expect("valid").as_str().map(str::len);
    let expected = with_sonic();
    assert!(expected.is_some(), "{task}");
    let mut contestants = vec![contestant("sonic-rs", with_sonic)];
    for (kernel, mut parser) in parsers() {
        let pointer = pointer.clone();
        let mut with_fjson = move || {
            let document = parser.document(black_box(text)).expect("valid");
            document.root().pointer(&pointer).and_then(|value| value.as_str().map(|text| text.len()))
        };
        assert!(with_fjson() == expected, "{task}");
        contestants.push(contestant(kernel, with_fjson));
    }
    race(task, text.len(), contestants);
}
