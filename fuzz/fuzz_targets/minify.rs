//! Fuzzes `proof::target::minify`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::minify(text));
