//! Test pictures of masks: a text and, below it, the positions that a mask must contain.
//!
//! Each picture is checked with every kernel available on this machine, and after 0, 1, 2, … spaces until each of its bytes has
//! been on both sides of every superblock boundary. So every picture also tests the carries. Cells are bytes:
//!
//! ```text
//! text       [ ␠ " C3 A9 … " ]     ␠ ␊ ␀: a space, a line feed, a zero byte; C3: that byte; …: a superblock more of it
//! in_string  . . x  x  x … . .
//! ```

#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use crate::grammar::classes;
use crate::grammar::classes::Masks;
use crate::grammar::literals;
use crate::grammar::numbers;
use crate::grammar::tokens;
use crate::grammar::tokens::Start;
use crate::grammar::utf8;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;

/// Checks that every mask in the picture is as drawn.
pub(super) fn check(picture: &str) {
    for isa in Isa::available() {
        isa.run(Picture { picture, isa });
    }
}

struct Picture<'p> {
    picture: &'p str,
    isa: Isa,
}

impl Pass for Picture<'_> {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        let mut rows = self.picture.trim().lines().map(|line| row(line, K::SUPERBLOCK));
        let (name, text) = rows.next().expect("a text");
        assert_eq!(name, "text");
        let rows: Vec<_> = rows.collect();
        for shift in 0..K::SUPERBLOCK + 3 {
            let mut bytes = vec![b' '; shift];
            bytes.extend(text.iter().map(|cell| byte(cell)));
            bytes.resize((bytes.len() + 1).next_multiple_of(K::SUPERBLOCK), b' ');
            let masks = masks(kernel, &bytes);
            for (name, expected) in &rows {
                assert_eq!(text.len(), expected.len(), "{name} is as long as the text\n{}", self.picture);
                let mask = masks.get(name).unwrap_or_else(|| panic!("there is no mask {name}"));
                let is_set = |position: usize| mask[position / 64] >> (position % 64) & 1 == 1;
                let drawn: Vec<_> = (shift..).take(text.len()).map(|at| if is_set(at) { "x" } else { "." }).collect();
                assert_eq!(
                    drawn.join(" "),
                    expected.join(" "),
                    "{name} behind {shift} on {}\n{}",
                    self.isa,
                    self.picture
                );
            }
        }
    }
}

/// Returns the name and the cells of a row. Each `…` repeats the cell before it `more` times.
fn row(line: &str, more: usize) -> (&str, Vec<&str>) {
    let mut words = line.split_whitespace();
    let name = words.next().expect("a name");
    let mut cells = Vec::new();
    for word in words {
        match cells.last() {
            Some(&before) if word == "…" => cells.resize(cells.len() + more, before),
            _ => cells.push(word),
        }
    }
    (name, cells)
}

/// Returns the byte that a cell of the text represents.
fn byte(cell: &str) -> u8 {
    let mut characters = cell.chars();
    match (characters.next(), characters.next()) {
        (Some(picture @ '\u{2400}'..='\u{2420}'), None) => picture as u8,
        (Some(character), None) => u8::try_from(character).expect("ASCII"),
        _ => u8::from_str_radix(cell, 16).expect("hexadecimal digits"),
    }
}

/// Returns all masks of a text of full superblocks, by name. The names of error masks begin with `bad`.
fn masks<K: Kernel>(kernel: K, bytes: &[u8]) -> BTreeMap<&'static str, Vec<u64>> {
    let zero = kernel.splat(0);
    let mut strings = classes::Carry::start(kernel);
    let mut characters = utf8::Carry::start(kernel);
    let mut words = literals::Carry::start(kernel);
    let mut digits = numbers::Carry::start(kernel);
    let [mut plain, mut laid_out] = [false, true].map(|layout| tokens::Carry::start(kernel, Start::Document, layout));
    let mut drawn = BTreeMap::<_, Vec<_>>::new();
    for superblock in bytes.chunks_exact(K::SUPERBLOCK) {
        let planes = kernel.planes(superblock);
        let mut masks = Masks { in_string: !zero, ..Masks::empty(zero) };
        let (bad_string, any_outside) = classes::classify(kernel, &mut strings, &planes, &mut masks);
        let bad_utf8 = utf8::check(kernel, &mut characters, &planes);
        let mut named = vec![("bad_string", bad_string), ("bad_utf8", bad_utf8)];
        if any_outside {
            named.push(("bad_literal", literals::check(kernel, &mut words, &mut masks, &planes)));
            named.push(("bad_number", numbers::check(&mut digits, &masks)));
            let (bad_token, brackets, layout) = tokens::check(&mut laid_out, &masks, true);
            let (same, ..) = tokens::check(&mut plain, &masks, false);
            assert_eq!(lanes(bad_token), lanes(same), "the errors are the same with and without layout");
            named.extend([("bad_token", bad_token), ("object", brackets.object)]);
            named.extend([("events", layout.events), ("spaces", layout.spaces)]);
        } else {
            let unseen = ["bad_literal", "bad_number", "bad_token", "object", "events", "spaces"];
            named.extend(unseen.map(|name| (name, zero)));
        }
        let Masks { in_string, quotes, whitespace, comma, colon, open, close, curly, .. } = masks;
        let Masks { scalar, scalar_start, digit, zero, minus, plus, dot, exponent, letter, .. } = masks;
        named.extend([("in_string", in_string), ("quotes", quotes), ("whitespace", whitespace), ("comma", comma)]);
        named.extend([("colon", colon), ("open", open), ("close", close), ("curly", curly & (open | close))]);
        named.extend([("scalar", scalar), ("scalar_start", scalar_start), ("digit", digit), ("zero", zero)]);
        named.extend([("minus", minus), ("plus", plus), ("dot", dot), ("exponent", exponent), ("letter", letter)]);
        for (name, mask) in named {
            drawn.entry(name).or_default().extend_from_slice(&lanes(mask)[..K::Word::LANES]);
        }
    }
    drawn
}
