//! The depth limit: exact at every depth, on every kernel.

use proof::check;
use proof::generate;
use proof::mutate;
use proof::random::rounds;
use proof::reader;

#[test]
fn exact() {
    for depth in (0..200).chain(500..=520).chain([1000, 4096, 70_000]) {
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[1,{\"b\":", "}]"), ("[[],", "]")] {
            let levels = if open.contains(',') && open.contains('{') { depth / 2 } else { depth };
            let text = [&open.repeat(levels), "0", &close.repeat(levels)].concat();
            for limit in [depth.saturating_sub(1), depth, depth + 1] {
                agrees(text.as_bytes(), limit);
            }
        }
    }
}

/// When the scan stops after a comma, the container around it is counted too.
#[test]
fn wide() {
    for (start, member, end) in
        [("[", "1,", "1]"), ("{", "\"a\":1,", "\"a\":1}"), ("[", "[],", "[]]"), ("[{", "\"a\":[1],", "\"a\":1}]")]
    {
        let text = [start, &member.repeat(5000 / member.len()), end].concat();
        for limit in 0..=3 {
            agrees(text.as_bytes(), limit);
        }
    }
}

#[test]
fn at_random() {
    rounds(17_000, |random| {
        let mut text = generate::tower(random);
        if random.one_in(3) {
            mutate::mutate_bracket(random, &mut text);
        }
        agrees(&text, random.below(80));
    });
}

fn agrees(text: &[u8], limit: usize) {
    let limit = Some(limit as u64);
    let expected = reader::read(text, limit);
    for &isa in check::kernels() {
        for window in [1, 1 << 18] {
            let options = fjson::Options::new().isa(isa).max_depth(limit).window(window);
            let got = check::verdict(&fjson::validate(text, &options));
            assert_eq!(got, expected, "{isa}, limit {limit:?}, window {window}: {}", check::Shown(text));
        }
    }
}
