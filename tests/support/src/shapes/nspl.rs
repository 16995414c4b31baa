//! A table of open government data: the description of the columns, then rows of short cells.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) =
    ("{\"meta\":{\"view\":{\"id\":\"tr8t-gqz7\",\"name\":\"Postcodes\",\"columns\":[", "\n, ", "]}\n");

const COLUMNS: u64 = 44;

/// Appends a row, and before the first row the description of the columns.
pub fn push_row(number: u64, random: &mut Random, text: &mut String) {
    // Writing to a string cannot fail.
    if number == 0 {
        for column in 0..COLUMNS {
            let between = if column > 0 { ", " } else { "" };
            let id = 25_000_000 + column;
            write!(
                text,
                r#"{between}{{"id":{id},"name":"column {column}","dataTypeName":"text","position":{column}}}"#
            )
            .ok();
        }
        text.push_str("]}},\n\"data\":[");
    }
    write!(text, "[{number}, \"{:08X}-{:04X}\"", random.below(1 << 32), random.below(1 << 16)).ok();
    for _ in 2..COLUMNS {
        match random.below(6) {
            0 | 1 => write!(text, ", \"E{:08}\"", random.below(10_000_000)).ok(),
            2 => write!(text, ", \"{}\"", random.below(100_000)).ok(),
            3 => write!(text, ", {}", random.below(1_000_000)).ok(),
            4 => write!(text, ", null").ok(),
            _ => write!(text, ", \"\"").ok(),
        };
    }
    write!(
        text,
        ", [null, \"51.{:06}\", \"-0.{:06}\", null, false]]",
        random.below(1_000_000),
        random.below(1_000_000)
    )
    .ok();
}
