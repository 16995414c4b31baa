//! Symbolic links in directories: to files, to directories, in circles, to nothing, and for commands that edit in place. And names
//! in capitals.

use crate::place::Place;
use std::fs;
use std::os::unix::fs::symlink;

fn link(place: &Place, target: &str, name: &str) {
    let path = place.path(name);
    fs::create_dir_all(path.parent().expect("a directory")).expect("the directory is made");
    symlink(target, path).expect("a link");
}

/// What `validate` reads below `dir`, each of which has an error, and the other lines.
fn visited(place: &Place, options: &str) -> (Vec<String>, Vec<String>) {
    let output = place.fjson(&format!("validate --format concise --threads 1 {options} dir")).output();
    let text = String::from_utf8(output.stderr).expect("text");
    let (errors, others): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.contains("error["));
    let name = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
    let is_about_all = |line: &&str| !line.contains(" in ") && !line.contains(" ms (");
    (errors.into_iter().map(name).collect(), others.into_iter().filter(is_about_all).map(str::to_owned).collect())
}

/// A directory with links to a file outside, to a file inside under two names, to a directory, and up.
fn linked() -> Place {
    let place = Place::new();
    place.file("outside/data.txt", "!");
    place.file("outside/more.json", "!");
    place.file("dir/b.json", "!");
    link(&place, "../outside/data.txt", "dir/a.json");
    link(&place, "b.json", "dir/c.json");
    link(&place, "../outside", "dir/linked");
    link(&place, "..", "dir/sub/up");
    link(&place, "nothing", "dir/notes.txt");
    place
}

#[test]
fn links_to_files_are_followed_and_each_file_is_read_once() {
    let place = linked();
    assert_eq!(visited(&place, ""), (vec!["dir/b.json".to_owned(), "dir/a.json".to_owned()], vec![]));
    let told =
        "dir: skipped 2 symbolic links to directories (see --follow), 1 other name of files that were read before";
    assert_eq!(visited(&place, "-v").1, [told]);
    assert_eq!(visited(&place, "-g *.json").0, ["dir/b.json", "dir/a.json"]);
    assert_eq!(visited(&place, "-g c.json").0, ["dir/c.json"]);
}

#[test]
fn links_to_directories_are_followed_on_request_and_loops_are_cut() {
    let place = linked();
    for option in ["-L", "--follow"] {
        assert_eq!(visited(&place, option).0, ["dir/b.json", "dir/a.json", "dir/linked/more.json"]);
    }
    let told = "dir: skipped 1 symbolic link to a directory above it, 1 other name of files that were read before";
    assert_eq!(visited(&place, "-L -v").1, [told]);
}

/// What a file is depends on its name, so it is read under its own one, even if that of a link comes first.
#[test]
fn a_file_is_read_under_its_own_name() {
    let place = Place::new();
    place.file("dir/conf/app.json", "!");
    place.file("dir/z.jsonc", "[/**/1 2]");
    link(&place, "conf/app.json", "dir/active.json");
    link(&place, "conf", "dir/also");
    link(&place, "z.jsonc", "dir/b.json");
    for option in ["", "-L"] {
        assert_eq!(visited(&place, option).0, ["dir/conf/app.json", "dir/z.jsonc"], "{option}");
    }
    place.file("dir/conf/app.json", r#"{"port": "x"}"#);
    place.file("dir/z.jsonc", "[/**/]");
    place.file("port.json", r#"{"properties": {"port": {"type": "integer"}}}"#);
    let output = place.fjson("validate --schema app.json=port.json dir").output();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && message.contains("dir/conf/app.json:1:10"), "{message}");
}

/// As Kubernetes mounts it: the files are in a hidden directory, and everything else is a link.
#[test]
fn a_mounted_config_map_is_read() {
    let place = Place::new();
    place.file("dir/..2026_01_01/config.json", "!");
    link(&place, "..2026_01_01", "dir/..data");
    link(&place, "..data/config.json", "dir/config.json");
    assert_eq!(visited(&place, ""), (vec!["dir/config.json".to_owned()], vec![]));
    // With hidden files, it is read under its first name.
    assert_eq!(visited(&place, "--hidden").0, ["dir/..2026_01_01/config.json"]);
}

#[test]
fn a_link_to_nothing_is_an_error_if_its_name_is_that_of_an_input() {
    let place = Place::new();
    place.file("dir/a.json", "[]");
    link(&place, "nothing", "dir/b.json");
    link(&place, "nothing", "dir/b.txt");
    link(&place, "c.json", "dir/c.json");
    for options in ["", "-L"] {
        let output = place.fjson(&format!("validate --format concise {options} dir")).output();
        let message = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert_eq!(message.matches("dir/b.json: error").count(), 1, "{message}");
        assert!(message.contains("dir/c.json: error") && !message.contains("b.txt"), "{message}");
    }
}

/// A repository from elsewhere must not have files outside of it rewritten.
#[test]
fn editing_in_place_follows_no_link_that_was_found() {
    for command in ["pretty", "minify"] {
        let place = Place::new();
        place.file("outside.json", "[ 1 ]");
        place.file("real/x.json", "[ 1 ]");
        place.file("dir/a.json", "[ 1 ]");
        link(&place, "../outside.json", "dir/b.json");
        link(&place, "../real", "dir/real");
        let output = place.fjson(&format!("{command} -i dir")).output();
        let told =
            "dir: skipped 1 symbolic link to a file, because files are edited in place (name a file to edit it)\n";
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()),
            (Some(0), told.to_owned())
        );
        assert_ne!(place.read("dir/a.json"), "[ 1 ]");
        assert_eq!((place.read("outside.json"), place.read("real/x.json")), ("[ 1 ]".to_owned(), "[ 1 ]".to_owned()));
        assert_eq!(place.fjson(&format!("{command} -i -q dir")).stdout(), "");
        // On request, they are not followed either.
        assert_eq!(place.fjson(&format!("{command} -i -L dir")).status(), Some(2));
        // One that is named is.
        assert_eq!(place.fjson(&format!("{command} -i dir/b.json")).stdout(), "");
        assert_ne!(place.read("outside.json"), "[ 1 ]");
        assert!(place.path("dir/b.json").is_symlink());
        // A directory with nothing else has no inputs, and the message says why.
        fs::remove_file(place.path("dir/a.json")).expect("it is there");
        let output = place.fjson(&format!("{command} -i -q dir")).output();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && message.contains("symbolic links"), "{message}");
    }
}

