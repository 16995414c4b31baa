//! Fuzzes `proof::target::compressed`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::compressed(text));
