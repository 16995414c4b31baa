//! Fuzzes `proof::target::threads`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::threads(text));
