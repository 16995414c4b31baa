//! One document on several threads: the same verdict, position and output as on one, however small the chunks are.

use fjson::Error;
use fjson::Framing;
use fjson::Isa;
use fjson::Layout;
use fjson::Options;
use fjson::Summary;
use fjson::scalar::Escape;
use proof::check;
use proof::check::Shown;
use proof::check::Verb;
use proof::generate;
use proof::random::rounds;
use proof::seeds;
use proof::suites;
use proof::target;

#[test]
fn damaged() {
    rounds(380, |random| {
        let members: Vec<_> = (0..=random.below(40)).map(|_| seeds::pick(random)).collect();
        let mut text = [b"[", &members.join(&b',')[..], b"]"].concat();
        if random.one_in(2) {
            proof::mutate::mutate(random, &mut text);
        }
        check::threads(&text, random);
    });
}

#[test]
fn towers() {
    rounds(77, |random| {
        let towers: Vec<_> = (0..=random.below(6)).map(|_| generate::tower(random)).collect();
        let mut text = [b"[", &towers.join(&b',')[..], b"]"].concat();
        if random.one_in(2) {
            proof::mutate::mutate_bracket(random, &mut text);
        }
        check::threads(&text, random);
    });
}

/// Real documents, whole and truncated.
#[test]
fn data_sets() {
    for (name, text) in suites::data_sets() {
        for text in [&text[..], &text[..text.len() - text.len() / 3]] {
            for verb in Verb::ALL {
                let options = check::options(verb, Isa::default());
                let alone = check::outcome(verb, text, &options);
                for (threads, window) in [(2, 1 << 18), (2, 1 << 13), (3, 5_003), (7, 1_009)] {
                    let together = check::outcome(verb, text, &options.clone().threads(threads).window(window));
                    let how = format_args!("{verb:?} of {name} on {threads} threads, window {window}");
                    check::same(&alone, &together, text, how);
                }
            }
        }
    }
}

/// Real documents in any number of chunks that makes a difference.
#[test]
fn numbers_of_chunks() {
    for (name, text) in suites::data_sets() {
        for verb in Verb::ALL {
            let options = check::options(verb, Isa::default());
            let alone = check::outcome(verb, &text, &options);
            for count in 6..=17 {
                // There are two windows in a chunk.
                let together = options.clone().threads(1 + count % 5).window(text.len() / count / 2);
                let together = check::outcome(verb, &text, &together);
                check::same(&alone, &together, &text, format_args!("{verb:?} of {name} in about {count} chunks"));
            }
        }
    }
}

/// Every file of the parsing suite as a member, with a chunk border at each of its bytes.
#[test]
fn small_files_cut_everywhere() {
    const WINDOW: usize = 16;
    let Some(files) = suites::part("json-test-suite", "test_parsing/") else { return };
    for (name, member) in files.into_iter().filter(|(_, text)| text.len() < 300) {
        for shift in 0..2 * WINDOW {
            // The scan has to take a tile, and to stop in the next one, before the parallel driver starts.
            let before = ["[", &"0,".repeat(2500), &" ".repeat(shift)].concat();
            let text = [before.as_bytes(), &member, ",0".repeat(200).as_bytes(), b"]"].concat();
            for verb in Verb::ALL {
                let options = check::options(verb, Isa::default());
                let alone = check::outcome(verb, &text, &options);
                let together = check::outcome(verb, &text, &options.threads(2 + shift % 3).window(WINDOW));
                check::same(&alone, &together, &text, format_args!("{verb:?} of {name} behind {shift} blanks"));
            }
        }
    }
}

/// Texts that leave little work for threads.
#[test]
fn giants() {
    const SIZE: usize = 300_000;
    let inside = |open: &str, middle: &str, close: &str| {
        let middle = middle.repeat(SIZE / middle.len());
        [&format!("[{}", "1,".repeat(4000)), open, &middle, close, &",2".repeat(4000), "]"].concat()
    };
    for text in [
        inside("\"", "x", "\""),
        inside("\"", "1,", "\""),
        inside("\"", "\\\\", "\""),
        inside("\"", "\\\",\\\"", "\""),
        inside("\"", "\\", "\\\""),
        inside("\"", "{\\\"a\\\":[1,2],", "\""),
        inside("", "7", ""),
        inside("", " ", "1"),
        inside("", "[", ""),
        inside("", "[1,", ""),
        inside("", "]", ""),
        inside("[", "[],", "1]"),
        inside("[", "\",\",", "1]"),
        inside("{", "\"\":{},", "\"\":1}"),
    ] {
        for verb in Verb::ALL {
            let options = check::options(verb, Isa::default());
            let alone = check::outcome(verb, text.as_bytes(), &options);
            for (threads, window) in [(2, 1 << 13), (3, 1_009)] {
                let together = check::outcome(verb, text.as_bytes(), &options.clone().threads(threads).window(window));
                check::same(&alone, &together, text.as_bytes(), format_args!("{verb:?} on {threads} threads"));
            }
        }
    }
}

