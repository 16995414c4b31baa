//! Tests of all phases together: runs, validation results, cuts and look-ahead, at every position relative to superblock
//! boundaries.

#![forbid(unsafe_code)]

use crate::grammar::Checker;
use crate::grammar::scan_through;
use crate::kernel::Isa;
use crate::kernel::Kernel;
use crate::kernel::Pass;
use crate::kernel::Word;
use crate::kernel::lanes;

fn on_every_kernel(pass: impl Pass<Output = ()> + Copy) {
    for isa in Isa::available() {
        isa.run(pass);
    }
}

/// ```text
/// starts  . 1 . . 1
/// class   . 1 1 . .
/// result  . . . 1 1     a run of any length, anywhere
/// ```
#[derive(Clone, Copy)]
struct Runs;

impl Pass for Runs {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        let size = K::SUPERBLOCK;
        for run in [0, 1, 2, 63, 64, 65, 128, size - 1, size, size + 1, 2 * size] {
            for start in 0..=size {
                let end = start + run;
                let mut bytes = vec![0; (end + 2).next_multiple_of(size)];
                bytes[start..end].fill(0b10);
                bytes[start] |= 1;
                bytes[end + 1] |= 1;
                let mut carry = kernel.carry(0);
                for (place, superblock) in bytes.chunks_exact(size).enumerate() {
                    let planes = kernel.planes(superblock);
                    let full = planes[1].any_lane_full();
                    let landed = lanes(scan_through(planes[0], planes[1], full, &mut carry));
                    for position in 0..size {
                        let is_there = landed[position / 64] >> (position % 64) & 1 == 1;
                        let expected = [end, end + 1].contains(&(place * size + position));
                        assert_eq!(is_there, expected, "a run of {run} from {start}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_start_moves_past_its_run() {
    on_every_kernel(Runs);
}

/// Returns a text after `shift` spaces, with at least `more` spaces after it, padded to full superblocks.
fn padded<K: Kernel>(text: impl AsRef<[u8]>, shift: usize, more: usize) -> Vec<u8> {
    let mut bytes = vec![b' '; shift];
    bytes.extend_from_slice(text.as_ref());
    bytes.resize((bytes.len() + more).next_multiple_of(K::SUPERBLOCK), b' ');
    bytes
}

/// Returns numbers of leading spaces that move a short text across the boundaries of superblocks and tiles.
fn shifts<K: Kernel>() -> impl Iterator<Item = usize> {
    (0..K::SUPERBLOCK + 3).chain(Checker::<K>::TILE - 30..Checker::<K>::TILE + 3)
}

/// Checks a text tile by tile and returns whether it is valid so far.
fn check<K: Kernel>(checker: &mut Checker<K>, text: &[u8], layout: bool) -> bool {
    text.chunks(Checker::<K>::TILE).all(|tile| checker.check(tile, layout, false))
}

/// Valid documents, one per line.
const VALID: &str = r#"0
-1.5e+7
""
"a,\"]"
true
[]
{}
[1, [2], {"a": [{}, 3]}]
{"a":{}}
[[[]],[{"a":[]}]]"#;

/// Invalid documents, one per line; the first is empty.
const INVALID: &str = r#"
[
{
]
"
["]
[1
[1,
{"a"
{"a":
1 2
1,
[]]
[][]
[1},
[[1],"a":2]
{"a":[1],2}
{"a":[1],"b"}
[{]}
[{"a":1],2]
[[1}]
nul
-
1.
1e
"\
"\u00
[1]x"#;

#[derive(Clone, Copy)]
struct Verdicts;

impl Pass for Verdicts {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        for layout in [false, true] {
            let mut checker = Checker::new(kernel, None, layout);
            for (texts, verdict) in [(VALID, true), (INVALID, false)] {
                for text in texts.lines() {
                    for shift in shifts::<K>() {
                        checker.start_document();
                        let good = check(&mut checker, &padded::<K>(text, shift, 1), layout) && checker.finish();
                        assert_eq!(good, verdict, "{text} behind {shift}");
                    }
                }
            }
            for shift in shifts::<K>() {
                checker.start_document();
                let good = check(&mut checker, &padded::<K>(b"\"\xf0\x9f\"", shift, 1), layout);
                assert!(!good, "half a character behind {shift}");
            }
        }
    }
}

#[test]
fn verdicts() {
    on_every_kernel(Verdicts);
}

/// The text up to a comma, the text after it, whether the comma's container is an object, and whether the document is valid.
const CUTS: [(&str, &str, Option<bool>, bool); 17] = [
    ("[1,", "2]", Some(false), true),
    ("[1,", "\"b\"]", Some(false), true),
    ("[1,", "\"b\":2]", Some(false), false),
    ("[1,", "]", Some(false), false),
    ("[1,", "2}", Some(false), false),
    ("{\"a\":1,", "\"b\":2}", Some(true), true),
    ("{\"a\":1,", "2}", Some(true), false),
    ("{\"a\":1,", "}", Some(true), false),
    ("[{\"a\":[1],", "\"b\":[]},[]]", Some(true), true),
    ("[{\"a\":[1],", "2}]", Some(true), false),
    ("{\"a\":[[],{}],", "\"b\":[[1],2]}", Some(true), true),
    ("{\"a\":[],\"b\":1,", "\"c\":2}", Some(true), true),
    ("[{},\"a\",", "2]", Some(false), true),
    ("{\"a\":[],\"b\",", "2}", None, false),
    ("1,", "2", None, false),
    ("[1],", "2", None, false),
    ("[[1},", "2", None, false),
];

#[derive(Clone, Copy)]
struct Cuts;

impl Pass for Cuts {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        let mut checker = Checker::new(kernel, None, false);
        for (head, tail, kind, verdict) in CUTS {
            for shift in shifts::<K>() {
                checker.start_document();
                let bytes = padded::<K>(head, shift, 0);
                let reconciled = if check(&mut checker, &bytes, false) { checker.reconcile() } else { None };
                assert_eq!(reconciled, kind, "{head} behind {shift}");
                if let Some(object) = reconciled {
                    checker.start_after_comma(object);
                    let good = check(&mut checker, &padded::<K>(tail, shift, 1), false) && checker.finish();
                    assert_eq!(good, verdict, "{head} {tail} behind {shift}");
                }
            }
        }
    }
}

#[test]
fn cuts_after_commas() {
    on_every_kernel(Cuts);
}

/// Look-ahead at a tile: where its last comma is, and whether it ends inside a string.
#[derive(Clone, Copy)]
struct Peek;

impl Pass for Peek {
    type Output = ();

    fn run<K: Kernel>(self, kernel: K) {
        let mut checker = Checker::new(kernel, None, false);
        for (text, comma, ends_in_string) in [
            ("[1,2,\"a,b\" ", Some(4), false),
            ("[1,2,\"a,b", Some(4), true),
            ("[\"a,b\"]", None, false),
            ("\",", None, true),
            ("[1,\"\\\",", Some(2), true),
            ("[1,\"\\\\\",", Some(7), false),
        ] {
            for shift in 0..K::SUPERBLOCK + 3 {
                let bytes = padded::<K>(text, shift, 1);
                checker.start_document();
                let carries = Some(checker.carries());
                checker.check(&bytes, false, true);
                assert_eq!(checker.tile().last_comma(), comma.map(|comma| shift + comma), "{text} behind {shift}");
                let superblocks = bytes.len() / K::SUPERBLOCK;
                assert_eq!(checker.tile().ends_in_string(superblocks), ends_in_string, "{text} behind {shift}");
                // The look-ahead leaves no trace.
                checker.restore(carries);
                assert!(check(&mut checker, &padded::<K>("{\"a\":[]}", shift, 1), false) && checker.finish());
            }
        }
    }
}

#[test]
fn look_ahead_at_a_tile() {
    on_every_kernel(Peek);
}
