//! Fuzzes `proof::target::escape`.

#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| proof::target::escape(text));
