//! Fuzzes `proof::target::records`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::records(text));
