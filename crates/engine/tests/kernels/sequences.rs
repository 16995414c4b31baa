//! All sequences of tokens up to a length.
//!
//! They violate the rules about the root, which random damage hardly ever violates alone: an engine that confuses the
//! root with the inside of a container passes every other test.

use std::env;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;
use std::thread;

use proof::check;
use proof::check::Verb;
use proof::generate::FRAMING_TOKENS;
use proof::generate::TOKENS;
use proof::generate::sequences;
use proof::target;

/// Up to six tokens, seven with `FJSON_THOROUGH`, or `FJSON_FUZZ_TOKENS`.
#[test]
fn close_together() {
    let default = if env::var_os("FJSON_THOROUGH").is_some() { 7 } else { 6 };
    on_all_cores(&TOKENS, wanted().unwrap_or(default), check::document);
}

/// Up to five tokens, or fewer if `FJSON_FUZZ_TOKENS` is less, each a tile away from the next, so that the scan may stop after each
/// comma.
#[test]
fn far_apart() {
    const TILE: usize = 4096;
    on_all_cores(&TOKENS, wanted().map_or(5, |wanted| wanted.min(5)), |text| {
        let mut spread = Vec::new();
        for (index, &byte) in text.iter().enumerate() {
            // The three bytes of a key stay together.
            let together = byte == b'a' || byte == b'"' && text.get(index + 1) == Some(&b':') || index == 0;
            if !together {
                spread.resize(spread.len() + TILE - 1, b' ');
            }
            spread.push(byte);
        }
        for verb in [Verb::Validate, Verb::Minify] {
            let expected = check::reference(verb, &spread);
            for &isa in check::kernels() {
                let got = check::outcome(verb, &spread, &check::options(verb, isa).window(1));
                check::same(&expected, &got, &spread, format_args!("{verb:?} on {isa}, every token in its own tile"));
            }
        }
    });
}

/// Up to five bytes of several documents, or fewer if `FJSON_FUZZ_TOKENS` is less, in every framing.
#[test]
fn framed() {
    on_all_cores(&FRAMING_TOKENS, wanted().map_or(5, |wanted| wanted.min(5)), target::records);
}

/// Returns `FJSON_FUZZ_TOKENS`.
fn wanted() -> Option<u32> {
    let text = env::var("FJSON_FUZZ_TOKENS").ok()?;
    Some(text.parse().expect("a number of tokens"))
}

/// Calls `each` with every sequence of up to `longest` tokens, divided among threads by length and first token.
fn on_all_cores(tokens: &[&[u8]], longest: u32, each: impl Fn(&[u8]) + Sync) {
    let jobs: Vec<_> = (0..longest).flat_map(|free| tokens.iter().map(move |&first| (first, free))).collect();
    let taken = AtomicUsize::new(0);
    let work = || {
        // The longest first, so that no thread is left with one at the end.
        while let Some(&(first, free)) = jobs.iter().nth_back(taken.fetch_add(1, Ordering::Relaxed)) {
            sequences(tokens, first, free, &each);
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
}
