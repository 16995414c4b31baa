//! The published suites and data sets: where to find them, and verification of their content.
//!
//! None of them is part of the repository. They are searched in `$FJSON_CORPUS`, `corpus/data` and `../shared/corpus`.
//! If JSONTestSuite is in none of these, it comes from a registry package, so that a fresh machine runs the real suite.
//! Every file is verified with its SHA-256 in `corpus/manifest.json`.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;

use crate::untested;
use serde_json::Value;
use sha2::Digest as _;
use sha2::Sha256;

/// The SHA-256 of the schema of SARIF 2.1.0.
const SARIF_SCHEMA: &str = "af47e7b67f24efe74076621fd3a5fbe7398add9e84fe820c971219a385895cea";

/// Files by their path inside a suite.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The root of the repository.
#[must_use]
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A suite or data set, by its name in the manifest.
///
/// If it is missing, this is reported, and nothing is tested; `corpus/README.md` says when that is a failure.
///
/// # Panics
/// If a file is not the published one.
#[must_use]
pub fn suite(name: &str) -> Option<Files> {
    let manifest = manifest();
    let set = manifest.iter().find(|set| set["name"] == name).expect("a name in corpus/manifest.json");
    let files = place(name).map(|folder| from_folder(&folder, set)).or_else(|| from_package(set));
    if files.is_none() {
        absent(name);
    }
    files
}

/// The folder of a suite, whose files are the published ones.
#[must_use]
pub fn folder(name: &str) -> Option<PathBuf> {
    suite(name).and_then(|_| place(name))
}

/// The files of a suite in one of its folders, without the name of the folder.
#[must_use]
pub fn part(name: &str, folder: &str) -> Option<Files> {
    let inside = |(path, text): (String, Vec<u8>)| Some((path.strip_prefix(folder)?.to_owned(), text));
    let files: Files = suite(name)?.into_iter().filter_map(inside).collect();
    if files.is_empty() {
        absent(&format!("{name}/{folder}"));
        return None;
    }
    Some(files)
}

/// The data sets that are available: complete, valid documents by name.
#[must_use]
pub fn data_sets() -> Files {
    let sets = ["nativejson", "jsonbench", "simdjson"];
    let is_json = |path: &str| Path::new(path).extension().is_some_and(|extension| extension == "json");
    let is_data_set = |(path, _): &(String, Vec<u8>)| !path.contains('/') && is_json(path);
    sets.into_iter().filter_map(suite).flatten().filter(is_data_set).collect()
}

/// The JSON Schema of SARIF 2.1.0, from a package that contains it. If it cannot be had, this is reported.
///
/// # Panics
/// If the file is not the published one.
#[must_use]
pub fn sarif_schema() -> Option<Vec<u8>> {
    let text = package_folder("serde-sarif").and_then(|folder| fs::read(folder.join("src/schema.json")).ok());
    if text.is_none() {
        untested::report("reports in the SARIF format against its schema: the package serde-sarif is not there");
    }
    text.map(|text| checked("the schema of SARIF", SARIF_SCHEMA, text))
}

/// Reports that something is not tested.
///
/// # Panics
/// If `FJSON_REQUIRE_SUITES` is `all` or names the suite; in CI, JSONTestSuite is always required.
fn absent(name: &str) {
    let required = env::var("FJSON_REQUIRE_SUITES").unwrap_or_default();
    let required = required == "all" || required.split([' ', ',']).any(|required| required == name);
    let ci = name == "json-test-suite" && env::var("CI").is_ok_and(|value| value == "true");
    assert!(!required && !ci, "{name} is not there; corpus/README.md says where to get it");
    untested::report(&format!("the suite {name}, which is not there; corpus/README.md says where to get it"));
}

/// The content of `corpus/manifest.json`.
fn manifest() -> Vec<Value> {
    let text = fs::read(root().join("corpus/manifest.json")).expect("corpus/manifest.json");
    serde_json::from_slice(&text).expect("corpus/manifest.json is an array")
}

fn place(name: &str) -> Option<PathBuf> {
    folders().into_iter().map(|folder| folder.join(name)).find(|folder| folder.is_dir())
}

/// The folders in which suites are searched.
fn folders() -> Vec<PathBuf> {
    let named = env::var_os("FJSON_CORPUS").map(PathBuf::from);
    named.into_iter().chain(["corpus/data", "../shared/corpus"].map(|folder| root().join(folder))).collect()
}

/// The paths and checksums of a set.
fn entries(set: &Value) -> impl Iterator<Item = (&str, &str)> {
    let files = set["files"].as_object().expect("files");
    files.iter().map(|(path, sum)| (path.as_str(), sum.as_str().expect("a checksum")))
}

fn from_folder(folder: &Path, set: &Value) -> Files {
    let read = |(path, sum)| Some((String::from(path), checked(path, sum, fs::read(folder.join(path)).ok()?)));
    entries(set).filter_map(read).collect()
}

/// JSONTestSuite from the package that contains it; some files have another name there, and some are missing.
fn from_package(set: &Value) -> Option<Files> {
    let package = set["packages"].get("cargo")?;
    let inputs = package_folder(package["name"].as_str()?)?.join(package["folder"].as_str()?);
    let read = |path: &str| {
        let name = path.strip_prefix("test_parsing/")?;
        let renamed = name.strip_prefix("i_").map(|name| format!("y_{name}"));
        let absent = package["absent"].get(path).map(|hex| from_hex(hex.as_str().expect("hex")));
        let named = |name: String| fs::read(inputs.join(name)).ok();
        named(name.to_owned()).or_else(|| renamed.and_then(named)).or(absent)
    };
    Some(entries(set).filter_map(|(path, sum)| Some((path.to_owned(), checked(path, sum, read(path)?)))).collect())
}

/// Where cargo keeps the source of a package of `corpus/packages`, which it downloads if necessary.
fn package_folder(name: &str) -> Option<PathBuf> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["metadata", "--format-version=1", "--locked", "--manifest-path"]);
    let output = command.arg(root().join("corpus/packages/Cargo.toml")).output().ok()?;
    let metadata: Value = serde_json::from_slice(&output.stdout).ok()?;
    let package = metadata["packages"].as_array()?.iter().find(|package| package["name"] == name)?;
    Some(Path::new(package["manifest_path"].as_str()?).parent()?.to_owned())
}

/// The text, if it has this SHA-256.
fn checked(path: &str, sum: &str, text: Vec<u8>) -> Vec<u8> {
    assert!(Sha256::digest(&text)[..] == from_hex(sum), "{path} is not the published file");
    text
}

fn from_hex(hex: &str) -> Vec<u8> {
    let (pairs, _) = hex.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok()).expect("a digit");
    pairs.iter().map(|&[high, low]| 16 * digit(high) + digit(low)).collect()
}
