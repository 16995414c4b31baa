//! Inputs that are not JSON, or have something around it: the message names what they are, and the command in the help works.

use crate::place::Place;

/// An input, what the message names it, and whether the command in the help makes JSON of it.
const INPUTS: [(&str, &str, bool); 27] = [
    ("Nov 25 16:43:01 web app[7]: {\"a\":1}\nNov 25 16:43:02 web app[7]: {\"a\":2}\n", "text before the JSON", true),
    ("INFO {\"a\":1}\nINFO {\"a\":2}\n", "text before the JSON", true),
    ("INFO: [{\"a\":1}]\n", "text before the JSON", true),
    ("2026-01-01T00:00:00Z {\"a\":1}\n2026-01-01T00:00:01Z {\"a\":2}\n", "text before the JSON", true),
    ("12:00:59 {\"a\":1}\n", "text before the JSON", true),
    ("[main] INFO [x] - {\"a\":[1]}\n", "text before the JSON", true),
    ("[INFO] {\"a\":1}\n[WARN] {\"a\":2}\n", "text before the JSON", true),
    ("[2026-01-01 00:00:00] {\"a\":1}\n", "text before the JSON", true),
    ("web_1  | {\"a\":1}\nweb_1  | {\"a\":2}\n", "text before the JSON", true),
    ("Warning: no cache in a.php on line 3\n{\n  \"a\": [1,\n  2]\n}\n", "text before the JSON", true),
    ("starting up\n[1, 2]\n", "text before the JSON", true),
    ("result {\n  \"a\": 1\n}\n", "text before the JSON", true),
    ("> build\n> node x.js\n\n{\"a\":1}\n", "text before the JSON", true),
    ("HTTP/1.1 200 OK\r\nServer: x\r\n\r\n{\"a\":1}\n", "the header of an HTTP response", true),
    ("```json\n{\"a\":1}\n```\n", "a Markdown code fence", true),
    ("Here it is:\n\n```json\n{\n  \"a\": 1\n}\n```\nThat is all.\n", "a Markdown code fence", true),
    ("window.YTD.tweets.part0 = [ {\n  \"a\" : 1\n} ]\n", "an assignment of JavaScript", true),
    ("const a = {\"a\":1};\n", "an assignment of JavaScript", true),
    ("callback({\"a\":1});\n", "JSONP", true),
    ("data: {\"a\":1}\n\ndata: {\"a\":2}\n\ndata: [DONE]\n", "server-sent events", true),
    ("event: add\ndata: [1]\n\n", "server-sent events", true),
    (")]}',\n{\"a\":1}\n", "keeps browsers from running", true),
    (")]}',{\"a\":1}\n", "keeps browsers from running", true),
    ("for(;;);{\"a\":1}\n", "keeps browsers from running", true),
    ("eyJhIjoxfQ==\n", "base64", true),
    ("eyJhbGciOiJub25lIn0.eyJhIjoxfQ.\n", "a JSON Web Token", false),
    ("error: not found\n", "looks like a log", false),
];

#[test]
fn text_between_documents_is_not_removed_with_those_before_it() {
    let place = Place::new();
    let validate = |text: &str| {
        let output = place.fjson("validate --stream").stdin(text).output();
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(validate("hello\n{\"a\":1}\n").contains("= help: remove it, for example with `sed"));
    assert!(validate("{\"a\":1}\nhello\n{\"a\":2}\n").contains("= help: remove it\n"));
}

#[test]
#[cfg_attr(windows, ignore = "needs a shell")]
fn are_named_and_the_help_works() {
    for (input, name, works) in INPUTS {
        let place = Place::new();
        place.file("in", input);
        let output = place.fjson("validate in").output();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(name), "{input:?}: {message}");
        assert_eq!(output.status.code(), Some(1), "{input:?}");
        if !works {
            continue;
        }
        let help = message.lines().find_map(|line| line.split_once("= help: ")).expect("help").1;
        let command = help.find("`sed").or(help.find("`base64")).map(|start| &help[start + 1..]).expect(help);
        let end = command.rfind('`').expect("the end of the command");
        // An option may follow in backquotes.
        let command = command[..end].split("` ").next().unwrap_or_default().split("`,").next().unwrap_or_default();
        let lines = if help.contains("JSON Lines") { "--lines" } else { "" };
        let run = place.shell(&format!("{command} in | $FJSON validate {lines}")).output();
        assert!(run.status.success(), "{input:?}: {command}: {}", String::from_utf8_lossy(&run.stderr));
        let printed = place.shell(&format!("{command} in | $FJSON minify {lines}")).stdout();
        assert!(!printed.is_empty(), "{input:?}: {command} removes everything");
        if let Some((_, option)) = help.split_once("skipped").and_then(|(_, end)| end.split_once("(`")) {
            assert_eq!(place.fjson(&format!("minify {} in", option.trim_end_matches("`)"))).stdout(), printed);
        }
        // A document on several lines, or after brackets like its own, cannot be told from what precedes it.
        let can_skip = !help.contains("JSON Lines") || name != "text before the JSON" || help.contains("--skip-prefix");
        assert!(can_skip, "{input:?}: {help}");
    }
}

