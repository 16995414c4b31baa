//! Compares `fjson::Structure` with the structure that `serde_json` finds, on every kernel, in pieces and on several threads.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fjson::Framing;
use fjson::Input;
use fjson::Options;
use fjson::Structure;
use fjson::stats::Place;
use proof::check;
use proof::generate;
use proof::pieces::Pieces;
use proof::places;
use proof::places::Facts;
use proof::random::Random;
use proof::random::rounds;
use proof::suites;

/// A structure of any depth and any number of keys that the limits permit, with all that can be noted.
fn unlimited() -> Structure {
    Structure::new().levels(256).note_strings()
}

fn read<'a>(structure: Structure, input: impl Into<Input<'a>>, options: &Options) -> Structure {
    let mut structure = structure;
    let summary = structure.read(input, options, &mut |error| panic!("{error}")).expect("nothing to be read");
    assert!(structure.documents() >= summary.documents);
    structure
}

/// What a place says, as the reference says it.
fn facts(place: &Place<'_>) -> Facts {
    let (objects, arrays, strings, numbers) = (place.objects(), place.arrays(), place.strings(), place.numbers());
    let double = |text: &Option<String>| text.as_ref().map(|text| text.parse::<f64>().expect("a number"));
    let length = |length: u64| usize::try_from(length).expect("a length");
    Facts {
        kinds: [
            objects.count,
            arrays.count,
            strings.count,
            numbers.integers,
            numbers.count - numbers.integers,
            place.trues(),
            place.falses(),
            place.nulls(),
        ],
        members: [objects.members, arrays.members, objects.largest, arrays.largest],
        empty: [objects.empty, arrays.empty],
        parents: place.parents(),
        present: place.present(),
        lengths: (strings.count > 0).then(|| (length(strings.shortest), length(strings.longest))),
        range: double(&numbers.least).zip(double(&numbers.greatest)),
        example: place.example().map(str::to_owned),
    }
}

fn all_facts(structure: &Structure) -> BTreeMap<String, Facts> {
    let all: BTreeMap<_, _> = structure.places().map(|place| (place.path(), facts(&place))).collect();
    assert_eq!(all.len(), structure.places().count(), "different paths");
    all
}

/// Everything that can be seen of a structure.
fn shown(structure: &Structure) -> Vec<String> {
    let line = |place: Place<'_>| {
        let numbers = place.numbers();
        let extremes = (&numbers.least, &numbers.greatest, numbers.inexact, numbers.longest);
        let strings = (place.string_values(), place.format());
        format!("{} {:?} {extremes:?} {strings:?} {}", place.path(), facts(&place), place.is_map())
    };
    let counts = format!("{} unlisted, {} deeper", structure.unlisted_values(), structure.deeper_values());
    structure.places().map(line).chain([counts]).collect()
}

/// Strings are compared as `serde_json` can: those with lone surrogates have no length there, and examples are unescaped.
fn assert_equal(mut got: BTreeMap<String, Facts>, mut expected: BTreeMap<String, Facts>, text: &[u8]) {
    let start = &text[..text.len().min(10_000)];
    let is_lone = text.windows(3).any(|bytes| bytes.eq_ignore_ascii_case(b"\\ud"));
    for facts in got.values_mut().chain(expected.values_mut()) {
        facts.example = facts.example.take().and_then(|example| {
            let value = serde_json::from_str::<String>(&example).unwrap_or(example);
            (value.len() < 80 && !value.ends_with('…') && !is_lone).then_some(value)
        });
        if is_lone {
            facts.lengths = None;
        }
    }
    // The reference keeps the text of long examples, and the structure cuts it.
    for (path, facts) in &mut got {
        let other = expected.get_mut(path).unwrap_or_else(|| panic!("{path} in {}", start.escape_ascii()));
        if facts.example.is_none() || other.example.is_none() {
            (facts.example, other.example) = (None, None);
        }
    }
    assert!(got.keys().eq(expected.keys()), "{}", start.escape_ascii());
    for (path, facts) in &got {
        assert_eq!(facts, &expected[path], "{path} in {}", start.escape_ascii());
    }
}

