//! Compares reading and writing values: the times of other libraries and of fjson as fractions of the time of sonic-rs.
//!
//! ```sh
//! RUSTFLAGS="-C target-cpu=native" cargo run --release --manifest-path benches/peers/Cargo.toml --bin values -- FOLDER…
//! ```
//!
//! fjson reads with the fastest kernel, and with AVX2 if the processor has it. Writing uses a kernel only for strings of more than 64
//! bytes, and then always the fastest one.
//!
//! The folders have the data sets: canada.json, citm_catalog.json and twitter.json of nativejson-benchmark; golang_source.json,
//! string_unicode.json and synthea_fhir.json of jsonbench. The other documents are generated: the structs of the benchmark of
//! kowito-json, and the long array of users and the long strings of that of RustyJson. Before anything is measured, all libraries
//! must agree on the value or the text.

#![forbid(unsafe_code)]

mod contest;
mod fhir;
mod reading;
mod twitter;
mod types;
mod writing;

use std::env;
use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use twitter::Twitter;
use types::Body;
use types::BorrowedUser;
use types::Bundle;
use types::Canada;
use types::Catalog;
use types::Eight;
use types::Scripts;
use types::Seven;
use types::Sources;
use types::Three;
use types::TwoFields;
use types::User;

fn main() {
    contest::print_head();
    structs();
    small();
    users();
    for folder in env::args().skip(1) {
        let read = |name: &str| fs::read(Path::new(&folder).join(name)).ok();
        data_set::<Twitter>("twitter", read("twitter.json"));
        data_set::<Catalog>("citm_catalog", read("citm_catalog.json"));
        data_set::<Canada>("canada", read("canada.json"));
        data_set::<Sources>("golang_source", read("golang_source.json"));
        data_set::<Scripts>("string_unicode", read("string_unicode.json"));
        data_set::<Bundle>("synthea_fhir", read("synthea_fhir.json"));
        if let Some(text) = read("twitter.json") {
            reading::owned::<serde_json::Value>("read twitter as serde_json::Value", &text);
        }
    }
}

/// Documents of the benchmark of kowito-json.
fn structs() {
    let three = Three { id: 1, name: "Alice".to_owned(), active: true };
    let eight = Eight {
        a: 1_234_567_890_123,
        b: -987_654_321,
        c: 4_000_000_000,
        d: -5,
        e: std::f64::consts::PI,
        f: 2.5e-8,
        g: 42,
        h: 12_345.678,
    };
    let records: Vec<_> = (0..1000).map(Seven::record).collect();
    let plain = Body { body: "The quick brown fox jumps over the lazy dog. ".repeat(228) };
    let escaped = Body { body: "The quick \"brown\" fox\njumps over the lazy dog. ".repeat(214) };
    both("3 fields", &three);
    both("7 fields", &Seven::record(42));
    both("8 numbers", &eight);
    both("1,000 records", &records);
    both("10 KB of plain text", &plain);
    both("10 KB of text with escapes", &escaped);
}

/// Documents as small as records of a log and bodies of requests.
fn small() {
    for (count, name) in [(1, "1 user"), (4, "4 users"), (16, "16 users")] {
        let users = types::users(count);
        let text = serde_json::to_vec(&users).expect("a text");
        reading::valid(&format!("check {name}"), &text);
        reading::owned::<Vec<User>>(&format!("read {name}"), &text);
    }
}

/// An array of 100,000 users, in the form of the benchmark of RustyJson.
fn users() {
    let users = types::users(100_000);
    writing::compare("write 100,000 users", &users);
    let text = serde_json::to_vec(&users).expect("a text");
    let mut lines = Vec::new();
    for user in &users {
        serde_json::to_writer(&mut lines, user).expect("a text");
        lines.push(b'\n');
    }
    drop(users);
    reading::lines::<User, BorrowedUser<'_>>("read 100,000 lines", &lines);
    reading::owned::<Vec<User>>("read 100,000 users, owned", &text);
    reading::borrowed::<Vec<BorrowedUser<'_>>>("read 100,000 users, borrowed", &text);
    reading::borrowed::<Vec<TwoFields<'_>>>("read 100,000 users, 2 of 7 fields", &text);
    reading::lazy("id and name of 100,000 users, lazily", &text);
    reading::pointer("one value of 100,000 users", &text, 50_000, "email");
}

/// Reads and writes a value.
fn both<T: Serialize + DeserializeOwned + PartialEq>(task: &str, value: &T) {
    writing::compare(&format!("write {task}"), value);
    reading::owned::<T>(&format!("read {task}"), &serde_json::to_vec(value).expect("a text"));
}

/// Reads and writes a data set, if the folder has it.
fn data_set<T: Serialize + DeserializeOwned + PartialEq>(name: &str, text: Option<Vec<u8>>) {
    let Some(text) = text else { return };
    reading::owned::<T>(&format!("read {name}"), &text);
    writing::compare(&format!("write {name}"), &serde_json::from_slice::<T>(&text).expect("valid"));
}
