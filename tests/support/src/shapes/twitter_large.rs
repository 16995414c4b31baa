//! Messages in one long minified array: the same keys occur at several depths because a message may contain another.

#![forbid(unsafe_code)]

use crate::shapes::generator::Random;
use crate::shapes::prose::words;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) = ("[", ",", "]\n");

const SOURCE: &str = r#""\u003ca href=\"http:\/\/app.example.com\" rel=\"nofollow\"\u003eAn app\u003c\/a\u003e""#;

pub fn push_message(number: u64, random: &mut Random, text: &mut String) {
    push_open(number, random, text);
    if random.one_in(3) {
        text.push_str(r#","retweeted_status":"#);
        push_open(number / 2, random, text);
        text.push('}');
    }
    text.push('}');
}

/// Appends a message without its closing bracket.
fn push_open(number: u64, random: &mut Random, text: &mut String) {
    let (id, user, second) =
        (100_000_000_000_000_000 + number * 1000 + random.below(1000), random.below(1 << 30), random.below(60));
    let (message, about, name) = (words(12, random), words(20, random), words(2, random));
    let (followers, friends, color) = (random.below(10_000), random.below(2000), random.below(1 << 24));
    // Writing to a string cannot fail.
    write!(text, r#"{{"created_at":"Mon Feb 03 10:15:{second:02} +0000 2014","id":{id},"id_str":"{id}","#).ok();
    write!(
        text,
        r#""text":"{message} \u2026 http:\/\/t.co\/{second:04x} \u003c3","source":{SOURCE},"truncated":false,"#
    )
    .ok();
    write!(text, r#""in_reply_to_status_id":null,"in_reply_to_user_id":null,"user":{{"id":{user},"id_str":"{user}","#)
        .ok();
    write!(text, r#""name":"{name}","screen_name":"user{user}","location":"","url":null,"description":"{about}","#)
        .ok();
    write!(text, r#""protected":false,"followers_count":{followers},"friends_count":{friends},"listed_count":3,"#).ok();
    write!(text, r#""utc_offset":null,"time_zone":null,"geo_enabled":true,"verified":false,"lang":"en","#).ok();
    for part in ["sidebar_border", "sidebar_fill", "link", "text", "background"] {
        write!(text, r#""profile_{part}_color":"{color:06X}","#).ok();
    }
    write!(text, r#""profile_image_url":"http:\/\/pbs.example.com\/{user}\/normal.jpeg","default_profile":false,"#)
        .ok();
    text.push_str(
        r#""following":null,"notifications":null,"entities":{"url":{"urls":[]}}},"geo":null,"coordinates":null,"#,
    );
    write!(
        text,
        r#""place":null,"retweet_count":{},"entities":{{"hashtags":[],"symbols":[],"urls":["#,
        random.below(90)
    )
    .ok();
    for link in 0..random.below(3) {
        let between = if link > 0 { "," } else { "" };
        write!(
            text,
            r#"{between}{{"url":"http:\/\/t.co\/{link}a{id:x}","expanded_url":"http:\/\/www.example.com\/{link}","#
        )
        .ok();
        write!(text, r#""display_url":"example.com\/{link}","indices":[{},{}]}}"#, 40 + link, 62 + link).ok();
    }
    text.push_str(r#"],"user_mentions":["#);
    for mention in 0..random.below(3) {
        let between = if mention > 0 { "," } else { "" };
        let id = random.below(1 << 30);
        write!(
            text,
            r#"{between}{{"screen_name":"user{id}","name":"{}","id":{id},"indices":[3,14]}}"#,
            words(2, random)
        )
        .ok();
    }
    text.push_str(r#"]},"favorited":false,"retweeted":false,"filter_level":"medium","lang":"en""#);
}