fn agrees(text: &[u8]) {
    let Some(expected) = places::structure(text) else { return };
    // An object with a key that takes more than 256 bytes is a map.
    let is_near = |path: &str, parent: &str| parent.len() < path.len() && path.len() - parent.len() <= 256;
    let has_parent = |path: &String| expected.keys().any(|parent| is_near(path, parent) && path.starts_with(parent));
    if !expected.keys().all(|path| path == "$" || has_parent(path)) {
        return;
    }
    for &isa in check::kernels() {
        let options = Options::new().isa(isa);
        let many_keys = || unlimited().max_keys(10_000);
        let whole = read(many_keys(), text, &options);
        assert_eq!((whole.unlisted_values(), whole.deeper_values()), (0, 0));
        assert_equal(all_facts(&whole), expected.clone(), text);
        for (piece, window) in [(1, 1), (100, 64), (5000, 4096)] {
            if text.len() / piece < 10_000 {
                let input = Input::from_reader(Pieces::new(text, std::iter::repeat(piece)));
                let got = read(many_keys(), input, &options.clone().window(window));
                assert_eq!(shown(&got), shown(&whole), "{isa}, {piece} at a time");
            }
        }
    }
}

#[test]
fn random_documents() {
    rounds(150, |random| agrees(&generate::document(random, 3000)));
}

#[test]
fn data_sets() {
    for text in suites::data_sets().values() {
        agrees(text);
    }
}

/// Objects with the same keys in the same or another order, with keys missing and repeated, under keys that are escaped.
#[test]
fn records_with_predictable_keys() {
    rounds(100, |random| agrees(format!("[{}]", records(random, 60, 8).join(",")).as_bytes()));
}

fn records(random: &mut Random, count: usize, different: usize) -> Vec<String> {
    let key = |random: &mut Random| match random.below(40) {
        0 => "\\u006b0".to_owned(),
        1 => "é".to_owned(),
        _ => format!("k{}", random.below(different)),
    };
    let value = |random: &mut Random| match random.below(8) {
        0 => "null".to_owned(),
        1 => format!("\"{}\"", "x".repeat(random.below(9))),
        2 => format!("[{{\"in\":{}}},[{}]]", random.below(9), random.below(3)),
        3 => format!("{{\"a\":{},\"b\":{{\"c\":[]}}}}", random.one_in(2)),
        4 => format!("-{}.{}e{}", random.below(9), random.below(99), random.below(4)),
        // The least and the greatest of all, of which the first is kept.
        5 => ["-99900", "-99.9e3", "1000", "1e3", "1000.0"][random.below(5)].to_owned(),
        _ => random.below(1000).to_string(),
    };
    let record = |random: &mut Random| {
        let members: Vec<_> = if random.one_in(3) {
            (0..different).map(|index| format!("\"k{index}\":{}", value(random))).collect()
        } else {
            (0..random.below(2 * different.min(20))).map(|_| format!("\"{}\":{}", key(random), value(random))).collect()
        };
        format!("{{{}}}", members.join(","))
    };
    (0..count).map(|_| record(random)).collect()
}

/// Asserts that any number of threads finds the structure that one thread does, before and after maps are merged.
fn several_threads(text: &[u8], options: &Options) {
    let one = options.clone().threads(1);
    let mut expected = read(unlimited(), text, &one);
    let mut others: Vec<_> = [2, 3].map(|threads| read(unlimited(), text, &options.clone().threads(threads))).into();
    others.push(read(unlimited(), text, &one.window(100)));
    let mut low = read(unlimited().levels(3), text, options);
    for other in &mut others {
        assert_eq!(shown(other), shown(&expected));
    }
    expected.merge_maps();
    for other in &mut others {
        other.merge_maps();
        assert_eq!(shown(other), shown(&expected));
    }
    let mut other = read(unlimited().levels(3), text, &options.clone().threads(1));
    assert_eq!(shown(&low), shown(&other));
    low.merge_maps();
    other.merge_maps();
    assert_eq!(shown(&low), shown(&other));
}

#[test]
fn records_on_several_threads() {
    rounds(10, |random| {
        let different = [3, 60, 3000][random.below(3)];
        let mut lines = records(random, 400, different);
        lines.push("[[1],{}]".to_owned());
        several_threads(lines.join("\n").as_bytes(), &Options::new().framing(Framing::Lines).window(2000));
    });
}

/// The elements are wherever an array can be, also below the levels that are described.
#[test]
fn elements_on_several_threads() {
    rounds(13, |random| {
        let around = [("[", "]"), ("{\"a\":1,\"b\":{\"c\":[", "]}}"), ("[7,[{\"c\":[[[[", "]]]]}],[8,9]]")];
        let (before, after) = around[random.below(3)];
        let different = [3, 60, 3000][random.below(3)];
        let elements = records(random, 300, different);
        let text = [before, &elements.join(", "), after].concat();
        several_threads(text.as_bytes(), &Options::new().window(2000));
        let documents = [&*text, " {}\n", &text].concat();
        several_threads(documents.as_bytes(), &Options::new().framing(Framing::Documents).window(2000));
    });
}

