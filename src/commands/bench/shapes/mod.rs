//! Generated documents, so that there is something to measure on any machine: the shapes of well-known data sets.
//!
//! The data sets themselves cannot be shipped, and speed depends on the content: numbers, whitespace, text beyond ASCII,
//! brackets. A document is a head, units and a tail; the same size always gives the same bytes.

#![forbid(unsafe_code)]

mod canada;
mod citm_catalog;
mod generator;
mod ndjson;
mod nesting;
mod twitter;
mod users;

use crate::args::bench::Shape;
use crate::commands::bench::job::Origin;
use crate::commands::bench::job::Subject;
use crate::commands::bench::shapes::generator::Push;
use crate::commands::bench::shapes::generator::Recipe;
use fjson::Framing;
use fjson::Layout;
use fjson::Options;

impl Shape {
    fn framing(self) -> Framing {
        if self == Self::Ndjson { Framing::Lines } else { Framing::Document }
    }

    /// Returns a document of this shape that is about as long as the data set.
    pub fn subject(self) -> Subject {
        let (name, length) = match self {
            Self::Canada => ("canada", 2_250_000),
            Self::CitmCatalog => ("citm_catalog", 1_730_000),
            Self::Twitter => ("twitter", 630_000),
            // 100,000 users.
            Self::Users => ("users", 12_745_587),
            Self::Nesting => ("nesting", 1_000_000),
            Self::Ndjson => ("ndjson", 4_000_000),
        };
        let text = self.recipe().text(length).into_bytes();
        Subject { name: format!("{name} (generated)"), text, framing: self.framing(), origin: Origin::Generated }
    }

    /// Returns the content of documents of this shape.
    pub fn recipe(self) -> Recipe {
        let (frame, push): (_, Push) = match self {
            Self::Canada => (canada::FRAME, canada::push_ring),
            Self::CitmCatalog => (citm_catalog::FRAME, citm_catalog::push_performance),
            Self::Twitter => (twitter::FRAME, twitter::push_status),
            Self::Users => (users::FRAME, users::push_user),
            Self::Nesting => (nesting::FRAME, nesting::push_nested),
            Self::Ndjson => (ndjson::FRAME, ndjson::push_record),
        };
        Recipe { seed: self as u64, frame, push }
    }
}

/// Appends a value indented by `spaces` per level, as it is laid out two levels below the root of a document.
fn push_indented(value: &str, spaces: u8, text: &mut String) {
    let mut pretty = Vec::new();
    // Units are valid, and a vector accepts everything.
    fjson::pretty(value, &mut pretty, &Layout::spaces(spaces), &Options::new()).ok();
    let margin = " ".repeat(2 * usize::from(spaces));
    for (number, line) in String::from_utf8_lossy(&pretty).lines().enumerate() {
        text.extend([if number > 0 { "\n" } else { "" }, &margin, line]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_the_characters_of_the_data_sets() {
        let share = |shape: Shape, of: fn(char) -> bool| {
            let text = shape.recipe().text(200_000);
            text.chars().filter(|&character| of(character)).count() * 100 / text.chars().count()
        };
        assert!(share(Shape::Canada, |character| character.is_ascii_digit()) > 80);
        assert!(share(Shape::CitmCatalog, char::is_whitespace) > 60);
        assert!((5..30).contains(&share(Shape::Twitter, |character| !character.is_ascii())));
        assert!(share(Shape::Users, char::is_whitespace) < 5);
        assert!(share(Shape::Nesting, |character| "[]{}".contains(character)) > 30);
        let users = Shape::Users.subject().text;
        assert!(users.windows(11).any(|text| text == b"\"id\":99999,") && users.len() == 12_745_587);
    }
}
