//! Every option that names an output: it never overwrites what the command reads, another output, or the file of a standard stream,
//! and it replaces a file when and only when all went well.

use crate::place::Place;
use std::fs;

/// Command lines with an output `OUT`, after which inputs follow.
const LINES: [&str; 7] = [
    "minify --lines -o OUT",
    "pretty --lines -o OUT",
    "gzip --lines -o OUT",
    "query --lines --skip-bad --bad-records OUT $",
    "bench --lines --quiet --operation validate --time 0.01 --export-json OUT",
    "bench --lines --quiet --operation validate --time 0.01 --report OUT",
    "bench --lines --quiet --operation validate --time 0.01 --export-json other --report OUT",
];

/// Options with a file that is read.
const READ: [&str; 4] = ["--baseline", "--files-from", "--files0-from", "--splits-from"];

const RECORDS: &str = "[1]\n[2]\n";

/// A place with the input `r`, names for it, and lists.
#[cfg(unix)]
fn place() -> Place {
    use std::os::unix::fs::symlink;

    let place = Place::new();
    place.file("r", RECORDS);
    place.file("first", "[0]\n");
    place.file("list", "first\nr\n");
    place.file("list0", "first\0r\0");
    place.file("directory/first.json", "[0]\n");
    symlink("r", place.path("link")).expect("a link");
    symlink("link", place.path("link-to-link")).expect("a link");
    fs::hard_link(place.path("r"), place.path("twin")).expect("a link");
    place
}

// Needs links and descriptors.
#[cfg(unix)]
#[test]
fn an_input_is_never_overwritten() {
    let outs = ["r", "./r", "link", "link-to-link", "twin", "/dev/fd/3"].map(|out| (out, "first r"));
    let inputs = ["r", "link", "twin", "--files-from list", "--files0-from list0", "- < r", "< r", "r < /dev/null"];
    for line in LINES {
        for (out, inputs) in outs.into_iter().chain(inputs.map(|inputs| ("link", inputs))) {
            let place = place();
            let line = format!("$FJSON {} {inputs} 3>> r", line.replace("OUT", out).replace('$', "'$'"));
            let output = place.shell(&line).output();
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{line}: {message}");
            let reason =
                if line.contains("gzip") && inputs == "first r" { "only one input" } else { "are the same file" };
            assert!(message.contains(reason), "{line}: {message}");
            // Nothing has been written, not even the result of the first input.
            assert_eq!((place.read("r"), output.stdout.len()), (RECORDS.to_owned(), 0), "{line}");
            assert_eq!(place.names(), self::place().names(), "{line}");
        }
    }
}

