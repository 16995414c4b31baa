//! Every indentation there is.

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
    rounds(10, |random| {
        let mut text = if random.one_in(2) { generate::tower(random) } else { seeds::pick(random) };
        mutate::shift(random, &mut text);
        let width = u8::try_from(random.below(18)).expect("a width");
        let (layout, indent) = match width {
            17 => (Layout::tab(), b"\t".to_vec()),
            _ => (Layout::spaces(width), vec![b' '; usize::from(width)]),
        };
        let laid_out = [&writer::pretty(&text, &indent)[..], b"\n"].concat();
        for &isa in check::kernels() {
            let options = Options::new().isa(isa);
            let mut written = Vec::new();
            if fjson::pretty(&text, &mut written, &layout, &options).is_ok() {
                assert_eq!(Shown(&written), Shown(&laid_out), "{layout:?} on {isa}: {}", Shown(&text));
                assert_eq!(fjson::is_pretty(&written, &layout, &options).expect("valid"), None, "{layout:?} on {isa}");
            }
        }
    });
}
