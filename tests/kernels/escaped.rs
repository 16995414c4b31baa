//! `--escape` on every kernel: in every position, and at random.

use proof::escaped;
use proof::generate;
use proof::mutate;
use proof::random::Random;
use proof::random::rounds;
use proof::seeds;

#[test]
fn at_random() {
    rounds(20, |random| {
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
