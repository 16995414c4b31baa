//! Documents to damage: containers cut out of the data sets, the files of the suites, our own cases.

use std::sync::LazyLock;

use crate::cases;
use crate::generate;
use crate::random::Random;
use crate::suites;

/// The maximum length of a seed: rounds are short, and damage is likely to be near a border.
const LONGEST: usize = 6000;

/// Shorter containers are only used as part of larger ones.
const SHORTEST: usize = 200;

/// A document from one of the sources, or a generated one.
pub fn pick(random: &mut Random) -> Vec<u8> {
    static SEEDS: LazyLock<[Vec<Vec<u8>>; 2]> = LazyLock::new(|| [containers(), small_files()]);
    let seeds = &SEEDS[random.below(2)];
    if seeds.is_empty() || random.one_in(3) {
        let size = random.below(LONGEST);
        return generate::document(random, size);
    }
    seeds[random.below(seeds.len())].clone()
}

/// The containers of suitable length in all data sets.
fn containers() -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for text in suites::data_sets().values() {
        let mut open = Vec::new();
        let mut in_string = false;
        let mut bytes = text.iter().enumerate();
        while let Some((at, byte)) = bytes.next() {
            match byte {
                b'\\' => drop(bytes.next()),
                b'"' => in_string = !in_string,
                b'[' | b'{' if !in_string => open.push(at),
                b']' | b'}' if !in_string => {
                    let start = open.pop().expect("a data set is valid");
                    if (SHORTEST..=LONGEST).contains(&(at - start)) {
                        found.push(text[start..=at].to_vec());
                    }
                }
                _ => {}
            }
        }
    }
    found
}

fn small_files() -> Vec<Vec<u8>> {
    let suites = ["json-test-suite", "nativejson"].into_iter().filter_map(suites::suite).flatten();
    let files = suites.map(|(_, text)| text).chain(cases::all().into_iter().map(|case| case.text));
    files.filter(|text| text.len() <= LONGEST).collect()
}