// Needs links.
#[cfg(unix)]
#[test]
fn an_input_that_is_found_late_is_never_overwritten() {
    for line in LINES {
        for inputs in ["--files-from - < list", "-g '*' directory"] {
            let place = place();
            fs::hard_link(place.path("r"), place.path("directory/r")).expect("a link");
            let output =
                place.shell(&format!("$FJSON {} {inputs}", line.replace("OUT", "r").replace('$', "'$'"))).output();
            assert_eq!(output.status.code(), Some(2), "{line} {inputs}");
            assert_eq!(place.read("r"), RECORDS, "{line} {inputs}");
            assert_eq!(place.names(), self::place().names(), "{line} {inputs}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_list_or_a_baseline_is_never_overwritten() {
    for line in LINES {
        let mut reading =
            vec![("list", "--files-from list"), ("list0", "--files0-from list0"), ("list", "--files-from - < list")];
        if line.starts_with("bench") {
            reading.push(("baseline", "--baseline baseline r"));
        } else if line.starts_with("minify") || line.starts_with("query") {
            reading.push(("splits", "--splits-from splits"));
        }
        for (out, inputs) in reading {
            let place = place();
            place.file("splits", "r\t0\t4\n");
            assert_eq!(
                place.fjson("bench --lines --quiet --operation validate --time 0.01 --export-json baseline r").status(),
                Some(0)
            );
            let (before, names) = (place.read(out), place.names());
            let line = format!("$FJSON {} {inputs}", line.replace("OUT", out).replace('$', "'$'"));
            let output = place.shell(&line).output();
            let message = String::from_utf8_lossy(&output.stderr);
            assert!(message.contains("input and output are the same file"), "{line}: {message}");
            assert_eq!((output.status.code(), place.read(out)), (Some(2), before), "{line}");
            assert_eq!(place.names(), names, "{line}");
        }
    }
}

#[test]
fn files_of_options_and_operands_are_never_overwritten() {
    let lines = [
        "minify --schema OUT -o OUT r.json",
        "pretty --schema *.json=OUT -o OUT r.json",
        "gzip --schema OUT -o OUT r.json",
        "edit --set-file /a OUT -o OUT r.json",
        "patch OUT -o OUT r.json",
        "merge OUT -o OUT r.json",
        "jq --slurpfile x OUT -o OUT . r.json",
        "jq --rawfile x OUT -o OUT . r.json",
        "jq -f OUT -o OUT r.json",
    ];
    for line in lines {
        let place = Place::new();
        place.file("r.json", "{}");
        let text = if line.starts_with("patch") { "[]" } else { "{}" };
        place.file("OUT", text);
        let output = place.fjson(line).output();
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("input and output are the same file"), "{line}: {message}");
        assert_eq!((output.status.code(), &*place.read("OUT")), (Some(2), text), "{line}");
    }
}

#[cfg(unix)]
#[test]
fn standard_output_is_never_a_file_that_is_read() {
    for line in [
        "stats OUT",
        "stats < OUT",
        "stats --infer-schema OUT",
        "diff OUT r.json",
        "diff r.json OUT",
        "validate --format json OUT",
        "pretty --check OUT",
        "set --check /a 1 OUT",
        "set /a 1 OUT",
        "query --count $ OUT",
        "query $ --files-from list",
        "minify --files-from OUT",
        "minify --files-from - < OUT",
        "minify --splits-from OUT",
        "minify --schema OUT r.json",
        "gzip -c --schema OUT r.json",
        "edit --set-file /a OUT r.json",
        "patch OUT r.json",
        "merge OUT r.json",
        "bench --operation validate --time 0.01 OUT",
        "jq . OUT",
        "jq --slurpfile x OUT . r.json",
        "jq -f OUT r.json",
    ] {
        for redirection in [">>", "1<>", ">"] {
            let place = Place::new();
            place.file("r.json", "{}");
            place.file("list", "OUT");
            place.file("OUT", "{}");
            let line = line.replace('$', "'$'");
            let output = place.shell(&format!("$FJSON {line} {redirection} OUT")).output();
            let message = String::from_utf8_lossy(&output.stderr);
            let (reason, left) = match redirection {
                ">" => ("the shell has emptied it", ""),
                _ => ("input and output are the same file", "{}"),
            };
            assert!(message.contains(reason), "{line} {redirection}: {message}");
            assert_eq!((output.status.code(), &*place.read("OUT")), (Some(2), left), "{line} {redirection}");
        }
    }
    // Reports for people go to standard error.
    let place = Place::new();
    place.file("r.json", "{}");
    assert_eq!(place.shell("$FJSON validate r.json >> r.json").status(), Some(0));
}

#[cfg(unix)]
#[test]
fn two_outputs_are_never_one_file() {
    let bench = "$FJSON bench --lines --operation validate --time 0.01 r";
    for (line, reason) in [
        (format!("{bench} --export-json new --report new"), "two outputs are the same file"),
        (format!("{bench} --export-json new --report ./new"), "two outputs are the same file"),
        (format!("{bench} --export-json new --report dangling"), "two outputs are the same file"),
        (format!("{bench} --export-json old --report old-link"), "two outputs are the same file"),
        (format!("{bench} --export-json old > old"), "is redirected to the same file"),
        (format!("{bench} --report old 2> old"), "is redirected to the same file"),
        ("$FJSON query '$' --lines --skip-bad --bad-records old r >> old".to_owned(), "is redirected to the same file"),
        ("$FJSON query '$' --lines --skip-bad --bad-records - r".to_owned(), "standard output has the matches"),
        ("$FJSON minify -o old --lines r 2>> old".to_owned(), "is redirected to the same file"),
    ] {
        let place = place();
        place.file("old", "old");
        std::os::unix::fs::symlink("new", place.path("dangling")).expect("a link");
        fs::hard_link(place.path("old"), place.path("old-link")).expect("a link");
        let names = place.names();
        let output =
            place.shell(&format!("{{ {line}; }} 2> errors; status=$?; cat errors; rm errors; exit $status")).output();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &place.read("old");
        assert!(said.contains(reason), "{line}: {said}");
        assert_eq!((output.status.code(), place.names()), (Some(2), names), "{line}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn a_file_is_replaced_when_and_only_when_all_went_well() {
    for line in LINES {
        // A page takes long, as it has the results of all suites.
        if line.contains("--report") {
            continue;
        }
        for (inputs, is_good) in [("r", true), ("missing r", false), ("r missing", false)] {
            let is_one = line.starts_with("gzip");
            let place = Place::new();
            place.file("r", RECORDS);
            place.file("OUT", "old");
            let names = place.names();
            let output = place.fjson(&format!("{line} {inputs}")).output();
            let expected = if is_good { 0 } else { 2 };
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(expected), "{line} {inputs}: {message}");
            let is_replaced = fs::read(place.path("OUT")).expect("it is there") != b"old";
            assert_eq!(is_replaced, is_good, "{line} {inputs}");
            assert!(is_one || is_good || place.names() == names, "{line} {inputs}");
        }
        // Neither if standard output fails.
        let place = Place::new();
        place.file("r", RECORDS);
        place.file("OUT", "old");
        if !line.contains("-o ") {
            let line = line.replace("--quiet", "").replace('$', "'$'");
            assert_eq!(place.shell(&format!("$FJSON {line} r > /dev/full")).status(), Some(2), "{line}");
            assert_eq!(place.read("OUT"), "old", "{line}");
        }
    }
}

/// A new option with a file must be added to one of the tables.
#[test]
fn the_tables_have_every_option_with_a_file() {
    for command in ["validate", "minify", "pretty", "query", "stats", "gzip", "bench"] {
        let help = Place::new().fjson(&format!("{command} --help")).stdout();
        let options = help.lines().filter(|line| line.trim_start().starts_with('-') && line.contains("<FILE>"));
        for option in options.map(|line| line.trim_start().split("<FILE>").next().unwrap_or_default()) {
            let names = || option.split([',', ' ']).filter(|name| !name.is_empty());
            let is_output =
                LINES.iter().any(|line| line.starts_with(command) && names().any(|name| line.contains(name)));
            assert!(is_output || names().any(|name| READ.contains(&name)), "{command} {option}");
        }
    }
}

// Needs symbolic links.
#[cfg(unix)]
#[test]
fn compressing_never_replaces_an_input() {
    let place = Place::new();
    place.file("a.json", "[1]");
    place.file("a.json.gz", "[2]");
    std::os::unix::fs::symlink("a.json.gz", place.path("link")).expect("a link");
    for line in ["gzip --force a.json a.json.gz", "gzip --force a.json link"] {
        assert_eq!(place.fjson(line).status(), Some(2), "{line}");
        assert_eq!(place.read("a.json.gz"), "[2]", "{line}");
    }
    assert_eq!(place.fjson("gzip --force a.json").stdout(), "");
    assert_ne!(fs::read(place.path("a.json.gz")).expect("it is there"), b"[2]");
}

/// The pages are replaced as other files are.
#[cfg(unix)]
#[test]
fn man_pages_are_replaced_as_a_whole() {
    let place = Place::new();
    place.file("pages/fjson.1", "old");
    place.file("pages/fjson-query.1/file", "a directory is in the way");
    assert_eq!(place.fjson("man pages").status(), Some(2));
    assert_eq!(place.read("pages/fjson.1"), "old");
    assert_eq!(Place::names_in(&place.path("pages")), ["fjson-query.1", "fjson.1"]);
}
