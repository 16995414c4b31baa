//! `-o` and `-i`: either the old or the new file, in the right place, with the right owner.

use crate::place::Place;
use crate::place::assert_shows;
use std::fs;
use std::fs::Permissions;
#[cfg(unix)]
use std::os::unix::fs::MetadataExt;
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
#[cfg(unix)]
use std::os::unix::fs::chown;
#[cfg(unix)]
use std::os::unix::fs::symlink;

const NOBODY: u32 = 65534;

#[test]
fn a_new_file() {
    let place = Place::with_two();
    assert_eq!(place.fjson("minify -o out.json good.json").stdout(), "");
    assert_eq!(place.read("out.json"), "{\"a\":[1,2]}");
    assert_eq!(place.fjson("pretty --output out.json --tab good.json").stdout(), "");
    assert_eq!(place.read("out.json"), "{\n\t\"a\": [\n\t\t1,\n\t\t2\n\t]\n}\n");
    assert_eq!(place.names(), ["bad.json", "good.json", "out.json"]);
}

// Needs file modes.
#[cfg(unix)]
#[test]
fn the_mode_of_a_new_file_is_the_callers() {
    let place = Place::with_two();
    assert_eq!(place.shell("umask 027; $FJSON minify -o out.json good.json").stdout(), "");
    assert_eq!(fs::metadata(place.path("out.json")).expect("it is there").mode() & 0o777, 0o640);
}

#[test]
fn several_inputs_into_one_file() {
    let place = Place::with_two();
    assert_eq!(place.fjson("minify -o out good.json good.json").stdout(), "");
    assert_eq!(place.read("out"), "{\"a\":[1,2]}\n{\"a\":[1,2]}\n");
}

#[test]
fn an_error_leaves_the_old_file() {
    let place = Place::with_two();
    place.file("out.json", "old");
    assert_shows!(place.fjson("minify -o out.json good.json bad.json"));
    assert_eq!(place.read("out.json"), "old");
    assert_eq!(place.fjson("minify -o new.json bad.json").status(), Some(1));
    assert_eq!(place.fjson("minify -i bad.json").status(), Some(1));
    assert!(place.read("bad.json").contains("1 2"));
    assert_eq!(place.names(), ["bad.json", "good.json", "out.json"]);
}

#[test]
fn in_place() {
    let place = Place::with_two();
    place.file("other.json", "[ ]");
    assert_eq!(place.fjson("minify -i good.json other.json").stdout(), "");
    assert_eq!(place.read("good.json"), "{\"a\":[1,2]}");
    assert_eq!(place.read("other.json"), "[]");
    assert_eq!(place.fjson("pretty --in-place --no-mmap good.json").stdout(), "");
    assert_eq!(place.read("good.json"), "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n");
    assert_eq!(place.names(), ["bad.json", "good.json", "other.json"]);
}

#[test]
fn in_place_goes_on_after_a_bad_file() {
    let place = Place::with_two();
    assert_shows!(place.fjson("pretty -i bad.json missing.json good.json"));
    assert_eq!(place.read("good.json"), "{\n  \"a\": [\n    1,\n    2\n  ]\n}\n");
}

#[test]
fn json_lines_keep_their_lines() {
    let place = Place::with_two();
    fs::remove_file(place.path("bad.json")).expect("it was there");
    place.file("records.jsonl", "{ \"a\": 1 }\n[]\n");
    assert_shows!(place.fjson("pretty -i records.jsonl"));
    assert_eq!(place.fjson("pretty -i --lines good.json").status(), Some(2));
    assert_eq!(place.read("good.json"), "{\"a\": [1, 2]}\n");
    // In a directory they are skipped.
    assert_eq!(place.fjson("pretty -i .").stdout(), "");
    assert_eq!(place.fjson("pretty --check .").stdout(), "");
    assert_eq!(place.read("records.jsonl"), "{ \"a\": 1 }\n[]\n");
    assert_eq!(place.fjson("pretty -i -g *.jsonl .").status(), Some(2));
    assert_eq!(place.fjson("minify -i .").stdout(), "");
    assert_eq!(place.read("records.jsonl"), "{\"a\":1}\n[]\n");
}

// Needs inodes.
#[cfg(unix)]
#[test]
fn a_file_that_would_not_change_is_not_touched() {
    let place = Place::new();
    for (command, text) in [("minify", "[1]"), ("pretty", "[\n  1\n]\n")] {
        let path = place.file("same.json", text);
        let before = fs::metadata(&path).expect("it is there").ino();
        assert_eq!(place.fjson(&format!("{command} -i same.json")).stdout(), "");
        assert_eq!(fs::metadata(&path).expect("it is there").ino(), before);
    }
}

