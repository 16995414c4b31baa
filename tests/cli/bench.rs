//! `fjson bench` as a process. Figures differ from run to run, so they are replaced before output is compared. Unit tests with
//! a fake clock cover the figures and the reports.

use crate::place::Place;
use crate::place::Run;
use crate::place::assert_shows;
use proof::suites;
use std::fs;
use std::path::Path;
use std::time::Duration;
use std::time::Instant;

/// The shortest run, with the same number of threads on every machine.
const SHORT: &str = "--time 0.001 --threads 2";

const SHAPES: [&str; 6] = ["canada", "citm_catalog", "twitter", "users", "nesting", "ndjson"];

/// Runs the program so that it finds no suites, even if some are on this machine.
fn alone(place: &Place, line: &str) -> Run {
    place.fjson(line).env("HOME", "/nowhere").env("XDG_DATA_HOME", "").env("FJSON_CORPUS", "")
}

/// Compares the output of a run without figures, the machine and the warnings.
macro_rules! assert_shows_results {
    ($run:expr) => {{
        let mut settings = insta::Settings::clone_current();
        settings.add_filter(r"fjson \S+ on .*", "fjson [VERSION] on [MACHINE]");
        settings.add_filter(r"(?s)\nWarnings:.*?\n---", "\n[WARNINGS]\n---");
        let operations = "memcpy|utf8|validate|profiles|minify|sort|canonical|pretty|gzip|query|paths|stats|index";
        settings.add_filter(&format!(r"(?m)^  ({operations})  +.*$"), "  $1 [FIGURES]");
        settings.add_filter(r"(?m)^  operation +kernel .*$", "  operation [HEADS]");
        settings.add_filter(r"\n  noisy: .*", "");
        settings.add_filter(r"median of \d+ samples", "median of [COUNT] samples");
        settings.set_prepend_module_to_snapshot(true);
        settings.bind(|| insta::assert_snapshot!($run.shown()));
    }};
}

#[test]
fn help() {
    let place = Place::new();
    assert_shows!(place.fjson("bench --help"));
}

#[test]
fn mistakes() {
    let place = Place::new();
    for line in [
        "--time 0",
        "--time fast",
        "--emit users",
        "--emit moon --size 1K",
        "--size 1K",
        "--emit users --size 1T",
        "--emit users --size 1K --suite",
        "--vs \"",
        "--require=all",
        "--kernel portable --all-kernels",
        "--operation explain",
        "--query $[",
        "--query title",
        "-q --format json",
    ] {
        let output = place.fjson(&format!("bench {line}")).output();
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{line}");
    }
}

#[test]
fn every_operation_is_measured_and_the_yardsticks_with_it() {
    let place = Place::with_two();
    assert_shows_results!(place.fjson(&format!("bench {SHORT} good.json")));
}

/// Returns the rows of an operation as words.
fn rows<'t>(text: &'t str, operation: &str) -> Vec<Vec<&'t str>> {
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    rows.filter(|row| row.first() == Some(&operation) && row.len() > 6).collect()
}

/// `gzip` never compresses on the calling thread if there are others, so this does not depend on the load of the machine.
#[test]
fn what_can_use_threads_is_measured_with_and_without() {
    let place = Place::new();
    place.file("a.json", place.fjson("bench --emit users --size 2M").stdout());
    let bench = |threads: &str| {
        let line = format!(
            "bench --time 0.001 --kernel portable --operation gzip --operation index --threads {threads} a.json"
        );
        place.fjson(&line).stdout()
    };
    let text = bench("3");
    let counts: Vec<_> = rows(&text, "gzip").iter().map(|row| row[2].to_owned()).collect();
    assert_eq!(counts, ["1", "3"], "{text}");
    assert_eq!(rows(&text, "index").len(), 1, "{text}");
    let text = bench("1");
    assert_eq!(rows(&text, "gzip").len(), 1, "{text}");
    assert!(!text.contains("no figure for"), "{text}");
}

