//! The library from a user's point of view: what its types promise, and its edge cases.

#![forbid(unsafe_code)]

use std::error::Error as _;
use std::io;
use std::io::Read as _;
use std::io::Write;
use std::ops::ControlFlow;

use fjson::Error;
use fjson::ErrorKind;
use fjson::Framing;
use fjson::Input;
use fjson::Isa;
use fjson::Layout;
use fjson::Options;
use fjson::Summary;

#[test]
fn types_cross_threads() {
    fn crosses<T: Send + Sync>() {}
    crosses::<Error>();
    crosses::<ErrorKind>();
    crosses::<Framing>();
    crosses::<Isa>();
    crosses::<Layout>();
    crosses::<Options>();
    crosses::<Summary>();
}

/// An error says nothing twice, however its sources are printed.
#[test]
fn errors_of_edits_are_not_their_own_source() {
    let mut edits = fjson::Edits::new();
    edits.delete("/a").expect("a path");
    let error = edits.apply("{}", &mut Vec::new(), &Options::new()).expect_err("no member");
    assert!(!error.to_string().is_empty() && error.source().is_none());
}

/// The trait has no method that another type of the caller has, too.
#[test]
fn a_scalar_keeps_its_own_methods() {
    use fjson::Scalar;

    fn text(value: &impl Scalar) -> Vec<u8> {
        let mut writer = fjson::Writer::new(Vec::new());
        writer.value(value);
        writer.finish().expect("a value")
    }
    let mut word = String::from("a");
    word.push('b');
    assert_eq!(text(&word), b"\"ab\"");
}

#[test]
fn defaults() {
    assert_eq!(format!("{:?}", Options::default()), format!("{:?}", Options::new()));
    assert_eq!(Framing::default(), Framing::Document);
    assert_eq!(Isa::default(), Isa::detect());
    assert_eq!(Layout::default(), Layout::spaces(2));
    let deep = ["[".repeat(100_000), "]".repeat(100_000)].concat();
    assert!(fjson::validate(&*deep, &Options::new()).is_ok(), "no limit of depth");
}

#[test]
fn inputs() {
    let options = Options::new();
    let bytes = b"[1]".to_vec();
    let summaries = [
        fjson::validate("[1]", &options),
        fjson::validate(&bytes, &options),
        fjson::validate(&bytes[..], &options),
        fjson::validate(Input::from_reader(&bytes[..]), &options),
    ];
    for summary in summaries {
        let summary = summary.expect("valid");
        assert_eq!((summary.documents, summary.invalid, summary.bytes), (1, 0, 3));
    }
}

#[test]
fn an_error_says_where_and_what() {
    let error = fjson::validate("{\n  \"a\": [1, 2,]\n}", &Options::new()).expect_err("a trailing comma");
    assert_eq!((error.kind(), error.offset()), (ErrorKind::ExpectedValue, 15));
    let position = error.position().expect("a position");
    assert_eq!((position.line, position.column), (2, 14));
    assert_eq!(error.pointer(), Some("/a"));
    assert_eq!(error.record(), None);
    let message = error.to_string();
    assert!(message.starts_with(char::is_lowercase) && !message.ends_with('.'), "{message}");
}

#[test]
fn bad_records_are_handed_on() {
    let options = Options::new().framing(Framing::Lines);
    let text = "1\n{\n\n[2\n3\n";
    let mut records = Vec::new();
    let summary = fjson::validate_each(text, &options, &mut |error| {
        records.push(error.record());
        ControlFlow::Continue(())
    });
    let summary = summary.expect("nothing but bad records");
    assert_eq!((summary.documents, summary.invalid, summary.bytes), (4, 2, text.len() as u64));
    assert_eq!(records, [Some(2), Some(3)]);

    let mut count = 0;
    let stopped = fjson::validate_each(text, &options, &mut |_| {
        count += 1;
        ControlFlow::Break(())
    });
    assert_eq!((count, stopped.expect("stopped").invalid), (1, 1));
    assert_eq!(fjson::validate(text, &options).expect_err("the first one").record(), Some(2));
}

/// A failing reader is not an invalid document.
#[test]
fn read_errors() {
    struct Broken;
    impl io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let input = Input::from_reader(b"[1, 2".chain(Broken));
    let error = fjson::validate(input, &Options::new()).expect_err("cannot be read");
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(error.source().expect("a cause").to_string(), "unplugged");
}

/// A sink that fails at any byte is reported, however small the output.
#[test]
fn write_errors() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.0);
            self.0 -= count;
            if count == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(count) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (options, text) = (Options::new(), "[1, {\"a\": \"b\"}]");
    let mut minified = Vec::new();
    fjson::minify(text, &mut minified, &options).expect("valid");
    for room in 0..minified.len() {
        let error = fjson::minify(text, Full(room), &options).expect_err("no room");
        assert_eq!(error.kind(), ErrorKind::Io);
        let error = fjson::pretty(text, Full(room), &Layout::tab(), &options).expect_err("no room");
        assert_eq!(error.kind(), ErrorKind::Io);
    }
    fjson::minify(text, Full(minified.len()), &options).expect("just enough room");
}

#[test]
fn kernels_are_named() {
    for isa in Isa::available() {
        assert_eq!(isa.name().parse(), Ok(isa));
        assert_eq!(isa.to_string(), isa.name());
        assert!(isa.is_available());
    }
    assert!("quantum".parse::<Isa>().is_err());
}

/// Settings that a function has no use for do what the table of `Options` says: nothing.
#[test]
fn settings_without_use_change_nothing() {
    let text = "{\"b\": \"\u{e9}\", \"a\": [1]}";
    let plain = Options::new();
    let all = plain.clone().escape(fjson::scalar::Escape::minimal().ascii()).sort_keys(true).threads(4);
    assert_eq!(fjson::validate(text, &all).ok(), fjson::validate(text, &plain).ok());
    let canonical = |options: &Options| {
        let mut sink = Vec::new();
        fjson::canonical(text, &mut sink, options).map(|_| sink).ok()
    };
    assert_eq!(canonical(&all), canonical(&plain));
    assert_eq!(canonical(&plain).as_deref(), Some("{\"a\":[1],\"b\":\"\u{e9}\"}".as_bytes()));
    let indexed = |options: &Options| {
        let mut positions = Vec::new();
        fjson::index(text, &mut |batch| positions.extend_from_slice(batch.positions), options).map(|_| positions).ok()
    };
    assert_eq!(indexed(&all), indexed(&plain));
    // Where they have a use, they do something.
    let minified = |options: &Options| {
        let mut sink = Vec::new();
        fjson::minify(text, &mut sink, options).map(|_| sink).ok()
    };
    assert_eq!(minified(&all).as_deref(), Some(&br#"{"a":[1],"b":"\u00e9"}"#[..]));
    assert_eq!(fjson::minified_difference("{\"a\":[1],\"b\":\"\\u00e9\"}", &all).ok(), Some(None));
    // Each text of a parser is one document.
    for framing in [Framing::Lines, Framing::Stream, Framing::Documents, Framing::Sequence] {
        let mut parser = fjson::Parser::with_options(&plain.clone().framing(framing));
        assert_eq!(parser.document(b"1\n").map(|document| document.as_u64()).ok(), Some(Some(1)));
        assert!(parser.document(b"1\n2").is_err(), "{framing:?}");
    }
}