// Needs symbolic links.
#[cfg(unix)]
#[test]
fn links_are_followed() {
    let place = Place::new();
    place.file("real/a.json", "[ 1 ]");
    symlink("real/a.json", place.path("inner")).expect("a link");
    symlink("inner", place.path("outer")).expect("a link");
    symlink("real/new.json", place.path("dangling")).expect("a link");
    assert_eq!(place.fjson("minify -i outer").stdout(), "");
    assert_eq!(place.read("real/a.json"), "[1]");
    assert_eq!(place.fjson("minify -o dangling real/a.json").stdout(), "");
    assert_eq!(place.read("real/new.json"), "[1]");
    for link in ["inner", "outer", "dangling"] {
        assert!(fs::symlink_metadata(place.path(link)).expect("it is there").is_symlink());
    }
    assert_eq!(Place::names_in(&place.path("real")), ["a.json", "new.json"]);
}

// Needs inodes.
#[cfg(unix)]
#[test]
fn mode_and_owner_are_kept() {
    let place = Place::new();
    let path = place.file("a.json", "[ 1 ]");
    fs::set_permissions(&path, Permissions::from_mode(0o604)).expect("the mode is set");
    // Only root may give files away; other users keep their own.
    let is_root = chown(&path, Some(NOBODY), Some(NOBODY)).is_ok();
    let before = fs::metadata(&path).expect("it is there");
    assert_eq!(place.fjson("minify -i a.json").stdout(), "");
    let after = fs::metadata(&path).expect("it is there");
    assert_ne!(before.ino(), after.ino());
    assert_eq!(after.mode() & 0o7777, 0o604);
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert!(!is_root || after.uid() == NOBODY);
}

// Needs extended attributes.
#[cfg(unix)]
#[test]
fn extended_attributes_are_kept() {
    let place = Place::new();
    let path = place.file("a.json", "[ 1 ]");
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(&path, "user.origin", b"test", flags).is_err() {
        return; // a file system without extended attributes
    }
    assert_eq!(place.fjson("minify -i a.json").stdout(), "");
    let mut value = [0; 16];
    let length = rustix::fs::getxattr(&path, "user.origin", &mut value).expect("the attribute is there");
    assert_eq!(&value[..length], b"test");
}

#[test]
fn hard_links_are_refused() {
    let place = Place::new();
    let path = place.file("a.json", "[ 1 ]");
    fs::hard_link(path, place.path("b.json")).expect("a link");
    assert_shows!(place.fjson("minify -i a.json"));
    assert_eq!(place.read("b.json"), "[ 1 ]");
    // One that would not change is not touched.
    assert_eq!(place.fjson("pretty -i --indent 1 a.json").status(), Some(2));
    place.file("a.json", "[1]");
    assert_eq!(place.fjson("minify -i a.json b.json").status(), Some(0));
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn only_regular_files_are_edited_in_place() {
    assert_shows!(Place::new().fjson("minify -i").stdin("[1]"));
    assert_shows!(Place::new().fjson("minify -i /dev/null"));
    let redirected = Place::with_two().shell("$FJSON minify -i < good.json").shown();
    assert_eq!(redirected, Place::new().fjson("minify -i").stdin("[1]").shown());
}

// Needs symbolic links.
#[cfg(unix)]
#[test]
fn an_input_is_not_an_output() {
    let place = Place::with_two();
    symlink("good.json", place.path("link")).expect("a link");
    assert_shows!(place.fjson("minify -o good.json good.json"));
    assert_eq!(place.fjson("minify -o link good.json").status(), Some(2));
    assert_eq!(place.shell("$FJSON minify good.json >> good.json").status(), Some(2));
    assert_eq!(place.read("good.json"), "{\"a\": [1, 2]}\n");
    // The shell has truncated the file before the program starts.
    assert_shows!(place.shell("$FJSON minify good.json > good.json"));
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn devices_and_pipes_are_written_to() {
    let place = Place::with_two();
    assert_eq!(place.fjson("minify -o /dev/null good.json").stdout(), "");
    assert_eq!(place.shell("$FJSON minify -o /dev/stdout good.json | cat").stdout(), "{\"a\":[1,2]}");
    // A file that another program has open is written to like a pipe.
    for (path, descriptor) in [("/dev/stderr", 2), ("/dev/fd/2", 2), ("/dev/fd/3", 3), ("/dev/stdout", 1)] {
        let line = format!("{{ echo a >&{descriptor}; $FJSON minify -o {path} good.json; echo b >&{descriptor}; }}");
        let shown = place.shell(&format!("{line} {descriptor}>> log; cat log; rm log"));
        assert_eq!(shown.stdout(), "a\n{\"a\":[1,2]}b\n", "{path}");
    }
    // What others write to it afterwards follows, too.
    for path in ["/dev/stderr", "/dev/fd/2"] {
        let line = format!("{{ echo a >&2; $FJSON minify -o {path} good.json; echo b >&2; }} 2> log; cat log");
        assert_eq!(place.shell(&line).stdout(), "a\n{\"a\":[1,2]}b\n", "{path}");
    }
}

#[test]
#[cfg_attr(windows, ignore = "the system has other words for a directory")]
fn outputs_that_cannot_be() {
    let place = Place::with_two();
    place.file("directory/file", "");
    assert_shows!(place.fjson("minify -o directory good.json"));
    assert_shows!(place.fjson("minify -o missing/out.json good.json"));
}