/// A cut moves past backslashes, but not past the end of the text. Texts of all lengths, so that some end with a whole chunk.
#[test]
fn backslashes_to_the_end() {
    let start = format!("[{}\"", "1,".repeat(300));
    for length in 3000..3201 {
        let text = [&start, &"\\".repeat(length)[..]].concat();
        for verb in Verb::ALL {
            let options = check::options(verb, Isa::default());
            let alone = check::outcome(verb, text.as_bytes(), &options);
            let together = check::outcome(verb, text.as_bytes(), &options.clone().threads(2).window(100));
            check::same(&alone, &together, text.as_bytes(), format_args!("{verb:?} of {length} backslashes"));
        }
    }
}

/// Framings, with the text before and after each record.
const FRAMINGS: [(Framing, &str, &str); 5] = [
    (Framing::Lines, "", "\n"),
    (Framing::Stream, "", "\n"),
    (Framing::Stream, "", ""),
    (Framing::Documents, "", "\n"),
    (Framing::Sequence, "\x1e", "\n"),
];

/// Records of a few tokens, any of which may be in the wrong place.
#[test]
fn records_of_few_tokens() {
    const TOKENS: [&str; 15] =
        ["[", "]", "{", "}", ",", "\"a\":", "1", "\"\"", " ", "[1]", "{\"a\":1}", "\n", "\\", "[[],1]", "\x1e"];
    const GOOD: [&str; 7] = ["1", " [1,2] ", "{\"a\":[1,{}],\"b\":2}", "\"a,\\\"\"", "", "[[1],[2]]\r", "null"];
    rounds(5_000, |random| {
        let (framing, before, behind) = FRAMINGS[random.below(FRAMINGS.len())];
        let mut text = String::new();
        for _ in 0..random.below(60) {
            text += before;
            text += random.pick(&GOOD);
            text += behind;
            if random.one_in(30) {
                for _ in 0..random.below(6) {
                    text += random.pick(&TOKENS);
                }
                text += random.pick(&["\n", "\n\n", ""]);
            }
        }
        check::records(text.as_bytes(), framing, random);
    });
}

/// All records of up to four tokens, between valid ones.
#[test]
fn records_of_tokens() {
    const TOKENS: [&[u8]; 9] = [b"[", b"]", b"{", b"}", b",", b"\"a\":", b"1", b"\n", b" "];
    for (framing, before, behind) in FRAMINGS {
        let options = Options::new().framing(framing);
        let [before, behind] = [before, behind].map(str::as_bytes);
        for free in 0..4 {
            for first in TOKENS {
                proof::generate::sequences(&TOKENS, first, free, |record| {
                    let text = [before, b"[1]", behind, before, record, behind, before, b"{}", behind].concat();
                    let expected = proof::framing::reference(&text, framing);
                    assert_eq!(proof::framing::report(&text, &options), expected, "{}", check::Shown(&text));
                    let expected = proof::framing::written(Verb::Minify, &text, framing);
                    let got = check::outcome(Verb::Minify, &text, &options);
                    check::same(&expected, &got, &text, format_args!("minified records of {framing:?}"));
                });
            }
        }
    }
}

/// NDJSON, and all other inputs with several documents.
#[test]
fn records() {
    rounds(36, |random| {
        let lines: Vec<_> = (0..random.below(200))
            .map(|_| {
                let mut text = if random.one_in(20) { b"[1,2".to_vec() } else { seeds::pick(random) };
                text.retain(|&byte| byte != b'\n');
                text
            })
            .collect();
        for (framing, separator) in [(Framing::Lines, "\n"), (Framing::Stream, "\n"), (Framing::Sequence, "\n\x1e")] {
            check::records(&lines.join(separator.as_bytes()), framing, random);
        }
    });
    let options = Options::new().threads(4);
    assert!(fjson::validate("[1]", &options).is_ok());
    target::threads(b"\x02\x07[1,2,3]");
}

