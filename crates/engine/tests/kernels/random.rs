//! Random documents, damaged. `FJSON_FUZZ_SECONDS` runs each test for longer, `FJSON_FUZZ_SEED` repeats a failure.

use fjson::Framing;
use proof::check;
use proof::generate;
use proof::mutate;
use proof::random::Random;
use proof::random::rounds;
use proof::seeds;

#[test]
fn damaged() {
    rounds(67_000, |random| check::document(&bad(random)));
}

/// Nested containers: only these detect that the kind of a container closed long ago is wrong.
#[test]
fn towers() {
    rounds(810, |random| {
        let mut text = bad_tower(random);
        mutate::shift(random, &mut text);
        check::document(&text);
    });
}

/// With windows and pieces of any size.
#[test]
fn in_pieces() {
    rounds(2_200, |random| {
        let text = if random.one_in(2) { bad_array(random) } else { bad_tower(random) };
        check::pieces(&text, random);
    });
}

/// In inputs with several documents, valid and invalid.
#[test]
fn records() {
    rounds(130, |random| {
        for (framing, between) in
            [(Framing::Lines, "\n"), (Framing::Stream, " "), (Framing::Documents, " "), (Framing::Sequence, "\x1e")]
        {
            let mut text = if random.one_in(4) { Vec::new() } else { between.into() };
            for _ in 0..random.below(12) {
                text.extend(record(random, framing));
                text.extend(between.repeat(random.below(12) / 4).bytes());
                text.extend_from_slice(random.pick(&[between, between, between, "\n", "", " \r\n", "\t"]).as_bytes());
            }
            check::records(&text, framing, random);
        }
    });
}

fn record(random: &mut Random, framing: Framing) -> Vec<u8> {
    let mut text = match random.below(4) {
        0 => bad(random),
        1 => generate::tower(random),
        _ => {
            let size = random.below(400);
            generate::document(random, size)
        }
    };
    if framing == Framing::Lines && !random.one_in(8) {
        text.retain(|&byte| byte != b'\n');
    }
    text
}

/// A document that is usually damaged.
fn bad(random: &mut Random) -> Vec<u8> {
    let mut text = seeds::pick(random);
    mutate::mutate(random, &mut text);
    mutate::shift(random, &mut text);
    text
}

/// Several of them in an array.
fn bad_array(random: &mut Random) -> Vec<u8> {
    let members: Vec<_> = (0..=random.below(8)).map(|_| seeds::pick(random)).collect();
    let mut text = [b"[", &members.join(&b',')[..], b"]"].concat();
    mutate::mutate(random, &mut text);
    text
}

/// Deep nesting with up to two wrong brackets.
fn bad_tower(random: &mut Random) -> Vec<u8> {
    let mut text = generate::tower(random);
    for _ in 0..random.below(3) {
        mutate::mutate_bracket(random, &mut text);
    }
    text
}
