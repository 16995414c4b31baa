//! Responses of a route service: dense objects, with the members that queries select ten levels deep.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use crate::shapes::prose::words;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) = ("[", ",\n", "]\n");

/// One response in this many has the member `available_travel_modes`.
const WITH_MODES: u64 = 200;

/// Parts of an encoded polyline, among them an escaped backslash.
const POINTS: [&str; 16] =
    ["kx", "_tG", "~hsyN", "f@", "EB", "WL", "q@J", "\\\\", "zAa", "@m", "uCdB", "?`", "gFw", "nDh@", "BX", "cP"];

pub fn push_response(number: u64, random: &mut Random, text: &mut String) {
    // Writing to a string cannot fail.
    text.push('{');
    if number % WITH_MODES == 9 {
        text.push_str(r#""available_travel_modes":["DRIVING","WALKING","BICYCLING"],"#);
    }
    text.push_str(r#""geocoded_waypoints":["#);
    for point in 0..2 {
        let (between, id) = (if point > 0 { "," } else { "" }, random.below(1 << 40));
        write!(
            text,
            r#"{between}{{"geocoder_status":"OK","place_id":"ChIJ{id:012x}","types":["locality","political"]}}"#
        )
        .ok();
    }
    text.push_str(r#"],"routes":[{"bounds":{"northeast":"#);
    push_place(random, text);
    text.push_str(r#","southwest":"#);
    push_place(random, text);
    write!(text, r#"}},"copyrights":"Map data {}","legs":[{{"#, words(2, random)).ok();
    push_length(random, text);
    write!(text, r#","end_address":"{}","steps":["#, words(5, random)).ok();
    for step in 0..5 + random.below(20) {
        text.push_str(if step > 0 { ",{" } else { "{" });
        push_step(random, text);
        text.push('}');
    }
    write!(
        text,
        r#"],"via_waypoint":[]}}],"summary":"{}","warnings":[],"waypoint_order":[]}}],"status":"OK"}}"#,
        words(3, random)
    )
    .ok();
}

fn push_step(random: &mut Random, text: &mut String) {
    push_length(random, text);
    text.push_str(r#","end_location":"#);
    push_place(random, text);
    let (turn, street) = (random.pick(&["left", "right", "slight left"]), words(2, random));
    // Writing to a string cannot fail.
    write!(
        text,
        r#","html_instructions":"Turn \u003cb\u003e{turn}\u003c/b\u003e onto \u003cb\u003e{street}\u003c/b\u003e","#
    )
    .ok();
    text.push_str(r#""polyline":{"points":""#);
    for _ in 0..8 + random.below(120) {
        text.push_str(random.pick(&POINTS));
    }
    text.push_str(r#""},"start_location":"#);
    push_place(random, text);
    text.push_str(r#","travel_mode":"DRIVING""#);
}

fn push_place(random: &mut Random, text: &mut String) {
    let (north, east) = (random.below(90_000_000), random.below(180_000_000));
    let (north, east) = ((north / 1_000_000, north % 1_000_000), (east / 1_000_000, east % 1_000_000));
    // Writing to a string cannot fail.
    write!(text, r#"{{"lat":{}.{:06},"lng":-{}.{:06}}}"#, north.0, north.1, east.0, east.1).ok();
}

fn push_length(random: &mut Random, text: &mut String) {
    let (metres, seconds) = (10 + random.below(9000), 1 + random.below(900));
    let (whole, tenth, minutes) = (metres / 1000, metres / 100 % 10, seconds / 60 + 1);
    // Writing to a string cannot fail.
    write!(text, r#""distance":{{"text":"{whole}.{tenth} km","value":{metres}}},"#).ok();
    write!(text, r#""duration":{{"text":"{minutes} mins","value":{seconds}}}"#).ok();
}
