//! Fuzzes `proof::target::scalar`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::scalar(text));