#[test]
fn lines_that_are_not_json_can_be_skipped() {
    let place = Place::new();
    place.file("log", "Nov 25 16:43:01 started\n{\"a\":1}\nINFO stopped\n");
    let message = String::from_utf8_lossy(&place.fjson("validate --lines log").output().stderr).into_owned();
    assert_eq!(message.matches("can be skipped (`fjson query --lines --skip-bad`)").count(), 2, "{message}");
    let output = place.fjson_with(["query", "--lines", "--skip-bad", "$.a", "log"]).output();
    assert_eq!((output.stdout.as_slice(), output.status.code()), (&b"1\n"[..], Some(0)));
}

#[test]
fn byte_order_marks_are_named_and_the_option_works() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    for (input, name) in [
        (b"\xEF\xBB\xBF[1]\n".to_vec(), "a byte order mark"),
        (b"\xFF\xFE".iter().copied().chain(utf16("[1]\r\n")).collect(), "the byte order mark of UTF-16LE"),
        (b"\xFE\xFF\0[\x001\0]".to_vec(), "the byte order mark of UTF-16BE"),
        (b"\xFF\xFE\0\0[\0\0\x001\0\0\0]\0\0\0".to_vec(), "the byte order mark of UTF-32LE"),
    ] {
        let place = Place::new();
        let message = |command: &str| {
            let output = place.fjson(command).stdin(input.clone()).output();
            assert_eq!(output.status.code(), Some(1), "{command}");
            String::from_utf8_lossy(&output.stderr).into_owned()
        };
        for command in ["validate", "minify", "pretty", "stats", "query $", "gzip"] {
            let message = message(command);
            let help = message.lines().find_map(|line| line.split_once("= help: ")).expect("help").1;
            assert!(message.contains(name), "{command}: {message}");
            let option = help.rsplit_once("(`").expect(help).1.trim_end_matches("`)");
            let run = place.fjson(&format!("{command} {option}")).stdin(input.clone()).output();
            assert!(run.status.success(), "{command} {option}: {}", String::from_utf8_lossy(&run.stderr));
        }
    }
}

#[test]
fn data_that_is_not_text_is_named() {
    let inputs: [(&[u8], &str); 13] = [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "found a PNG image"),
        (b"\xFF\xD8\xFF\xE0\0\x10JFIF", "found a JPEG image"),
        (b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n", "found a PDF document"),
        (b"\x7FELF\x02\x01\x01\0\0\0\0\0", "found an ELF program"),
        (b"SQLite format 3\0\x10\0", "found an SQLite database"),
        (b"PAR1\x15\x04\x15", "found a Parquet file"),
        (b"\x5D\0\0\x80\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\0\x3D", "found lzma data"),
        (b"\x1F\x9D\x90\x7B\x44\xC2", "found compress (.Z) data"),
        (b"7z\xBC\xAF\x27\x1C\0\x04", "found 7z data"),
        (b"PK\x03\x04\x14\0\0\0", "found zip data"),
        // As Node.js compresses a short and a longer document with brotli, with several sizes of the window.
        (b"\x0B\x03\x80{\"a\":1}\x03", "may be compressed with brotli"),
        (b"\x1B\x52\0\xF8\x1D\x07\x76\x4C", "may be compressed with brotli"),
        (b"\x21\x18\0\x04{\"a\":1}\x03", "may be compressed with brotli"),
    ];
    for (input, name) in inputs {
        let place = Place::new();
        place.file("in", input);
        for line in ["validate in", "validate --no-mmap in", "pretty in"] {
            let output = place.fjson(line).output();
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(message.contains(name), "{}: {message}", input.escape_ascii());
            assert_eq!(output.status.code(), Some(1));
            assert!(output.stdout.is_empty());
        }
    }
}

#[test]
fn placeholders_are_named() {
    for (input, name) in [
        ("{\"a\": ${X}}", "the placeholder `${X}`"),
        ("{\"a\": $X}", "the placeholder `$X`"),
        ("{\"a\": %X%}", "the placeholder `%X%`"),
        ("[<%= x %>]", "the placeholder `<%= x %>`"),
        ("{${X}: 1}", "the placeholder `${X}`"),
        ("{\"a\": {{x}}}", "found `{{`"),
    ] {
        let place = Place::new();
        place.file("in", input);
        let message = String::from_utf8_lossy(&place.fjson("validate in").output().stderr).into_owned();
        assert!(message.contains(name) && message.contains("template"), "{input}: {message}");
    }
}