type Change = fn(&[u8], &mut Vec<u8>, &Options) -> Result<Summary, Error>;

/// What needs more than tiles: keys, numbers, strings.
fn changes() -> [(Change, Options); 7] {
    let minify: Change = |text, out, options| fjson::minify(text, out, options);
    let pretty: Change = |text, out, options| fjson::pretty(text, out, &Layout::default(), options);
    [
        (minify, Options::new().sort_keys(true)),
        (pretty, Options::new().sort_keys(true)),
        (minify, Options::new().escape(Escape::minimal().ascii())),
        (|text, out, options| fjson::canonical(text, out, options), Options::new()),
        (|text, _, options| fjson::validate(text, options), Options::new().unique_keys(true)),
        (minify, Options::new().ijson(true)),
        (pretty, Options::new().unique_keys(true)),
    ]
}

/// Documents whose elements are read by several threads, at any level, with errors of all kinds.
#[test]
fn changed_documents() {
    rounds(100, |random| {
        let mut elements: Vec<Vec<u8>> = (0..20 + random.below(100)).map(|_| generate::document(random, 300)).collect();
        if random.one_in(2) {
            elements.retain(|element| fjson::validate(element, &Options::new().ijson(true)).is_ok());
        }
        elements.push(b"0".to_vec());
        if random.one_in(2) {
            let index = random.below(elements.len());
            proof::mutate::mutate(random, &mut elements[index]);
        }
        if random.one_in(4) {
            let index = random.below(elements.len());
            elements.insert(index, [b"[", &elements.join(&b',')[..], b"]"].concat());
        }
        let elements = elements.join(&b',');
        let around = [
            ("[", "]"),
            ("[[", "],[1]]"),
            ("{\"a\":[0,", "],\"a\":[1]}"),
            ("{\"b\":[", "],\"a\":[],\"b\":0}"),
            ("[{\"c\":1,\"c\":2},[", ",0],{\"d\":[]}]"),
        ];
        let (before, after) = around[random.below(around.len())];
        let mut text = [before.as_bytes(), &elements, after.as_bytes()].concat();
        if random.one_in(4) {
            // Where the first array ends and the second begins, a key of the object is between two elements.
            text = [b"{\"a\":[", &elements[..], b"],\"a\":[", &elements, b"]}"].concat();
        }
        let window = 1 + random.below(text.len() / 12);
        for (change, options) in changes() {
            let run = |options: &Options| {
                let mut out = Vec::new();
                let result = change(&text, &mut out, options);
                let error = result.err().map(|error| (error.kind(), error.offset(), error.to_string()));
                (error, Shown(&out).to_string())
            };
            let expected = run(&options.clone().threads(1));
            for &isa in check::kernels() {
                let options = options.clone().threads(2 + random.below(3)).window(window).isa(isa);
                assert_eq!(run(&options), expected, "{options:?}: {}", Shown(&text));
            }
        }
    });
}

/// Records, whatever threads read them, are what each record alone becomes.
#[test]
fn changed_records() {
    rounds(52, |random| {
        let mut records: Vec<Vec<u8>> =
            (0..20 + random.below(40)).map(|_| minified(&generate::document(random, 500))).collect();
        if random.one_in(3) {
            let index = random.below(records.len());
            proof::mutate::mutate_bracket(random, &mut records[index]);
        }
        let text = records.join(&b'\n');
        let window = 1 + random.below(text.len() / 8 + 1);
        for (change, options) in &changes() {
            let mut expected = Vec::new();
            let error = records.iter().filter(|record| !record.trim_ascii().is_empty()).find_map(|record| {
                let error = change(record, &mut expected, options).err();
                // Only `pretty` ends a document with a line break.
                if error.is_none() && !expected.is_empty() && expected.last() != Some(&b'\n') {
                    expected.push(b'\n');
                }
                error.map(|error| error.kind())
            });
            for threads in 1..4 {
                let options = options.clone().framing(Framing::Lines).threads(threads).window(window);
                let mut got = Vec::new();
                let result = change(&text, &mut got, &options);
                let how = format!("{options:?}: {}", Shown(&text));
                assert_eq!(result.err().map(|error| error.kind()), error, "{how}");
                assert_eq!(Shown(&got).to_string(), Shown(&expected).to_string(), "{how}");
            }
        }
    });
}

/// A document on one line.
fn minified(text: &[u8]) -> Vec<u8> {
    let mut line = Vec::new();
    fjson::minify(text, &mut line, &Options::new()).expect("a valid document");
    line
}
