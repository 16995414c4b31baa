//! All fuzz targets. `FJSON_FUZZ_TARGET` names the one to run.

#![no_main]

use std::env;
use std::sync::LazyLock;

use proof::target::ALL;
use proof::target::Target;

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = env::var("FJSON_FUZZ_TARGET").expect("FJSON_FUZZ_TARGET names a fuzz target");
    if name == "versions" {
        return fjson::two_versions;
    }
    let names: Vec<_> = ALL.iter().map(|(name, _)| *name).collect();
    let target = ALL.iter().find(|(known, _)| *known == name);
    target.unwrap_or_else(|| panic!("FJSON_FUZZ_TARGET is {name}, not versions or one of {names:?}")).1
});

libfuzzer_sys::fuzz_target!(|data: &[u8]| TARGET(data));
