//! Fuzzes `proof::target::validate`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::validate(text));
