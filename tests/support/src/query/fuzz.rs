//! What must hold for any bytes used as an expression and a document.

use std::ops::ControlFlow;

use fjson::Error;
use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::Order;
use fjson::Query;
use fjson::Search;
use fjson::validate;

use crate::check;
use crate::pieces::Pieces;

/// Framings in which a text is one document.
const FRAMINGS: [Framing; 2] = [Framing::Document, Framing::Documents];

/// The number of matches that are compared.
const MOST: usize = 1000;

/// The expression is the first line, the document the rest. Nothing panics, and the result is the same on every kernel and
/// however the document arrives; an invalid document has none.
///
/// # Panics
/// If any of that does not hold.
pub fn run(text: &[u8]) {
    let (expression, document) = match text.iter().position(|&byte| byte == b'\n') {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => (text, &b"[{\"a\":[1,{\"a\":\"b\"}]},{}]"[..]),
    };
    let expression = String::from_utf8_lossy(expression);
    let query = match Query::new(&expression) {
        Ok(query) => query,
        Err(error) => {
            assert!(expression.is_char_boundary(error.offset()), "{expression}: {error} at {}", error.offset());
            return;
        }
    };
    errors(&query, document);
    let expected = answer(&query, Input::from(document), &Options::new());
    assert!(expected.is_none() || validate(document, &Options::new()).is_ok(), "{expression}: a bad document");
    for &isa in check::kernels() {
        let options = Options::new().isa(isa).window(64);
        let piece = 1 + document.len() / 7;
        let input = Input::from_reader(Pieces::new(document, std::iter::repeat(piece)));
        assert_eq!(answer(&query, input, &options), expected, "{expression} on {isa}");
    }
    if let Some(places) = expected.filter(|places| places.len() < MOST) {
        assert_eq!(query.count(document, &Options::new()).ok(), Some(places.len() as u64), "{expression}");
        records(&query, document, &places);
        let mut sorted = places;
        sorted.sort();
        let mut found = Places(Vec::new());
        let queries = [query];
        Search::new(&queries).order(Order::Document).run(document, &Options::new(), &mut found).expect("it is valid");
        for search in [Search::new(&queries).without_paths(), Search::new(&queries).without_paths().trust()] {
            for &isa in check::kernels() {
                let mut starts = Starts(Vec::new());
                let options = Options::new().isa(isa).window(64);
                let input = Input::from_reader(Pieces::new(document, std::iter::repeat(1 + document.len() / 5)));
                search.order(Order::Document).run(input, &options, &mut starts).expect("it is valid");
                assert!(starts.0.iter().eq(found.0.iter().map(|(_, start)| start)), "{expression} by masks on {isa}");
            }
        }
        found.0.sort();
        assert_eq!(found.0, sorted, "{expression} in the order of the document");
        for (path, _) in found.0 {
            if !path.contains("\\ud") {
                assert!(Query::new(&path).is_ok(), "{path} is a query");
            }
        }
    }
}

/// The same document in many records has the same result in each of them, on two threads.
fn records(query: &Query, document: &[u8], places: &[(String, u64)]) {
    let space = |&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte };
    let line: Vec<u8> = document.iter().map(space).collect();
    for (framing, before, document) in [
        (Framing::Lines, &b""[..], &line[..]),
        (Framing::Stream, b"", document),
        (Framing::Documents, b"", document),
        (Framing::Sequence, b"\x1e", document),
    ] {
        let record = [before, document, b"\n"].concat();
        // One record, and no more.
        let options = Options::new().framing(framing).threads(2).window(record.len());
        let mut found = Places(Vec::new());
        let queries = [query.clone()];
        let text = record.repeat(20);
        Search::new(&queries).run(&text, &options, &mut found).expect("it can be read");
        let offsets = (0..20).map(|number| (number * record.len() + before.len()) as u64);
        let expected = offsets.flat_map(|offset| places.iter().map(move |(path, start)| (path, start + offset)));
        assert!(found.0.iter().map(|(path, start)| (path, *start)).eq(expected), "{queries:?} of {framing:?}");
    }
}

/// Counting finds the same error as `validate`, also where mismatched brackets are far apart.
fn errors(query: &Query, document: &[u8]) {
    let mut wide = Vec::new();
    for (number, part) in document.split_inclusive(|&byte| byte == b',').enumerate() {
        wide.extend_from_slice(part);
        wide.resize(wide.len() + if number < 4 { 2100 } else { 0 }, b' ');
    }
    for text in [document, &wide] {
        let place = |error: &Error| (error.kind(), error.offset());
        for (framing, &isa) in
            FRAMINGS.iter().flat_map(|framing| check::kernels().iter().map(move |isa| (*framing, isa)))
        {
            let options = Options::new().framing(framing).isa(isa);
            let expected = validate(text, &options).err().as_ref().map(place);
            let mut found = None;
            let mut on_error = |error: Error| {
                found = Some(place(&error));
                ControlFlow::Break(())
            };
            let queries = [query.clone()];
            Search::new(&queries).count(text, &options, &mut [0], &mut on_error).expect("it can be read");
            assert_eq!(found, expected, "{queries:?} on {isa}");
        }
    }
}

/// Paths and offsets of the first matches; `None` if there is an error.
fn answer(query: &Query, input: Input<'_>, options: &Options) -> Option<Vec<(String, u64)>> {
    let mut places = Vec::new();
    let done = query.each(input, options, &mut |matched| {
        places.push((matched.path().expect("paths are wanted"), matched.range().start));
        if places.len() < MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    done.is_ok().then_some(places)
}

struct Starts(Vec<u64>);

impl fjson::MatchHandler for Starts {
    fn on_match(&mut self, matched: &mut fjson::Match<'_>) -> ControlFlow<()> {
        self.0.push(matched.range().start);
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, error: fjson::Error) -> ControlFlow<()> {
        panic!("{error}")
    }
}

struct Places(Vec<(String, u64)>);

impl fjson::MatchHandler for Places {
    fn on_match(&mut self, matched: &mut fjson::Match<'_>) -> ControlFlow<()> {
        self.0.push((matched.path().expect("paths are wanted"), matched.range().start));
        ControlFlow::Continue(())
    }

    fn on_error(&mut self, _: fjson::Error) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
