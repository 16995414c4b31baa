//! Fuzzes `fjson::two_versions`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fjson::two_versions(data));
