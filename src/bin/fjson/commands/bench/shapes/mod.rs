//! Generated documents, so that there is something to measure on any machine: the shapes of well-known data sets.
//!
//! The data sets themselves cannot be shipped, and speed depends on the content: numbers, whitespace, text beyond ASCII,
//! brackets. A document is a head, units and a tail; the same size always gives the same bytes.

#![forbid(unsafe_code)]

mod canada;
mod citm_catalog;
mod ndjson;
mod nesting;
mod random;
mod twitter;
mod users;

use crate::args::bench::Shape;
use crate::commands::bench::job::Origin;
use crate::commands::bench::job::Subject;
use crate::commands::bench::shapes::random::Random;
use fjson::Framing;
use fjson::Layout;
use fjson::Options;

/// Length of the pieces that the sink receives.
const CHUNK: usize = 64 * 1024;

/// The text before, between and after the units.
type Frame = (&'static str, &'static str, &'static str);

/// Appends the unit with a given number.
type Push = fn(u64, &mut Random, &mut String);

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
        let mut text = Vec::new();
        let Ok(()) = self.write(length, &mut |chunk| {
            text.extend_from_slice(chunk.as_bytes());
            Ok::<_, std::convert::Infallible>(())
        });
        Subject { name: format!("{name} (generated)"), text, framing: self.framing(), origin: Origin::Generated }
    }

    /// Writes a document of at least one unit, as close to `bytes` as whole units allow, to `sink` piece by piece.
    pub fn write<E>(self, bytes: u64, sink: &mut dyn FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let ((head, between, tail), push) = self.recipe();
        let mut random = Random::new(self as u64);
        let mut text = String::from(head);
        let mut unit = String::new();
        let mut written = (head.len() + tail.len()) as u64;
        for number in 0.. {
            unit.clear();
            if number > 0 {
                unit.push_str(between);
            }
            push(number, &mut random, &mut unit);
            // A unit is left out if more than half of it would be beyond the length.
            if number > 0 && written + unit.len() as u64 / 2 > bytes {
                break;
            }
            written += unit.len() as u64;
            text.push_str(&unit);
            if text.len() >= CHUNK {
                sink(&text)?;
                text.clear();
            }
        }
        text.push_str(tail);
        sink(&text)
    }

    fn recipe(self) -> (Frame, Push) {
        match self {
            Self::Canada => (canada::FRAME, canada::push_ring),
            Self::CitmCatalog => (citm_catalog::FRAME, citm_catalog::push_performance),
            Self::Twitter => (twitter::FRAME, twitter::push_status),
            Self::Users => (users::FRAME, users::push_user),
            Self::Nesting => (nesting::FRAME, nesting::push_nested),
            Self::Ndjson => (ndjson::FRAME, ndjson::push_record),
        }
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
            let mut text = String::new();
            let Ok(()) = shape.write(200_000, &mut |chunk| {
                assert!(chunk.len() < 2 * CHUNK, "memory is bounded");
                text.push_str(chunk);
                Ok::<_, std::convert::Infallible>(())
            });
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
