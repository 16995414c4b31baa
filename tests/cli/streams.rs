//! Failing outputs never look like success: full disks, closed streams, limits, readers that exit.

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
fn a_full_device_gives_status_2_for_small_and_large_outputs() {
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
fn a_full_device_as_output_file_gives_status_2() {
    assert_shows!(place().fjson("minify -o /dev/full good.json"));
}

#[test]
fn a_closed_output_gives_status_2() {
    let place = place();
    assert_shows!(place.shell("$FJSON minify good.json >&-"));
    for command in ["pretty good.json", "validate --format json good.json", "completions bash", "--version", "--help"] {
        assert_eq!(place.shell(&format!("$FJSON {command} >&-")).status(), Some(2), "{command}");
    }
    assert_eq!(place.shell("$FJSON validate good.json >&-").status(), Some(0));
    assert_eq!(place.shell("$FJSON minify -o out good.json >&-").status(), Some(0));
}

#[test]
fn a_closed_input_gives_status_2() {
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
    // The status of the first command of the pipeline, as reported by the shell.
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

/// The other end of a pipe should not wait for each 64 KiB; for short inputs and outputs the pipe is not enlarged.
#[test]
#[cfg(target_os = "linux")]
fn pipes_are_made_larger_if_much_goes_through_them() {
    use crate::place::FJSON;
    use rustix::pipe::PipeFlags;
    use rustix::pipe::fcntl_getpipe_size;
    use rustix::pipe::fcntl_setpipe_size;
    use rustix::pipe::pipe_with;
    use std::fs::File;
    use std::io::Read;
    use std::io::Write;
    use std::process::Command;
    use std::thread;

    let pipe = || pipe_with(PipeFlags::CLOEXEC).expect("a pipe");
    let (other, _writer) = pipe();
    let usual = fcntl_getpipe_size(&other).expect("it has a size");
    let allowed = fcntl_setpipe_size(&other, 1 << 20).unwrap_or(usual);
    for (text, expected) in [(long_array(), usual.max(allowed)), (String::from("[1]"), usual)] {
        let (input, feed) = pipe();
        let (result, output) = pipe();
        let kept = input.try_clone().expect("another handle");
        let mut child = Command::new(FJSON).arg("minify").stdin(input).stdout(output).spawn().expect("starts");
        let feed = thread::spawn(move || File::from(feed).write_all(text.as_bytes()));
        let mut result = File::from(result);
        result.read_to_end(&mut Vec::new()).expect("reads");
        feed.join().expect("ends").expect("writes");
        assert!(child.wait().expect("ends").success());
        assert_eq!(fcntl_getpipe_size(&kept).expect("it has a size"), expected, "input");
        assert_eq!(fcntl_getpipe_size(&result).expect("it has a size"), expected, "output");
    }
}

/// A name of standard output is standard output, so what was appended to stays.
#[test]
#[cfg(unix)]
fn standard_output_by_name() {
    let place = Place::with_two();
    place.file("log", "old\n");
    assert_eq!(place.shell("$FJSON minify good.json -o /dev/stdout >> log").status(), Some(0));
    assert_eq!(place.read("log"), "old\n{\"a\":[1,2]}");
}
