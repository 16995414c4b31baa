//! Small objects with the same keys and without whitespace, like rows of a database table.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::generator::Frame;
use crate::commands::bench::shapes::generator::Random;
use std::fmt::Write;

pub const FRAME: Frame = ("[", ",", "]\n");

const FIRST: [&str; 10] =
    ["Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Frances", "Ken", "Margaret", "Niklaus"];
const LAST: [&str; 8] = ["Lee", "Kowalski", "García", "Müller", "Nguyen", "Smith", "Rossi", "Haddad"];
const TAGS: [&str; 5] = [r#""new""#, r#""admin""#, r#""beta","eu""#, r#""us","trial","mobile""#, ""];

pub fn push_user(number: u64, random: &mut Random, text: &mut String) {
    let (first, last, tags) = (random.pick(&FIRST), random.pick(&LAST), random.pick(&TAGS));
    let (age, active) = (18 + random.below(70), random.one_in(2));
    let (whole, cents) = (random.below(10_000), random.below(100));
    // Writing to a string cannot fail.
    write!(text, r#"{{"id":{number},"name":"{first} {last}","email":"user{number}@example.com","age":{age},"#)
        .and_then(|()| write!(text, r#""active":{active},"balance":{whole}.{cents:02},"tags":[{tags}]}}"#))
        .ok();
}