/// Maps of maps, whose inner ones get many keys only together.
#[test]
fn maps_of_maps_on_several_threads() {
    rounds(3, |random| {
        let mut lines = Vec::new();
        for _ in 0..1500 {
            let (outer, inner) = (random.below(1500), random.below(1200));
            let name = if random.one_in(300) { "x".repeat(300) } else { format!("i{inner}") };
            let value = random.below(100);
            lines.push(format!(
                "{{\"m\":{{\"o{outer}\":{{\"{name}\":[{{\"v\":{value}}}, {value}.0]}}}},\"t\":{outer}}}"
            ));
        }
        several_threads(lines.join("\n").as_bytes(), &Options::new().framing(Framing::Lines).window(2000));
    });
}

fn paths(structure: &Structure) -> Vec<String> {
    structure.places().map(|place| place.path()).collect()
}

#[test]
fn objects_with_very_many_keys_are_maps() {
    let object = |count: usize| {
        let members: Vec<_> = (0..count).map(|index| format!("\"n{index}\":{{\"a\":{index},\"b\":\"x\"}}")).collect();
        format!("{{\"ids\":{{{}}}}}", members.join(","))
    };
    let structure = read(unlimited(), &object(1000), &Options::new());
    assert_eq!(paths(&structure).len(), 3002);
    let structure = read(unlimited(), &object(1001), &Options::new());
    assert_eq!(paths(&structure), ["$", "$.ids", "$.ids.*", "$.ids.*.a", "$.ids.*.b"]);
    let place = |path: &str| structure.places().find(|place| place.path() == path).expect("the path");
    assert!(place("$.ids").is_map() && !place("$").is_map());
    assert_eq!((place("$.ids.*").count(), place("$.ids.*").present(), place("$.ids.*").parents()), (1001, 1, 1));
    assert_eq!((place("$.ids.*.a").present(), place("$.ids.*.a").parents()), (1001, 1001));
    assert_eq!(place("$.ids.*.a").numbers().greatest.as_deref(), Some("1000"));
    assert_eq!(place("$.ids.*.a").example(), Some("0"));
    let structure = read(unlimited(), &format!("{{\"{}\": 1, \"a\": 2}}", "x".repeat(257)), &Options::new());
    assert_eq!(paths(&structure), ["$", "$.*"]);
}

