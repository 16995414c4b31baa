//! Fuzzes `proof::target::profiles`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::profiles(text));
