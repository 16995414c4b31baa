//! Replays the seeds of the fuzz targets, so that past findings are tested without a fuzzer.

#![forbid(unsafe_code)]

use std::fs;

use proof::cases;
use proof::suites;
use proof::target;

#[test]
fn seeds() {
    let folder = fs::read_dir(suites::root().join("fuzz/seeds")).expect("fuzz/seeds");
    let seeds = folder.map(|entry| fs::read(entry.expect("an entry").path()).expect("a seed"));
    let cases = cases::all().into_iter().map(|case| case.text);
    for text in seeds.chain(cases) {
        for body in target::ALL {
            body(&text);
        }
    }
}
