//! A mutator: small damage in the places where an engine that reads 64 bytes at a time is most likely to miss it.
//!
//! It deletes and copies spans as well as changing bytes, because some rules (`{"a":[1],"b"}`) are violated by no
//! single byte. Part of the damage is at borders of 64 bytes, where one mask continues in the next.

use crate::random::Random;

/// Bytes that have a meaning in JSON, and some that nearly do.
const TELLING: &[u8] =
    b"{}[]:,\"\\ \t\n\r0123456789-+.eEtrufalsn/b\x00\x01\x1f\x7f\x80\xbf\xc0\xc2\xe0\xed\xf0\xf4\xf5\xff'";

/// Damages the document in up to three places, or, about once in eight times, not at all.
pub fn mutate(random: &mut Random, document: &mut Vec<u8>) {
    if random.one_in(8) {
        return;
    }
    for _ in 0..=random.below(3) {
        damage(random, document);
    }
}

/// Moves the document relative to the borders: spaces before it, or a string in an array around it.
pub fn shift(random: &mut Random, document: &mut Vec<u8>) {
    let distance = random.below(600);
    let (before, after): (Vec<u8>, &[u8]) = match random.below(4) {
        0 => (vec![b' '; distance], b""),
        1 => ([&b"[\""[..], &vec![b'x'; distance], b"\","].concat(), b"]"),
        2 => ([&b"["[..], &vec![b'7'; distance], b"1,"].concat(), b" ]"),
        _ => return,
    };
    document.splice(0..0, before);
    document.extend_from_slice(after);
}

/// Swaps, changes or removes a bracket, if there is one.
pub fn mutate_bracket(random: &mut Random, document: &mut Vec<u8>) {
    let start = random.below(document.len());
    let is_bracket = |&at: &usize| matches!(document[at], b'[' | b']' | b'{' | b'}');
    let Some(at) = (start..document.len()).chain(0..start).find(is_bracket) else { return };
    match random.below(4) {
        0 => document[at] = random.byte_of(b"[]{},1"),
        1 => drop(document.remove(at)),
        // The other kind of bracket.
        _ => document[at] ^= b'[' ^ b'{',
    }
}

fn damage(random: &mut Random, document: &mut Vec<u8>) {
    let at = place(random, document);
    let longest = if random.one_in(4) { 200 } else { 8 };
    let end = (at + 1 + random.below(longest)).min(document.len());
    match random.below(10) {
        _ if document.is_empty() => document.push(telling(random)),
        0 | 1 => document[at] = telling(random),
        2 => document[at] ^= 1 << random.below(8),
        3 | 4 => document.insert(at, telling(random)),
        5 => drop(document.drain(at..end)),
        6 => {
            let span = document[at..end].to_vec();
            let target = place(random, document);
            document.splice(target..target, span);
        }
        7 => {
            let target = place(random, document);
            document.swap(at, target);
        }
        8 => {
            let next = next_structural(document, at);
            let end = next_structural(document, next);
            document.drain(next..end);
        }
        _ => document.truncate(at),
    }
}

fn telling(random: &mut Random) -> u8 {
    if random.one_in(8) { random.byte() } else { random.byte_of(TELLING) }
}

/// An index into the document; once in four times next to a border of 64 bytes.
fn place(random: &mut Random, document: &[u8]) -> usize {
    let any = random.below(document.len());
    let near = (any / 64 * 64 + random.below(4)).saturating_sub(2);
    if random.one_in(4) && near < document.len() { near } else { any }
}

/// The offset of the first structural character after `at`, or the end.
fn next_structural(document: &[u8], at: usize) -> usize {
    let from = (at + 1).min(document.len());
    let rest = &document[from..];
    from + rest.iter().position(|byte| b"{}[]:,\"".contains(byte)).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::mutate;
    use super::shift;
    use crate::random::Random;
    use crate::reader::read;
    use crate::seeds;

    /// Damage that is always visible, or hardly ever, would find no bugs.
    #[test]
    fn a_part_stays_valid() {
        let mut random = Random::new(1);
        let mut valid = 0;
        for _ in 0..2000 {
            let mut text = seeds::pick(&mut random);
            mutate(&mut random, &mut text);
            shift(&mut random, &mut text);
            valid += usize::from(read(&text, None).is_ok());
        }
        assert!((300..1200).contains(&valid), "{valid} of 2000 are valid");
    }
}
