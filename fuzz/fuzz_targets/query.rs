//! Fuzzes `proof::target::query`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::query(text));
