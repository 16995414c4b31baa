//! A catalog of performances like `citm_catalog.json`, indented by four spaces: two thirds of the bytes are whitespace.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::generator::Frame;
use crate::commands::bench::shapes::generator::Random;
use crate::commands::bench::shapes::push_indented;

pub const FRAME: Frame = (
    r#"{
    "areaNames": {
        "205705993": "Arrière-scène central",
        "205705994": "1er balcon central",
        "205705995": "2ème balcon côté cour"
    },
    "performances": [
"#,
    ",\n",
    r#"
    ],
    "venueNames": {
        "SALLE_GENEREE": "Salle générée"
    }
}
"#,
);

pub fn push_performance(number: u64, random: &mut Random, text: &mut String) {
    let (event, id) = (138_586_341 + random.below(400_000), 339_887_544 + number);
    let logo = if random.one_in(2) { "null" } else { r#""/images/UE0AAAAACEKo6QAAAAZDSVRN""# };
    let category = |random: &mut Random| 338_937_295 + random.below(40);
    let prices = array(1 + random.below(4), random, |random| {
        let (amount, category) = (2500 * random.below(80), category(random));
        format!(r#"{{"amount":{amount},"audienceSubCategoryId":337100890,"seatCategoryId":{category}}}"#)
    });
    let categories = array(1 + random.below(3), random, |random| {
        let areas = array(1 + random.below(9), random, |random| {
            format!(r#"{{"areaId":{},"blockIds":[]}}"#, 205_705_993 + random.below(40))
        });
        format!(r#"{{"areas":{areas},"seatCategoryId":{}}}"#, category(random))
    });
    let start = 1_372_701_600_000 + 3_600_000 * random.below(10_000);
    let performance = format!(
        r#"{{"eventId":{event},"id":{id},"logo":{logo},"name":null,"prices":{prices},"seatCategories":{categories},
            "seatMapImage":null,"start":{start},"venueCode":"SALLE_GENEREE"}}"#
    );
    push_indented(&performance, 4, text);
}

fn array(length: u64, random: &mut Random, element: impl Fn(&mut Random) -> String) -> String {
    let elements: Vec<_> = (0..length).map(|_| element(random)).collect();
    format!("[{}]", elements.join(","))
}
