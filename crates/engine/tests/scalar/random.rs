//! Random strings, keys and numbers. `FJSON_FUZZ_SECONDS` runs each test for longer, `FJSON_FUZZ_SEED` repeats a
//! failure.

use proof::generate;
use proof::mutate;
use proof::random::Random;
use proof::random::rounds;
use proof::scalar;

/// The text between the quotes.
fn inside(random: &mut Random) -> Vec<u8> {
    let mut text = generate::string(random);
    text.remove(0);
    text.pop();
    if random.one_in(4) {
        mutate::mutate(random, &mut text);
    }
    text
}

#[test]
fn strings() {
    rounds(220_000, |random| scalar::string(&inside(random)));
}

/// Keys with a common beginning, and the same ones written in another way.
#[test]
fn names() {
    rounds(120_000, |random| {
        let start = inside(random);
        let [left, right] = [0, 1].map(|_| [start.clone(), inside(random)].concat());
        scalar::names(&left, &right);
        let escape = |text: &[u8], random: &mut Random| -> Vec<u8> {
            let escape =
                |byte: u8| if random.one_in(2) { format!("\\u{:04x}", u32::from(byte)).into() } else { vec![byte] };
            if text.contains(&b'\\') || !text.is_ascii() {
                text.to_vec()
            } else {
                text.iter().copied().flat_map(escape).collect()
            }
        };
        let mut twin = escape(&left, random);
        scalar::names(&left, &twin);
        twin.pop();
        scalar::names(&left, &twin);
    });
}

/// Numbers, and others that are nearly equal.
#[test]
fn numbers() {
    rounds(710_000, |random| {
        let text = generate::number(random);
        scalar::number(&text);
        let mut other = if random.one_in(3) { generate::number(random) } else { text.clone() };
        match random.below(5) {
            0 => other.extend_from_slice(if other.iter().any(|byte| b".eE".contains(byte)) { b"" } else { b".000" }),
            1 => other.extend_from_slice(if other.iter().any(|byte| b"eE".contains(byte)) { b"0" } else { b"e-1" }),
            2 => mutate::mutate(random, &mut other),
            3 => other.insert(random.below(other.len()), b'0'),
            _ => {}
        }
        scalar::number(&other);
        scalar::numbers(&text, &other);
    });
}
