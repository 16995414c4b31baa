//! Fuzzes `proof::target::sort`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::sort(text));
