//! The fuzz targets `validate` and `minify` alone. A program of all targets has twenty times as many counters of coverage, and to read
//! them takes longer than to check a short document.

#![no_main]

use std::env;
use std::sync::LazyLock;

use proof::target;
use proof::target::Target;

static TARGET: LazyLock<Target> = LazyLock::new(|| match env::var("FJSON_FUZZ_TARGET").as_deref() {
    Ok("validate") => target::validate,
    Ok("minify") => target::minify,
    name => panic!("FJSON_FUZZ_TARGET is {name:?}, not validate or minify"),
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
