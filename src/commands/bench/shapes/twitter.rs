//! Messages like those of `twitter.json`, indented by two spaces: long objects, and text in many scripts.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::generator::Frame;
use crate::commands::bench::shapes::generator::Random;
use crate::commands::bench::shapes::push_indented;

pub const FRAME: Frame = (
    "{\n  \"statuses\": [\n",
    ",\n",
    "\n  ],\n  \"search_metadata\": {\n    \"completed_in\": 0.087,\n    \"query\": \"%E4%B8%80\",\n    \"count\": 100\n  }\n}\n",
);

const NAMES: [&str; 8] = ["さくら", "たろう🍣", "Łukasz", "Zoë", "山田花子", "Иван", "Γιώργος", "michel"];

const WORDS: &str = r#"今日は とても 良い 天気 ですね ラーメン 食べたい 😋✨ 電車 遅れて います 東京 から 大阪 まで おはよう ございます ❤️ RT
    @friend \n \"引用\" http:\/\/t.co\/Ab12 café"#;

pub fn push_status(number: u64, random: &mut Random, text: &mut String) {
    let id = 505_874_924_095_815_681 + 1000 * number + random.below(1000);
    let user = 1_186_275_104 + random.below(1_000_000_000);
    let name = random.pick(&NAMES);
    let message = sentence(random, 8);
    let about = sentence(random, 14);
    let (followers, friends, statuses) = (random.below(5000), random.below(2000), random.below(90_000));
    let reply = if random.one_in(3) { (866_260_188 + random.below(1000)).to_string() } else { "null".to_owned() };
    let (retweets, second, verified) = (random.below(60), random.below(60), random.one_in(20));
    let status = format!(
        r#"{{"metadata":{{"result_type":"recent","iso_language_code":"ja"}},"created_at":"Sun Aug 31 00:29:{second:02} +0000 2014",
            "id":{id},"id_str":"{id}","text":"{message}",
            "source":"<a href=\"http://example.com/app\" rel=\"nofollow\">An app</a>","truncated":false,
            "in_reply_to_user_id":{reply},"user":{{"id":{user},"id_str":"{user}","name":"{name}",
            "screen_name":"user{user}","location":"","description":"{about}","url":null,"protected":false,
            "followers_count":{followers},"friends_count":{friends},"created_at":"Sat Feb 16 13:40:{second:02} +0000 2013",
            "verified":{verified},"statuses_count":{statuses},
            "profile_image_url":"http://example.com/profile_images/{user}/normal.jpeg","default_profile":true}},
            "geo":null,"retweet_count":{retweets},"entities":{{"hashtags":[],
            "user_mentions":[{{"screen_name":"friend","indices":[0,9]}}]}},"favorited":false,"lang":"ja"}}"#
    );
    push_indented(&status, 2, text);
}

fn sentence(random: &mut Random, least: u64) -> String {
    let words: Vec<_> = WORDS.split_whitespace().collect();
    let length = least + random.below(2 * least);
    (0..length).map(|_| random.pick(&words)).collect::<Vec<_>>().join(" ")
}
