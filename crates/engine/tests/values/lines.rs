//! Values from NDJSON: the same as reading line by line, whatever the windows, the threads and the kind of input.

use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::borrowed_lines;
use fjson::lines;
use fjson::parallel_lines;
use proof::check::kernels;
use proof::generate;
use proof::mutate;
use proof::pieces::Pieces;
use proof::random::Random;
use proof::random::rounds;
use serde::Deserialize;
use serde::Deserializer;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(untagged)]
enum Record {
    Number(i64),
    Named { id: u8 },
    Array(Vec<Value>),
}

/// A value, or what is compared of an error: message, offset, line, column, record and pointer.
type Outcome<T> = Result<T, (String, u64, Option<u64>, Option<u64>, Option<u64>, Option<String>)>;

fn outcome<T>(result: Result<T, Error>) -> Outcome<T> {
    result.map_err(|error| {
        let pointer = error.pointer().map(str::to_owned);
        (error.to_string(), error.offset(), error.line(), error.column(), error.record(), pointer)
    })
}

fn text(random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..random.below(60) {
        match random.below(8) {
            0 => text.extend(generate::document(random, 200).into_iter().filter(|&byte| byte != b'\n')),
            1 => {
                let mut line = generate::document(random, 60);
                mutate::mutate(random, &mut line);
                text.extend(line);
            }
            2 => text.extend_from_slice(b" \r"),
            3 => text.extend_from_slice(b"{\"id\": 300}"),
            4 => text.extend_from_slice(b"[\"\\u0041\", {\"id\": [1]}] "),
            5 => text.extend_from_slice(b"-17"),
            _ => text.extend_from_slice(b"{\"id\": 30, \"skipped\": [{}, \"\\\"\"]}"),
        }
        text.push(b'\n');
    }
    if random.one_in(2) {
        text.pop();
    }
    text
}

/// The expected results: each line alone, in a scan that finds invalid lines.
fn expected(text: &[u8]) -> Vec<Option<Record>> {
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.iter().all(|byte| b" \t\r".contains(byte)));
    lines.map(|line| if fjson::is_valid(line) { serde_json::from_slice(line).ok() } else { None }).collect()
}

#[test]
fn lines_are_read_one_by_one() {
    rounds(320, |random| {
        let text = text(random);
        let expected = expected(&text);
        let all: Vec<_> = lines::<Record>(&text, &Options::new()).map(outcome).collect();
        assert_eq!(all.iter().map(|value| value.as_ref().ok().cloned()).collect::<Vec<_>>(), expected);
        for &isa in kernels() {
            let options = Options::new().isa(isa).window(random.below(500)).threads(1 + random.below(3));
            let in_windows: Vec<_> = lines::<Record>(&text, &options).map(outcome).collect();
            assert_eq!(in_windows, all);
            let borrowed: Vec<_> = borrowed_lines::<Record>(&text, &options).map(outcome).collect();
            assert_eq!(borrowed, all);
            let size = 1 + random.below(300);
            let in_pieces: Vec<_> =
                lines::<Record>(Input::from_reader(Pieces::new(&text, std::iter::repeat(size))), &options)
                    .map(outcome)
                    .collect();
            assert_eq!(in_pieces, all);
            let on_threads: Vec<_> = parallel_lines::<Record>(&text, &options).map(outcome).collect();
            assert_eq!(on_threads, all);
        }
    });
}

/// An invalid line has the error that validation gives it.
#[test]
fn errors_are_those_of_validation() {
    rounds(1_900, |random| {
        let text = text(random);
        let mut errors = Vec::new();
        let options = Options::new().framing(Framing::Lines).unique_keys(random.one_in(3));
        fjson::validate_each(&text, &options, &mut |error| {
            errors.push(outcome::<()>(Err(error)));
            std::ops::ControlFlow::Continue(())
        })
        .expect("memory");
        let found: Vec<_> = lines::<IgnoredAny>(&text, &options.window(random.below(300)))
            .filter_map(Result::err)
            .map(|error| outcome::<()>(Err(error)))
            .collect();
        assert_eq!(found, errors, "{}", text.escape_ascii());
    });
}

/// What is borrowed is in the text of the input, also where the window has an invalid line.
#[test]
fn records_borrow_from_the_text() {
    let text = b"[\"a\"]\n{]\n[\"b\", \"c\"]\n\n\"d\"\n[\"e\"]";
    for window in [1, 20, 1000] {
        let records = borrowed_lines::<Vec<&str>>(text, &Options::new().window(window));
        let (records, errors): (Vec<_>, Vec<_>) = records.partition(Result::is_ok);
        let strings: Vec<_> = records.into_iter().flatten().flatten().collect();
        assert_eq!(strings, ["a", "b", "c", "e"]);
        let offsets = strings.iter().map(|string| string.as_ptr().addr() - text.as_ptr().addr());
        assert_eq!(offsets.collect::<Vec<_>>(), [2, 11, 16, 27]);
        let lines: Vec<_> = errors.into_iter().filter_map(|error| error.err()?.line()).collect();
        assert_eq!(lines, [2, 5]);
    }
}

/// Nothing is read before it is asked for, except for the check of a window.
#[test]
fn one_record_is_read_at_a_time() {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    struct Counted;
    impl<'de> Deserialize<'de> for Counted {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            COUNT.fetch_add(1, Relaxed);
            IgnoredAny::deserialize(deserializer).map(|_| Self)
        }
    }
    let mut records = lines::<Counted>("1\n2\n3\n", &Options::new());
    assert!(records.next().is_some_and(|record| record.is_ok()));
    assert_eq!(COUNT.load(Relaxed), 1);
    assert_eq!((records.count(), COUNT.load(Relaxed)), (2, 3));
}