/// The output of `gzip` is beside the input that it found, where there may be a link, too.
#[test]
fn compressing_follows_no_link_to_its_output() {
    let place = Place::new();
    place.file("outside", "precious");
    place.file("dir/a.json", "[1]");
    link(&place, "../outside", "dir/a.json.gz");
    assert_eq!(place.fjson("gzip --force dir").status(), Some(2));
    assert_eq!(place.read("outside"), "precious");
    assert_eq!(place.fjson("gzip -o dir/a.json.gz dir/a.json").stdout(), "");
    assert_ne!(fs::read(place.path("outside")).expect("it is there"), b"precious");
}

#[test]
fn what_was_skipped_is_told_in_order_on_any_number_of_threads() {
    let place = Place::new();
    for directory in ["one", "two"] {
        for number in 10..40 {
            place.file(format!("{directory}/{number}.json"), "!");
        }
        link(&place, "10.json", &format!("{directory}/x.json"));
    }
    let lines = |threads: usize| {
        let output = place.fjson(&format!("validate --format concise -v --threads {threads} one two")).output();
        let text = String::from_utf8(output.stderr).expect("text");
        let is_timed = |line: &&str| !line.contains(" ms");
        text.lines().filter(is_timed).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(lines(1).iter().filter(|line| line.contains("1 other name")).count(), 2);
    assert_eq!(lines(1), lines(4));
}

#[test]
fn names_in_capitals_are_the_same() {
    let place = Place::new();
    for name in ["A.JSON", "B.JsonL", "C.NDJSON", "D.GEOJSON", "E.JSON.GZ", "F.json.Zst", "G.JSON.BAK", "H.JSONS"] {
        place.file(format!("dir/{name}"), "1 2\n!\n");
    }
    let names = ["A.JSON", "B.JsonL", "C.NDJSON", "D.GEOJSON", "E.JSON.GZ", "F.json.Zst"];
    let expected: Vec<_> = names.iter().map(|name| format!("dir/{name}")).collect();
    let mut read = visited(&place, "").0;
    read.dedup();
    assert_eq!(read, expected);
    // Records on lines, of which each is valid.
    for name in ["r.JSONL", "r.NdJson"] {
        place.file(name, "1\n2\n");
        assert_eq!(place.fjson(&format!("validate {name}")).stdout(), "");
    }
    place.file("a.JSON", "[ 1 ]");
    place.fjson("gzip -q a.JSON").stdout();
    fs::copy(place.path("a.JSON.gz"), place.path("a.JSON.GZ")).expect("a copy");
    assert_eq!(place.fjson("validate a.JSON.GZ").stdout(), "");
    assert_eq!(place.fjson("gzip a.JSON.GZ").status(), Some(2));
}
