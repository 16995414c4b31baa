//! A catalogue of performances, indented by four spaces, as `citm_catalog.json` is: two bytes of three are whitespace.

#![forbid(unsafe_code)]

use crate::commands::bench::shapes::random::Random;
use std::fmt::Write;

pub const FRAME: (&str, &str, &str) = (
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
    let mut fields = Fields { text, depth: 2 };
    fields.open(None, '{');
    fields.field("eventId", event);
    fields.field("id", id);
    fields.field("logo", logo);
    fields.field("name", "null");
    fields.open(Some("prices"), '[');
    for _ in 0..=random.below(4) {
        fields.open(None, '{');
        fields.field("amount", 2500 * random.below(80));
        fields.field("audienceSubCategoryId", 337_100_890);
        fields.field("seatCategoryId", 338_937_295 + random.below(40));
        fields.close('}');
    }
    fields.close(']');
    fields.open(Some("seatCategories"), '[');
    for _ in 0..=random.below(3) {
        fields.open(None, '{');
        fields.open(Some("areas"), '[');
        for _ in 0..=random.below(9) {
            fields.open(None, '{');
            fields.field("areaId", 205_705_993 + random.below(40));
            fields.field("blockIds", "[]");
            fields.close('}');
        }
        fields.close(']');
        fields.field("seatCategoryId", 338_937_295 + random.below(40));
        fields.close('}');
    }
    fields.close(']');
    fields.field("seatMapImage", "null");
    fields.field("start", 1_372_701_600_000 + 3_600_000 * random.below(10_000));
    fields.field("venueCode", r#""SALLE_GENEREE""#);
    fields.close('}');
}

/// Writes one value per line.
struct Fields<'a> {
    text: &'a mut String,
    depth: usize,
}

impl Fields<'_> {
    fn line(&mut self, name: Option<&str>) {
        if self.text.ends_with(['{', '[']) {
            self.text.push('\n');
        } else if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push_str(",\n");
        }
        self.text.extend(std::iter::repeat_n("    ", self.depth));
        if let Some(name) = name {
            self.text.extend(["\"", name, "\": "]);
        }
    }

    fn open(&mut self, name: Option<&str>, bracket: char) {
        self.line(name);
        self.text.push(bracket);
        self.depth += 1;
    }

    fn close(&mut self, bracket: char) {
        self.depth -= 1;
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("    ", self.depth));
        self.text.push(bracket);
    }

    fn field(&mut self, name: &str, value: impl std::fmt::Display) {
        self.line(Some(name));
        // Writing to a string cannot fail.
        write!(self.text, "{value}").ok();
    }
}
