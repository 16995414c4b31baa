//! Fuzzes `proof::target::canonical`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::canonical(text));