/// A second figure that repeats the first would look as if threads had no use.
#[test]
fn where_one_thread_does_everything_it_is_said() {
    let place = Place::with_two();
    let text = place.fjson("bench --time 0.001 --threads 4 --kernel portable good.json").stdout();
    let operations = "validate, profiles, minify, sort, canonical, pretty, gzip, query, paths, stats";
    for operation in operations.split(", ") {
        assert_eq!(rows(&text, operation).len(), 1, "{text}");
    }
    let note = format!("no figure for 4 threads: one does all the work of {operations} on this document");
    assert!(text.contains(&note), "{text}");
}

/// The figures are of the same work as that of the commands.
#[test]
fn options_that_are_verbs_have_the_output_of_the_commands() {
    let place = Place::new();
    for (name, text) in [
        ("a.json", r#"{"id": 1, "b": [{"id": 2.50}, {"c": "é\u0041"}], "a": null}"#),
        ("b.ndjson", "{\"id\": 1, \"b\": []}\n[{\"id\": 2}]\n"),
    ] {
        place.file(name, text);
        let operations =
            "--operation stats --operation paths --operation sort --operation canonical --operation profiles";
        let run = place.fjson(&format!("bench {SHORT} --all-kernels {operations} --query $..id --format json {name}"));
        let results: serde_json::Value = serde_json::from_str(&run.stdout()).expect("JSON");
        let document = &results["documents"][0];
        assert_eq!(
            (&document["matches"], &document["notes"].as_array().map_or(0, Vec::len)),
            (&2.into(), &1),
            "{results}"
        );
        let rows = document["rows"].as_array().expect("rows");
        for (operation, output) in [
            ("profiles", String::new()),
            ("sort", place.fjson(&format!("minify --sort-keys {name}")).stdout()),
            ("canonical", place.fjson(&format!("minify --canonical {name}")).stdout()),
            ("paths", "two numbers of  ".to_owned()),
            ("stats", "a number".to_owned()),
        ] {
            let found: Vec<_> =
                rows.iter().filter(|row| row["operation"] == operation).map(|row| &row["output"]).collect();
            assert_eq!(found.len(), fjson::Isa::available().count(), "{operation}");
            // The program ends the last line.
            let length = if name == "a.json" { output.trim_end_matches('\n').len() } else { output.len() };
            assert!(found.iter().all(|&found| *found == length), "{operation} of {name}: {found:?}, not {length}");
        }
    }
}

#[test]
fn what_a_document_does_not_allow_is_not_measured() {
    let place = Place::new();
    place.file("a.json", r#"{"a": 1, "\u0061": 2}"#);
    place.file("b.json", "[123456789012345678901]");
    let bench = format!("bench {SHORT} --operation canonical --operation profiles --operation sort");
    let text = place.fjson(&format!("{bench} a.json")).stdout();
    for operation in ["canonical", "profiles"] {
        assert!(text.contains(&format!("\n  {operation} is not measured: duplicate key `")), "{text}");
        assert!(rows(&text, operation).iter().all(|row| row[1] == "is"), "{text}");
    }
    assert_eq!(rows(&text, "sort").len(), 1, "{text}");
    // Not I-JSON, but its keys are unique.
    assert_eq!(rows(&place.fjson(&format!("{bench} b.json")).stdout(), "profiles").len(), 1);
    if cfg!(unix) {
        for (operation, file, command) in [
            ("profiles", "b.json", "validate --unique-keys"),
            ("profiles", "c.json", "validate --ijson"),
            ("sort", "b.json", "minify --sort-keys"),
            ("canonical", "c.json", "minify --canonical"),
            ("paths", "c.json", "query --paths '$..nosuch'"),
            ("stats", "c.json", "stats"),
        ] {
            place.file("c.json", "[1]");
            let line = ["bench", "--time=0.001", "--query=$..nosuch", "--vs", "cat {}", "--operation", operation, file];
            let text = place.fjson_with(line).stdout();
            assert!(text.contains(&format!("  fjson {command}  ")), "{text}");
        }
    }
}

#[test]
fn read_and_write_are_measured_if_named() {
    let place = Place::with_two();
    place.file("a.json", r#"{"id": 1, "\u0062": [1.50, -0, 1e400, "\ud800", true, null, {}]}"#);
    place.file("b.ndjson", "1\n2\n");
    let text = place.fjson(&format!("bench {SHORT} a.json")).stdout();
    assert!(rows(&text, "read").is_empty() && rows(&text, "write").is_empty(), "{text}");
    let bench = "bench --time 0.001 --all-kernels --threads 4 --operation write --operation read";
    let text = place.fjson(&format!("{bench} a.json")).stdout();
    let kernels = rows(&text, "read").len();
    assert!(kernels > 0 && rows(&text, "write").len() == kernels && rows(&text, "minify").is_empty(), "{text}");
    let text = place.fjson(&format!("{bench} b.ndjson")).stdout();
    for operation in ["read", "write"] {
        assert!(text.contains(&format!("{operation} is not measured: it needs a single document")), "{text}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs cat")]
fn query_counts_matches() {
    let place = Place::with_two();
    place.file("a.json", r#"{"id": 1, "b": [{"id": 2}, {"c": 3}]}"#);
    let bench = format!("bench {SHORT} --operation query");
    let text = place.fjson(&format!("{bench} a.json")).stdout();
    assert!(text.contains("\n  query counts what `$..id` selects: 2\n") && rows(&text, "query").len() == 1, "{text}");
    let run = |arguments: &[&str]| {
        let all = ["bench", "--time=0.001", "--operation=query"].iter().chain(arguments);
        place.fjson_with(all).stdout()
    };
    let text = run(&["--query", "$.b[?@.c]", "a.json", "good.json", "--format=json"]);
    let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let asked =
        |document: usize| (&results["documents"][document]["query"], &results["documents"][document]["matches"]);
    assert_eq!(asked(0), (&"$.b[?@.c]".into(), &1.into()));
    assert_eq!(asked(1), (&"$.b[?@.c]".into(), &0.into()));
    // As a command it ends with status 1 if there are no matches, which is not a failure.
    let text = run(&["--query=/d", "--vs", "cat {}", "a.json"]);
    assert!(text.contains("  fjson query --count /d "), "{text}");
}

/// Figures of different queries are not compared.
#[test]
fn a_baseline_is_compared_with_the_same_query_on_the_same_number_of_threads() {
    let place = Place::new();
    place.file("a.json", place.fjson("bench --emit users --size 1M").stdout());
    let bench = "bench --time 0.001 --kernel portable --operation query --operation gzip";
    place.fjson(&format!("{bench} --threads 2 -q --query $..id --export-json before.json a.json")).stdout();
    let compared = |line: &str| {
        let run = place.fjson(&format!("{bench} {line} --format json --baseline before.json a.json")).output();
        let results: serde_json::Value = serde_json::from_slice(&run.stdout).expect("JSON");
        let changes = results["changes"].as_array().expect("changes").iter();
        changes
            .map(|change| format!("{} {}", change["operation"], change["threads"]).replace('"', ""))
            .collect::<Vec<_>>()
    };
    let yardsticks = ["memcpy 1", "utf8 1"];
    assert_eq!(compared("--threads 2 --query $..id")[2..], ["gzip 1", "gzip 2", "query 1"]);
    assert_eq!(compared("--threads 2 --query $..age")[2..], ["gzip 1", "gzip 2"]);
    let alone = compared("--threads 3 --query $..id");
    assert_eq!(
        (&alone[..2], &alone[2..]),
        (&yardsticks.map(str::to_owned)[..], &["gzip 1", "query 1"].map(str::to_owned)[..])
    );
}

#[test]
fn every_kernel_is_measured_if_asked_for() {
    let place = Place::with_two();
    let text = place.fjson(&format!("bench {SHORT} --all-kernels --operation validate good.json")).stdout();
    let kernels: Vec<_> = text.lines().filter_map(|line| line.trim_start().strip_prefix("validate")).collect();
    assert_eq!(kernels.len(), fjson::Isa::available().count());
    assert!(kernels.iter().any(|line| line.trim_start().starts_with("portable")));
    assert!(!text.contains("minify"));
}

#[test]
fn a_bad_file_is_reported_and_the_others_go_on() {
    let place = Place::with_two();
    place.file("lines.ndjson", "1\n[2]\n");
    let line = format!("bench {SHORT} --operation validate bad.json absent.json lines.ndjson");
    assert_shows_results!(place.fjson(&line));
    assert_shows_results!(place.fjson(&format!("bench {SHORT} --operation validate bad.json")));
}

#[test]
fn standard_input_is_a_document_if_it_is_named() {
    let text = Place::new().fjson(&format!("bench {SHORT} --operation validate -")).stdin("[1]").stdout();
    assert!(text.contains("\n<stdin>: 3 B, 3 tokens;"), "{text}");
}

#[test]
fn a_operation_that_would_take_all_memory_is_left_out() {
    let place = Place::new();
    place.file("deep.json", "[".repeat(20_000) + &"]".repeat(20_000));
    let text = place.fjson(&format!("bench {SHORT} deep.json")).stdout();
    assert!(text.contains("  minify ") && text.contains("  query "), "{text}");
    assert!(text.contains("  pretty is not measured: ") && text.contains("  paths is not measured: "), "{text}");
}

#[test]
fn without_a_file_documents_are_made() {
    let text = Place::new().fjson(&format!("bench {SHORT} --operation validate")).stdout();
    for shape in SHAPES {
        assert!(text.contains(&format!("\n{shape} (generated): ")), "{text}");
    }
}

#[test]
fn emitted_documents_are_valid_of_the_wanted_size_and_always_the_same() {
    let place = Place::new();
    for shape in SHAPES {
        for (size, bytes) in [("1", 1), ("64K", 65_536), ("3000000", 3_000_000), ("2M", 2 << 20)] {
            let emit = || place.fjson(&format!("bench --emit {shape} --size {size}")).stdout();
            let document = emit();
            let framing = if shape == "ndjson" { "--lines" } else { "--max-depth=200" };
            place.fjson(&format!("validate {framing}")).stdin(&*document).stdout();
            assert_eq!(emit(), document);
            if bytes > 1 {
                assert!(document.len().abs_diff(bytes) * 50 < bytes, "{shape}: {} bytes for {size}", document.len());
            }
        }
    }
}

#[test]
#[cfg_attr(windows, ignore = "wine takes longer")]
fn two_megabytes_take_seconds() {
    let place = Place::new();
    place.file("a.json", place.fjson("bench --emit citm_catalog --size 2M").stdout());
    let start = Instant::now();
    place.fjson("bench a.json").stdout();
    assert!(start.elapsed() < Duration::from_mins(1), "{:?}", start.elapsed());
}

#[test]
fn a_verdict_that_is_wrong_fails_the_gate() {
    let place = Place::new();
    for (name, text) in
        [("y_good", "[1]"), ("n_bad", "[1,]"), ("y_bad", "[1,]"), ("n_good", "{}"), ("i_any", "\"\\uD800\"")]
    {
        place.file(format!("suite/test_parsing/{name}.json"), text);
    }
    assert_shows_results!(place.fjson("bench suite"));
    // A part of a suite is recognized too.
    assert_eq!(place.fjson("bench -q suite/test_parsing").status(), Some(1));
    for name in ["y_bad", "n_good"] {
        fs::remove_file(place.path(format!("suite/test_parsing/{name}.json"))).expect("it is there");
    }
    assert_eq!(place.fjson("bench -q suite").status(), Some(0));
    assert_eq!(place.fjson("bench -q --suite suite").env("CI", "true").status(), Some(0));
    assert_eq!(place.fjson("bench -q suite --require=json-test-suite").status(), Some(1));
}

#[test]
#[cfg_attr(windows, ignore = "needs paths with slashes")]
fn a_suite_that_is_not_there_is_named_and_fails_where_it_is_required() {
    let place = Place::new();
    assert_shows_results!(alone(&place, "bench --suite"));
    assert_eq!(alone(&place, "bench -q --suite --require").status(), Some(1));
    assert_eq!(alone(&place, "bench -q --require=nativejson").status(), Some(1));
    assert_eq!(alone(&place, "bench -q --suite").env("CI", "true").status(), Some(1));
    assert_eq!(alone(&place, "bench -q --suite").env("CI", "false").status(), Some(0));
    assert_shows_results!(alone(&place, "bench --suite --corpus ."));
}

/// Runs JSONTestSuite, if it is on this machine.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn the_gate_is_open() {
    let Some(files) = suites::suite("json-test-suite") else { return };
    let place = Place::new();
    // The package in the registry has no `test_transform`.
    let has_transform = files.keys().any(|name| name.starts_with("test_transform/"));
    let transform = if has_transform { "test_transform values 22 0 0" } else { "test_transform values 0 0 22" };
    for (name, text) in files {
        place.file(format!("corpus/data/json-test-suite/{name}"), text);
    }
    // It is found from any directory of a checkout, unless --corpus is given.
    place.file("corpus/data/here/empty", "");
    let text = place.shell("cd corpus/data/here && $FJSON bench --require=json-test-suite").env("HOME", "/").stdout();
    for line in ["y_ files accepted 95 0 0", "n_ files rejected 188 0 0", "i_ files either 35 0 0", transform] {
        assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(line), "{line}\n{text}");
    }
    assert_eq!(place.fjson("bench -q --require=json-test-suite --corpus corpus/data").status(), Some(0));
}

/// Runs jq's tests and the JSON-Schema-Test-Suite, if they are on this machine.
#[test]
fn jq_programs_and_schemas_have_the_published_results() {
    let tests_of_jq =
        "jq.test 550, man.test 231, onig.test 47, manonig.test 19, uri.test 20, base64.test 10, optional.test 2";
    let drafts = "draft4 937, draft6 1,270, draft7 1,721, draft2019-09 2,174, draft2020-12 2,221";
    for (name, expected, counts) in [("jq", "outputs", tests_of_jq), ("json-schema", "result", drafts)] {
        let Some(folder) = suites::folder(name) else { continue };
        let require = format!("--require={name}");
        let arguments = ["bench".as_ref(), require.as_ref(), "--corpus".as_ref(), folder.as_os_str()];
        let text = Place::new().fjson_with(arguments).stdout().split_whitespace().collect::<Vec<_>>().join(" ");
        for (part, count) in counts.split(", ").filter_map(|part| part.split_once(' ')) {
            assert!(text.contains(&format!("{part} {expected} {count} 0 ")), "{part}\n{text}");
        }
    }
}

#[test]
fn programs_read_the_results() {
    let place = Place::with_two();
    place.file("suite/test_parsing/n_good.json", "1");
    let output = place.fjson(&format!("bench {SHORT} --format json good.json suite")).output();
    assert_eq!(output.status.code(), Some(1));
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(results["documents"][0]["rows"][2]["operation"], "validate");
    assert_eq!(results["conformance"]["passes"], false);
    assert_eq!(results["conformance"]["suites"][1]["categories"][1]["failed"][0]["case"], "n_good.json");
    let output = place.fjson("bench --format junit suite").output();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("name=\"n_good.json\"><failure message=\"accepted, but it must be rejected\"/>"), "{text}");
}

#[test]
fn a_regression_fails_and_an_improvement_does_not() {
    let place = Place::with_two();
    let bench = format!("bench {SHORT} --operation minify good.json");
    place.fjson(&format!("{bench} -q --export-json now.json")).stdout();
    let samples = |seconds: &str| {
        let mut results: serde_json::Value = serde_json::from_str(&place.read("now.json")).expect("JSON");
        for row in results["documents"][0]["rows"].as_array_mut().expect("rows") {
            row["samples"] = serde_json::from_str(&format!("[{}]", [seconds; 10].join(","))).expect("JSON");
        }
        place.file("before.json", results.to_string());
    };
    samples("1e-12");
    let output = place.fjson(&format!("{bench} --baseline before.json")).output();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    // The yardsticks are slower too, but are not regressions.
    assert!(text.contains("1 slower beyond the noise of both runs"), "{text}");
    samples("1");
    assert!(place.fjson(&format!("{bench} --baseline before.json")).stdout().contains(" faster "));
    assert_shows_results!(place.fjson(&format!("{bench} --baseline good.json")));
    assert_shows_results!(place.fjson(&format!("{bench} --baseline absent.json")));
    place.file("before.json", place.read("now.json").replace("good.json", "other.json"));
    assert_shows_results!(place.fjson(&format!("{bench} --baseline before.json")));
}

#[test]
#[cfg_attr(windows, ignore = "needs cat")]
fn other_programs_take_turns_with_the_whole_process() {
    let place = Place::with_two();
    let bench = ["bench", "--time=0.001", "--threads=2", "--operation=minify", "--vs"];
    let run = |command: &str, file: &str| place.fjson_with(bench.into_iter().chain([command, file]));
    let text = run("cat {}", "good.json").stdout();
    assert!(text.contains("\ngood.json: whole processes in turn\n"), "{text}");
    assert!(text.contains("  fjson minify ") && text.contains("  cat {} "), "{text}");
    run("sh -c 'test \"$(cat)\" = \"{\\\"a\\\": [1, 2]}\"'", "good.json").stdout();
    let text = place.fjson_with(["bench", "--time=0.001", "--vs", "cat {}", "-"]).stdin("[1]").stdout();
    assert!(text.contains("  fjson validate "), "{text}");
    let text =
        place.fjson_with(["bench", "--time=0.001", "--operation=gzip", "--vs", "gzip -c {}", "good.json"]).stdout();
    assert!(text.contains("  fjson gzip --stdout "), "{text}");
    assert_shows_results!(run("false {}", "good.json"));
    assert_shows_results!(run("no-such-program {}", "good.json"));
}

/// The page is one file without references to others.
#[test]
fn a_page_stands_alone() {
    let place = Place::with_two();
    alone(&place, &format!("bench -q {SHORT} --report page.html good.json")).stdout();
    let page = place.read("page.html");
    for part in
        ["<!doctype html>", "<h3>good.json</h3>", "<svg role=\"img\"", "Conformance", "Method", "fjson bench -q"]
    {
        assert!(page.contains(part), "{part}\n{page}");
    }
    for part in ["<script", "http:", "https:", "@import", "url("] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(fjson::Isa::available().all(|isa| page.contains(&format!("validate, {isa}: "))));
}

/// `corpus/get` reads the manifest line by line.
#[test]
fn the_manifest_is_laid_out_as_pretty_would() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/manifest.json");
    Place::new().fjson_with(["pretty".as_ref(), "--check".as_ref(), manifest.as_os_str()]).stdout();
}

/// Files are recognized by their content, not by their name. Files that are not found are reported.
#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn corpus_get_takes_files_from_a_folder() {
    let place = Place::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/get");
    fs::copy(script, place.path("get")).expect("the script is copied");
    // SHA-256 of `[1]`, and of a text that is not in the directory.
    let manifest = r#"[{"name": "set", "origin": "/nowhere", "commit": "1", "packages": {}, "files": {
        "a/one.json": "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22",
        "two.json": "9dbf2fa4b4ee4c5dafaeb5a7f3b5e5ecab1e2a4f0ca2e6d8e4a7f9c2c8c4e4c4"}}]"#;
    place.file("manifest.json", place.fjson("pretty").stdin(manifest).stdout());
    place.file("source/x y/other name", "[1]");
    place.file("source/two.json", "[3]");
    let output = place.shell("sh ./get --from source --to data").output();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("set: 1 of 2 files in data/set\n  not found: two.json\n"), "{text}");
    assert_eq!(place.read("data/set/a/one.json"), "[1]");
    assert_eq!(Place::names_in(&place.path("data/set")), ["a"]);
    // A changed file is copied again.
    place.file("data/set/a/one.json", "[4]");
    assert_eq!(place.shell("sh ./get --from source --to data").status(), Some(1));
    assert_eq!(place.read("data/set/a/one.json"), "[1]");
}

/// A path that cannot be written is reported before anything is measured.
#[test]
#[cfg_attr(windows, ignore = "needs tee")]
fn files_for_results_are_opened_first() {
    let place = Place::with_two();
    let bench = ["bench", "--time=0.001", "--vs", "tee measured"];
    for option in ["--export-json", "--report"] {
        let run = place.fjson_with(bench.iter().chain(&[option, "absent/results", "good.json"])).output();
        let message = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(
            (run.status.code(), message.contains("absent/results: error: cannot be written")),
            (Some(2), true),
            "{message}"
        );
        assert!(!place.path("measured").exists(), "{option}");
    }
    assert_eq!(place.fjson_with(bench.iter().chain(&["good.json"])).status(), Some(0));
    assert!(place.path("measured").exists());
}
