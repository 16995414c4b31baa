//! What is different on Windows: names in UTF-16, paths with drives, files that another program uses, and text streams.

use crate::place::Place;
use std::ffi::OsString;
use std::fs;
use std::fs::File;
use std::fs::OpenOptions;
use std::os::windows::ffi::OsStringExt;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// `FILE_SHARE_READ` and `FILE_SHARE_WRITE`, without `FILE_SHARE_DELETE`.
const NOT_REPLACEABLE: u32 = 3;

/// Opens a file as an editor or a virus scanner may do.
fn used(path: &Path) -> File {
    OpenOptions::new().read(true).share_mode(NOT_REPLACEABLE).open(path).expect("it is there")
}

#[test]
fn names_need_not_be_unicode() {
    let place = Place::new();
    let name = OsString::from_wide(&[0x61, 0xd800, 0x62]);
    assert_eq!(name.to_str(), None);
    let run = |arguments: &[&str]| place.fjson_with(arguments.iter().map(OsString::from).chain([name.clone()]));
    assert_eq!(run(&["validate"]).status(), Some(2));
    // wine cannot store such a name on Linux.
    if fs::write(place.path(&name), "[ 1 ]").is_err() {
        return;
    }
    assert_eq!(run(&["minify"]).stdout(), "[1]");
    assert_eq!(run(&["minify", "-i"]).stdout(), "");
    assert_eq!(place.read(&name), "[1]");
    place.file(&name, "[1 2]");
    let output = run(&["validate", "--format", "sarif"]).output();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).expect("a report is UTF-8").contains("\"uri\":"));
}

#[test]
fn reports_have_paths_with_slashes() {
    let place = Place::new();
    let path = place.file("a b.json", "[1 2]").to_string_lossy().into_owned();
    let (drive, folders) = path.split_once(r":\").expect("it begins with a drive");
    let folders = folders.replace('\\', "/");
    let report = |format: &str, path: &str| {
        let output = place.fjson_with(["validate", "--format", format, path]).output();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).expect("text")
    };
    let sarif = report("sarif", &path);
    assert!(sarif.contains(&format!("file:///{drive}:/{}", folders.replace(' ', "%20"))), "{sarif}");
    assert!(report("sarif", r".\a b.json").contains("\"a%20b.json\""));
    let github = report("github", &path);
    assert!(github.contains(&format!("file={drive}%3A/{folders},")), "{github}");
    let gitlab = report("gitlab", r".\a b.json");
    assert!(gitlab.contains("\"a b.json\"") || gitlab.contains("\"./a b.json\""), "{gitlab}");
}

#[test]
fn line_breaks_are_not_translated() {
    let place = Place::new();
    assert_eq!(place.fjson("minify --lines").stdin("1\r\n[ 2 ]\r\n").stdout(), "1\n[2]\n");
    assert_eq!(place.fjson("pretty").stdin("[1]\r\n").stdout(), "[\n  1\n]\n");
    assert_eq!(place.fjson("query -r $").stdin(r#""a\r\nb\u001a""#).stdout(), "a\r\nb\u{1a}\n");
    // Ctrl-Z does not end the input.
    assert_eq!(place.fjson("validate").stdin("1\u{1a}").status(), Some(1));
}

#[test]
fn a_file_in_use_is_replaced_when_it_is_closed() {
    let place = Place::new();
    let path = place.file("a.json", "[ 1 ]");
    let file = used(&path);
    let closing = thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        drop(file);
    });
    assert_eq!(place.fjson("minify -i a.json").stdout(), "");
    closing.join().expect("no panic");
    assert_eq!(place.read("a.json"), "[1]");
    assert_eq!(place.names(), ["a.json"]);
}

#[test]
fn a_file_that_stays_in_use_is_kept() {
    let place = Place::new();
    let path = place.file("a.json", "[ 1 ]");
    let file = used(&path);
    assert_eq!(place.fjson("minify -i a.json").status(), Some(2));
    drop(file);
    assert_eq!(place.read("a.json"), "[ 1 ]");
    assert_eq!(place.names(), ["a.json"]);
}
