//! Outputs that fail never look like success: full disks, closed streams, limits, readers that leave.

use crate::place::Place;
use crate::place::assert_shows;

/// Long enough to be written in pieces.
fn long_array() -> String {
    format!("[{}1]", "1234567, ".repeat(400_000))
}

fn place() -> Place {
    let place = Place::with_two();
    place.file("long.json", long_array());
    place
}

#[test]
fn a_full_device_is_trouble_for_small_and_large_outputs() {
    let place = place();
    assert_shows!(place.shell("$FJSON minify good.json > /dev/full"));
    for command in [
        "minify long.json",
        "pretty good.json",
        "pretty long.json",
        "pretty --check good.json",
        "validate --format json good.json",
        "validate --format junit bad.json",
        "completions zsh",
        "--version",
        "--help",
        "validate --help",
    ] {
        let output = place.shell(&format!("$FJSON {command} > /dev/full")).output();
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "<stdout>: error: no space left on device\n", "{command}");
    }
}

#[test]
fn a_full_device_as_output_file_is_trouble() {
    assert_shows!(place().fjson("minify -o /dev/full good.json"));
}

#[test]
fn a_closed_output_is_trouble() {
    let place = place();
    assert_shows!(place.shell("$FJSON minify good.json >&-"));
    for command in ["pretty good.json", "validate --format json good.json", "completions bash", "--version", "--help"] {
        assert_eq!(place.shell(&format!("$FJSON {command} >&-")).status(), Some(2), "{command}");
    }
    assert_eq!(place.shell("$FJSON validate good.json >&-").status(), Some(0));
    assert_eq!(place.shell("$FJSON minify -o out good.json >&-").status(), Some(0));
}

#[test]
fn a_closed_input_is_trouble() {
    assert_shows!(place().shell("$FJSON validate <&-"));
}

#[test]
fn a_closed_or_full_standard_error_keeps_the_status() {
    let place = place();
    assert_eq!(place.shell("$FJSON validate bad.json 2>&-").status(), Some(1));
    assert_eq!(place.shell("$FJSON validate good.json 2>&-").status(), Some(0));
    assert_eq!(place.shell("$FJSON validate bad.json 2>/dev/full").status(), Some(2));
}

#[test]
fn the_file_size_limit_is_reported() {
    let place = place();
    assert_shows!(place.shell("ulimit -f 8; $FJSON minify long.json > out"));
    assert_shows!(place.shell("ulimit -f 8; $FJSON minify -o limited long.json"));
    assert!(!place.names().contains(&String::from("limited")));
}

#[test]
fn a_reader_that_leaves_ends_the_program_silently() {
    let place = place();
    // The status of the first command of the pipeline, as the shell sees it.
    let through = |command: &str| place.shell(&format!("{{ {command}; echo $? >&3; }} 3>status | true; cat status"));
    for command in ["$FJSON minify long.json", "$FJSON pretty long.json", "$FJSON pretty --lines long.json"] {
        let command = format!("sleep 0.2; {command}");
        assert_eq!(through(&command).stdout(), "141\n", "{command}");
    }
    let diagnostics = "sleep 0.2; $FJSON validate bad.json bad.json 2>&1";
    assert_eq!(through(diagnostics).stdout(), "141\n");
}

#[test]
fn memory_is_not_the_limit() {
    let place = place();
    let run = place.shell("ulimit -v 1000000; $FJSON minify --no-mmap < long.json | cksum");
    assert_eq!(run.stdout(), place.shell("$FJSON minify long.json | cksum").stdout());
}

/// The reader of a long output shall not wait for each 64 KiB; a short one asks for nothing.
#[test]
#[cfg(target_os = "linux")]
fn a_pipe_is_made_larger_for_long_outputs() {
    use rustix::pipe::fcntl_getpipe_size;
    use std::fs::File;
    use std::io::Read;
    use std::process::Command;

    let place = place();
    for (name, is_long) in [("long.json", true), ("good.json", false)] {
        let (reader, writer) = rustix::pipe::pipe().expect("a pipe");
        let before = fcntl_getpipe_size(&reader).expect("it has a size");
        let allowed = {
            let (other, _writer) = rustix::pipe::pipe().expect("a pipe");
            rustix::pipe::fcntl_setpipe_size(&other, 1 << 20).unwrap_or(before)
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_fjson"))
            .args(["minify", name])
            .current_dir(place.path("."))
            .stdout(writer)
            .spawn()
            .expect("starts");
        let mut output = Vec::new();
        let mut file = File::from(reader);
        file.read_to_end(&mut output).expect("reads");
        assert!(child.wait().expect("ends").success());
        let after = fcntl_getpipe_size(&file).expect("it has a size");
        assert_eq!(after, if is_long { before.max(allowed) } else { before }, "{name}");
    }
}