/// Objects with more than 50 different keys are maps if the keys look like data.
#[test]
fn maps_are_recognized() {
    let object = |keys: std::ops::Range<usize>, value: &dyn Fn(usize) -> String| {
        let members: Vec<_> = keys.map(|index| format!("\"k{index}\":{}", value(index))).collect();
        format!("{{{}}}", members.join(","))
    };
    let number = |index: usize| index.to_string();
    let mixed = |index: usize| if index == 7 { "[]".to_owned() } else { "1".to_owned() };
    let nullable = |index: usize| if index == 7 { "null".to_owned() } else { "1".to_owned() };
    for (text, is_map) in [
        (object(0..50, &number), false),
        (object(0..51, &number), true),
        (object(0..51, &nullable), true),
        (object(0..51, &mixed), false),
        // Records of a table with many columns.
        ([object(0..60, &number), object(0..60, &number)].concat(), false),
        // Few of many keys in each object.
        ((0..6).map(|part| object(10 * part..10 * part + 10, &mixed)).collect(), true),
    ] {
        let mut structure = read(unlimited(), &text, &Options::new().framing(Framing::Stream));
        structure.merge_maps();
        assert_eq!(structure.root().is_map(), is_map, "{text}");
    }
    let mut structure = read(unlimited().max_keys(2), r#"{"a":1,"b":2,"c":3}"#, &Options::new());
    structure.merge_maps();
    assert_eq!(paths(&structure), ["$", "$.*"]);
    // What a map of maps has in common is found, too.
    let inner = |index: usize| object(40 * index..40 * index + 40, &number);
    let mut structure = read(unlimited(), &object(0..60, &inner), &Options::new());
    structure.merge_maps();
    assert_eq!(paths(&structure), ["$", "$.*", "$.*.*"]);
}

#[test]
fn levels_are_limited() {
    let text = r#"{"a":[{"b":[1,{"c":null}]},2]}"#;
    for (levels, expected, deeper) in [
        (0, &["$"][..], 7),
        (1, &["$", "$.a"], 6),
        (2, &["$", "$.a", "$.a[*]"], 4),
        (4, &["$", "$.a", "$.a[*]", "$.a[*].b", "$.a[*].b[*]"], 1),
        (5, &["$", "$.a", "$.a[*]", "$.a[*].b", "$.a[*].b[*]", "$.a[*].b[*].c"], 0),
    ] {
        let structure = read(Structure::new().levels(levels), text, &Options::new());
        assert_eq!(
            (paths(&structure), structure.deeper_values()),
            (expected.iter().map(|&path| path.into()).collect(), deeper)
        );
    }
    let deep = "[".repeat(5000) + &"]".repeat(5000);
    let structure = read(Structure::new(), &deep, &Options::new());
    assert_eq!((paths(&structure).len(), structure.deeper_values()), (33, 5000 - 33));
}

/// A document with too many paths: maps are merged before there are 1,000 keys.
#[test]
fn too_many_paths_become_maps() {
    let inner: Vec<_> = (0..90).map(|index| format!("\"f{index}\":{{\"n\":[{index}]}}")).collect();
    let object = |index: usize| format!("\"id{index}\":{{{}}}", inner.join(","));
    let text = format!("{{\"x\":1,\"all\":{{{}}}}}", (0..900).map(object).collect::<Vec<_>>().join(","));
    let whole = read(unlimited(), &text, &Options::new().threads(1));
    let paths = paths(&whole);
    assert!(paths.contains(&"$.all.*.f7.n[*]".to_owned()) && paths.contains(&"$.x".to_owned()), "{paths:?}");
    assert_eq!((whole.unlisted_values(), paths.len()), (0, 4 + 3 * 90));
    let pieces = read(unlimited(), Input::from_reader(text.as_bytes()), &Options::new().threads(3).window(3000));
    assert_eq!(shown(&pieces), shown(&whole));
}

/// Values that no path is left for are counted, in whatever order they come.
#[test]
fn what_no_path_is_left_for_is_counted() {
    // Each line is a chain of containers of its own kinds, so that there are no keys to be merged.
    let mut lines = Vec::new();
    for index in 0_u32..5000 {
        let kinds = (0..13).map(|bit| index >> bit & 1 == 1);
        let open: String = kinds.clone().map(|is_object| if is_object { "{\"k\":" } else { "[" }).collect();
        let close: String = kinds.rev().map(|is_object| if is_object { '}' } else { ']' }).collect();
        lines.push(format!("{open}[[[[[[[[[[[[{index}]]]]]]]]]]]]{close}"));
    }
    let text = lines.join("\n");
    let options = Options::new().framing(Framing::Lines).window(2000);
    let whole = read(unlimited(), &text, &options.clone().threads(1));
    let listed: u64 = whole.places().map(|place| place.count()).sum();
    assert!(whole.unlisted_values() > 0 && whole.places().count() == 50_000);
    assert_eq!(listed + whole.unlisted_values(), 26 * 5000);
    let other = read(unlimited(), &text, &options.threads(3));
    assert_eq!(shown(&other), shown(&whole));
}

/// The least and the greatest numbers together may not need more than the limit, on any number of threads.
#[test]
fn long_numbers_are_limited() {
    let long = |digit: &str| digit.repeat(400);
    let text =
        format!("[{}[{}],{}{},{}0]", "1,".repeat(9000), long("9"), "2,".repeat(9000), long("8"), "3,".repeat(9000));
    for (limit, is_allowed) in [(1300, false), (3000, true)] {
        for threads in [1, 2, 3] {
            let options = Options::new().window(2000).max_memory(limit).threads(threads);
            let read = unlimited().read(&text, &options, &mut |error| panic!("{error}"));
            assert_eq!(read.is_ok(), is_allowed, "{threads} threads, {limit} bytes: {read:?}");
        }
    }
}

#[test]
fn invalid_documents_count_up_to_the_error() {
    let mut structure = Structure::new();
    let options = Options::new().framing(Framing::Lines);
    let on_error = &mut |_| ControlFlow::Continue(());
    structure.read("{\"a\": 1, \"b\": x\n{\"a\": 3}\n[4, x, 5]\n", &options, on_error).expect("a text");
    assert_eq!((structure.documents(), structure.invalid()), (3, 2));
    assert_eq!(paths(&structure), ["$", "$.a", "$[*]"]);
    assert_eq!(structure.root().children()[0].numbers().greatest.as_deref(), Some("3"));
}

/// Several inputs are described together.
#[test]
fn inputs_add_up() {
    let structure = read(Structure::new(), r#"{"a": 1}"#, &Options::new());
    let structure = read(structure, r#"{"a": 2.5, "b": "é\u00e9"}"#, &Options::new());
    let places: Vec<_> = structure.places().collect();
    assert_eq!((places[1].present(), places[2].present(), places[2].parents()), (2, 1, 2));
    assert_eq!((places[2].strings().longest, places[2].example()), (2, Some("\"éé\"")));
    assert_eq!(places[1].numbers().greatest.as_deref(), Some("2.5"));
}
