//! Short documents, which have a path of their own: the results are those of the general path.

use fjson::Input;
use fjson::Options;
use proof::check::kernels;
use proof::mutate;
use proof::random::rounds;
use proof::seeds;

/// A reader always takes the general path.
fn through_reader(text: &[u8], options: &Options) -> (Option<u64>, Vec<u8>) {
    let mut output = Vec::new();
    let result = fjson::minify(Input::from_reader(text), &mut output, options);
    (result.ok().map(|summary| summary.bytes), output)
}

#[test]
fn short_documents_have_the_results_of_long_ones() {
    rounds(8_100, |random| {
        let mut text = seeds::pick(random);
        text.truncate(random.below(1200));
        if random.one_in(2) {
            text = [b"[", &text[..], b"]"].concat();
        }
        if random.one_in(2) {
            mutate::mutate(random, &mut text);
        }
        for depth in [None, Some(2)] {
            for &isa in kernels() {
                let options = Options::new().isa(isa).max_depth(depth);
                let (bytes, expected) = through_reader(&text, &options);
                let mut output = Vec::new();
                let result = fjson::minify(&text, &mut output, &options);
                assert_eq!((result.ok().map(|summary| summary.bytes), output), (bytes, expected));
                let summary = fjson::validate(&text, &options);
                assert_eq!(
                    summary.ok().map(|summary| (summary.documents, summary.bytes)),
                    bytes.map(|bytes| (1, bytes))
                );
            }
        }
        assert_eq!(fjson::is_valid(&text), fjson::validate(Input::from_reader(&text[..]), &Options::new()).is_ok());
    });
}