#[test]
fn an_error_of_reading_ends_the_lines() {
    let mut values = lines::<u8>(Input::from_reader(std::fs::File::open(".").expect("a folder")), &Options::new());
    assert_eq!(values.next().expect("an error").expect_err("a folder is no file").kind(), fjson::ErrorKind::Io);
    assert!(values.next().is_none());
    let long = format!("1\n[{}]\n", " ".repeat(5000));
    let mut values = lines::<Value>(
        Input::from_reader(Pieces::new(long.as_bytes(), std::iter::repeat(100))),
        &Options::new().max_memory(1000).window(1),
    );
    assert!(values.next().is_some_and(|value| value.is_ok()));
    assert_eq!(values.next().expect("an error").expect_err("too long").kind(), fjson::ErrorKind::MemoryLimit);
    assert!(values.next().is_none());
}

/// After the end and after an error of reading there are no more values, whatever the last window had.
#[test]
fn lines_end_once() {
    struct Failing(&'static [u8]);
    impl std::io::Read for Failing {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0 {
                [] => Err(std::io::Error::other("gone")),
                _ => self.0.read(buffer),
            }
        }
    }
    for text in ["[1,]\n", "1\n[2]\n3\n", "1\n[]", "1\n2\n"] {
        let mut values = lines::<u8>(text, &Options::new());
        assert_eq!(values.by_ref().count(), text.lines().count(), "{text:?}");
        assert!(values.next().is_none() && values.next().is_none());
        let (input, options) = (|| Input::from_reader(Failing(text.as_bytes())), Options::new().threads(2).window(2));
        let one_by_one = Box::new(lines::<u8>(input(), &Options::new()));
        let on_threads = Box::new(parallel_lines::<u8>(input(), &options));
        for mut values in [one_by_one as Box<dyn Iterator<Item = Result<u8, Error>>>, on_threads] {
            let last = values.by_ref().last().expect("an error");
            assert_eq!(last.expect_err("it fails").kind(), fjson::ErrorKind::Io, "{text:?}");
            assert!(values.next().is_none());
        }
    }
}

/// The recursion limit holds in windows with and without invalid lines.
#[test]
fn the_recursion_limit_can_be_set() {
    let tower = |levels| "[".repeat(levels) + &"]".repeat(levels);
    for invalid in ["0", "]"] {
        let text = [tower(3), tower(4), invalid.to_owned(), tower(128), tower(129), tower(200)].join("\n");
        let options = Options::new().threads(2);
        for (limit, expected) in [(None, 129), (Some(3), 4), (Some(128), 129), (Some(150), 200), (Some(1000), 201)] {
            let levels = limit.unwrap_or(128);
            let plain = lines::<Value>(&text, &options).recursion_limit(levels).map(outcome).collect::<Vec<_>>();
            let borrowed = borrowed_lines::<Value>(text.as_bytes(), &options).recursion_limit(levels).map(outcome);
            assert_eq!(borrowed.collect::<Vec<_>>(), plain);
            let parallel = parallel_lines::<Value>(&text, &options).recursion_limit(levels).map(outcome);
            assert_eq!(parallel.collect::<Vec<_>>(), plain);
            if limit.is_none() {
                assert_eq!(lines::<Value>(&text, &options).map(outcome).collect::<Vec<_>>(), plain);
            }
            let are_read = [3, 4, 0, 128, 129, 200].map(|levels| levels < expected && (levels > 0 || invalid == "0"));
            assert_eq!(plain.iter().map(Result::is_ok).collect::<Vec<_>>(), are_read);
        }
    }
}

/// A type that does not read what it is given is an error everywhere, for records as for single documents, and the next record is
/// read.
#[test]
fn a_value_that_is_not_read_is_an_error() {
    #[derive(Debug, PartialEq)]
    struct Unread;
    impl<'de> Deserialize<'de> for Unread {
        fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Ok(Self)
        }
    }
    let message = "this value was not read; an error in it must not be ignored";
    for document in ["1", "\"a\"", "[1, {}]", "{\"a\": [1]}", "null"] {
        let one = outcome(fjson::from_str::<Unread>(&format!(" {document}"))).expect_err("it is not read");
        assert_eq!(one, (message.to_owned(), 1, Some(1), Some(2), None, Some(String::new())));
        let mut parser = fjson::Parser::new();
        let mut deserializer = parser.deserializer(document.as_bytes()).expect("valid");
        Unread::deserialize(&mut deserializer).expect("it does nothing");
        assert_eq!(deserializer.end().expect_err("it is not read").to_string(), message);
        IgnoredAny::deserialize(&mut deserializer).expect("valid");
        deserializer.end().expect("it is read");
        // With an invalid record, lines are read one by one.
        for last in ["2", "[2"] {
            let text = format!(" {document}\n{document}\n{last}\n");
            let found: Vec<_> = borrowed_lines::<Unread>(text.as_bytes(), &Options::new()).map(outcome).collect();
            let place = |record, column| {
                let before = (record - 1) * (document.len() as u64 + 2);
                (message.to_owned(), before + column - 1, Some(record), Some(column), Some(record), Some(String::new()))
            };
            assert_eq!(found.len(), 3, "{text}");
            assert_eq!(found[..2], [Err(place(1, 2)), Err(place(2, 1))], "{text}");
        }
    }
}
