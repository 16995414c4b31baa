//! Every indentation, and every depth at which gaps are written differently.

use fjson::Layout;
use fjson::Options;
use proof::check;
use proof::check::Shown;
use proof::generate;
use proof::mutate;
use proof::random::rounds;
use proof::seeds;
use proof::writer;

#[test]
fn every_indentation() {
    rounds(260, |random| {
        let mut text = if random.one_in(2) { generate::tower(random) } else { seeds::pick(random) };
        mutate::shift(random, &mut text);
        let width = u8::try_from(random.below(18)).expect("a width");
        let (layout, indent) = match width {
            17 => (Layout::tab(), b"\t".to_vec()),
            _ => (Layout::spaces(width), vec![b' '; usize::from(width)]),
        };
        agree(&text, layout, &indent);
    });
}

/// Members so deep that their gaps are wider than a piece that is copied at once, next to shallow ones.
#[test]
fn shallow_and_deep() {
    let names = r#"{"a":[],"b":{"c":[1,"two"]}},"#;
    for depth in (1..=64).chain([100, 127, 128, 255, 256, 300, 1023, 3000]) {
        let deep = [&"[".repeat(depth)[..], &names.repeat(70), "0", &"]".repeat(depth)].concat();
        let text = ["[", &names.repeat(40), &deep, ",", &names.repeat(40), &deep, "]"].concat();
        for (layout, indent) in
            [(Layout::tab(), &b"\t"[..]), (Layout::spaces(2), b"  "), (Layout::spaces(16), &[b' '; 16])]
        {
            agree(text.as_bytes(), layout, indent);
        }
    }
}

/// On every kernel, valid documents are written correctly.
fn agree(text: &[u8], layout: Layout, indent: &[u8]) {
    let laid_out = [&writer::pretty(text, indent)[..], b"\n"].concat();
    for &isa in check::kernels() {
        let options = Options::new().isa(isa);
        let mut written = Vec::new();
        if fjson::pretty(text, &mut written, &layout, &options).is_ok() {
            assert_eq!(Shown(&written), Shown(&laid_out), "{layout:?} on {isa}: {}", Shown(text));
            assert_eq!(
                fjson::pretty_difference(&written, &layout, &options).expect("valid"),
                None,
                "{layout:?} on {isa}"
            );
        }
    }
}
