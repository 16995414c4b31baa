//! `--escape` on every kernel: in every position, and at random.

use proof::escaped;
use proof::generate;
use proof::mutate;
use proof::random::Random;
use proof::random::rounds;
use proof::seeds;

#[test]
fn at_random() {
    rounds(1_000, |random| {
        let mut text = if random.one_in(3) { telling(random) } else { seeds::pick(random) };
        mutate::mutate(random, &mut text);
        mutate::shift(random, &mut text);
        escaped::document(&text, random);
    });
}

/// Each of these at every distance from a border of what is processed together, whole and truncated.
#[test]
fn every_place() {
    let mut random = Random::new(1);
    for piece in ["é", "\u{2028}", "\u{2029}", "\u{2027}", "€", "😀", "<", "&>"] {
        for distance in (0..70).chain(120..132).chain(250..260).chain(506..516).chain(2040..2050) {
            let text = ["[\"", &"x".repeat(distance), piece, "\", 1]"].concat();
            escaped::document(text.as_bytes(), &mut random);
            let cut = &text.as_bytes()[..distance + 2 + piece.len().saturating_sub(1)];
            escaped::document(cut, &mut random);
        }
    }
}

/// Characters at the ends of tiles, so far apart that the tile after one has nothing else to escape, in strings longer than what is
/// held back. The rest of the string is escapes, so that no tile is skipped as plain text.
#[test]
fn ends_of_tiles() {
    let mut random = Random::new(2);
    for period in [512, 1024, 2048, 4096, 8192] {
        for piece in ["\u{2028}", "€"] {
            for before in 1..piece.len() {
                let filler = |length: usize| ["x".repeat(length % 2), "\\n".repeat(length / 2)].concat();
                let unit = [piece, &filler(period - piece.len())].concat();
                let text = ["\"", &filler(period - 1 - before), &unit.repeat(32_768 / period), "\""].concat();
                escaped::document(text.as_bytes(), &mut random);
            }
        }
    }
}

/// Strings and keys with characters that are escaped, among others that are not.
fn telling(random: &mut Random) -> Vec<u8> {
    let size = random.below(3000);
    let mut text = generate::document(random, size);
    for _ in 0..random.below(20) {
        let at = random.below(text.len());
        if text[at] == b'a' {
            let piece =
                random.pick(&["<", ">", "&", "\u{2028}", "\u{2029}", "\u{2027}", "\u{202a}", "é", "日本", "😀"]);
            text.splice(at..=at, piece.bytes());
        }
    }
    text
}

/// Unescaped text, with escapes of all kinds, whole and damaged.
#[test]
fn unescaped() {
    const PIECES: [&str; 16] = [
        "\\u00e9",
        "\\u0041",
        "\\u0022",
        "\\u005C",
        "\\u001f",
        "\\ud83d",
        "\\ude00",
        "\\uD83D\\uDE00",
        "\\u2028",
        "\\uffff",
        "\\/",
        "\\n",
        "\\\\",
        "\\\"",
        "é",
        "x",
    ];
    rounds(150, |random| {
        let mut text = seeds::pick(random);
        if random.one_in(2) {
            text = b"[".to_vec();
            for _ in 0..random.below(200) {
                text.push(b'"');
                for _ in 0..random.below(8) {
                    text.extend_from_slice(random.pick(&PIECES).as_bytes());
                    text.extend(std::iter::repeat_n(b'x', random.below(70) / 30 * 30));
                }
                text.extend_from_slice(b"\", ");
            }
            text.extend_from_slice(b"0]");
        }
        if random.one_in(3) {
            mutate::mutate(random, &mut text);
        }
        mutate::shift(random, &mut text);
        escaped::unescaped(&text, random);
    });
}
