//! Coordinates like those of `canada.json`: nine bytes of ten belong to a number.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::generator::Frame;
use crate::commands::bench::shapes::generator::Random;
use std::fmt::Write;

pub const FRAME: Frame = (
    "{ \"type\": \"FeatureCollection\",\n  \"features\": [\n{\n    \"type\": \"Feature\",\n\"properties\": { \"name\": \
     \"Generated\" },\n\"geometry\": {\"type\":\"Polygon\",\"coordinates\":[",
    ",\n",
    "]}\n}\n]\n}\n",
);

/// One degree in the unit of coordinates.
const DEGREE: u64 = 1_000_000;

/// Appends a path of points near each other.
pub fn push_ring(_: u64, random: &mut Random, text: &mut String) {
    let mut west = 60 * DEGREE + random.below(80 * DEGREE);
    let mut north = 42 * DEGREE + random.below(40 * DEGREE);
    for point in 0..8 + random.below(40) {
        text.push_str(if point == 0 { "[[-" } else { ",[-" });
        push_degrees(west, random, text);
        text.push(',');
        push_degrees(north, random, text);
        text.push(']');
        west = west + random.below(20_000) - 10_000;
        north = north + random.below(20_000) - 10_000;
    }
    text.push(']');
}

/// Appends a coordinate: six digits, and usually the digits that the conversion to a double adds.
fn push_degrees(degrees: u64, random: &mut Random, text: &mut String) {
    let (whole, part) = (degrees / DEGREE, degrees % DEGREE);
    // Writing to a string cannot fail.
    match random.below(8) {
        0 => write!(text, "{whole}.{part:06}"),
        1..=4 => write!(text, "{whole}.{part:06}000000{:03}", random.below(1000)),
        _ => write!(text, "{whole}.{part:06}999999{:03}", random.below(1000)),
    }
    .ok();
}
