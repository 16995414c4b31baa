//! Fuzzes `proof::target::pretty`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::pretty(text));
