//! Records of a log, one per line, of 120 to 400 bytes.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::generator::Frame;
use crate::commands::bench::shapes::generator::Random;
use std::fmt::Write;

pub const FRAME: Frame = ("", "", "");

const LEVELS: [&str; 5] = ["info", "info", "debug", "warn", "error"];
const PATHS: [&str; 4] = ["/", "/api/v1/users", "/api/v1/orders/confirm", "/health"];
const MESSAGES: [&str; 5] = [
    "request served",
    "cache miss, asking the data base",
    "retry after timeout",
    r#"upstream said \"slow down\""#,
    r"could not parse the header: \u0000 is not allowed in it, and neither is any other control character but the tab",
];

pub fn push_record(number: u64, random: &mut Random, text: &mut String) {
    let (hour, minute, second, milli) = (number / 3600 % 24, number / 60 % 60, number % 60, random.below(1000));
    let (level, path, message) = (random.pick(&LEVELS), random.pick(&PATHS), random.pick(&MESSAGES));
    let (user, status, micros) = (random.below(100_000), 200 + 100 * random.below(4), random.below(90_000));
    // Writing to a string cannot fail.
    write!(text, r#"{{"time":"2026-11-20T{hour:02}:{minute:02}:{second:02}.{milli:03}Z","level":"{level}","#).ok();
    write!(text, r#""message":"{message}","request":{{"path":"{path}","status":{status},"user":{{"id":{user}}}}},"#)
        .ok();
    write!(text, r#""milliseconds":{}.{:03}"#, micros / 1000, micros % 1000).ok();
    if random.one_in(4) {
        let (read, hits) = (random.below(1 << 20), random.below(50));
        write!(text, r#","detail":{{"bytes_read":{read},"cache_hits":{hits},"hosts":["db-1","db-2"],"retried":null}}"#)
            .ok();
    }
    text.push_str("}\n");
}
