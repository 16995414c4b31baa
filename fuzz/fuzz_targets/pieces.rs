//! Fuzzes `proof::target::pieces`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::pieces(text));
