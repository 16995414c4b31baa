//! Documents made here, so that there is something to measure on any machine: the shapes of data sets everybody uses.
//!
//! Real data sets may not be carried along, and a speed depends on what a document is made of: numbers, whitespace, text
//! beyond ASCII, brackets. Each shape is a head, units without end, and a tail; the same size always gives the same bytes.

#![forbid(unsafe_code)]

mod canada;
mod citm_catalog;
mod ndjson;
mod nesting;
mod random;
mod twitter;
mod users;

use crate::commands::bench::shapes::random::Random;
use crate::commands::bench::subject::Origin;
use crate::commands::bench::subject::Subject;
use clap::ValueEnum;
use fjson::Framing;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    Canada,
    #[value(name = "citm_catalog")]
    CitmCatalog,
    Twitter,
    Users,
    Nesting,
    Ndjson,
}

/// How long a document is to be.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    Bytes(u64),
    Units(u64),
}

/// What is handed to the sink at once.
const CHUNK: usize = 64 * 1024;

impl Shape {
    pub const ALL: [Self; 6] =
        [Self::Canada, Self::CitmCatalog, Self::Twitter, Self::Users, Self::Nesting, Self::Ndjson];

    pub fn name(self) -> &'static str {
        match self {
            Self::Canada => "canada",
            Self::CitmCatalog => "citm_catalog",
            Self::Twitter => "twitter",
            Self::Users => "users",
            Self::Nesting => "nesting",
            Self::Ndjson => "ndjson",
        }
    }

    /// The document of this shape that is measured if no other is given: about as long as the data set itself.
    pub fn subject(self) -> Subject {
        let length = match self {
            Self::Canada => Length::Bytes(2_250_000),
            Self::CitmCatalog => Length::Bytes(1_730_000),
            Self::Twitter => Length::Bytes(630_000),
            Self::Users => Length::Units(100_000),
            Self::Nesting => Length::Bytes(1_000_000),
            Self::Ndjson => Length::Bytes(4_000_000),
        };
        let mut text = Vec::new();
        let Ok(()) = self.write(length, &mut |chunk| {
            text.extend_from_slice(chunk.as_bytes());
            Ok::<_, std::convert::Infallible>(())
        });
        let framing = if self == Self::Ndjson { Framing::Lines } else { Framing::Document };
        Subject { name: format!("{} (generated)", self.name()), text, framing, origin: Origin::Generated }
    }

    /// Writes a document piece by piece, with at least one unit in it. It is as close to the wanted length as whole units
    /// allow.
    pub fn write<E>(self, length: Length, sink: &mut dyn FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        let (head, between, tail) = self.frame();
        let mut random = Random::new(self as u64);
        let mut text = String::from(head);
        let mut unit = String::new();
        let mut written = (head.len() + tail.len()) as u64;
        for number in 0.. {
            unit.clear();
            if number > 0 {
                unit.push_str(between);
            }
            self.push_unit(number, &mut random, &mut unit);
            let is_over = match length {
                Length::Units(units) => number >= units,
                // Half of the unit would stand out.
                Length::Bytes(bytes) => written + unit.len() as u64 / 2 > bytes,
            };
            if is_over && number > 0 {
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

    /// What stands before, between and behind the units.
    fn frame(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Canada => canada::FRAME,
            Self::CitmCatalog => citm_catalog::FRAME,
            Self::Twitter => twitter::FRAME,
            Self::Users => users::FRAME,
            Self::Nesting => nesting::FRAME,
            Self::Ndjson => ndjson::FRAME,
        }
    }

    fn push_unit(self, number: u64, random: &mut Random, text: &mut String) {
        match self {
            Self::Canada => canada::push_ring(random, text),
            Self::CitmCatalog => citm_catalog::push_performance(number, random, text),
            Self::Twitter => twitter::push_status(number, random, text),
            Self::Users => users::push_user(number, random, text),
            Self::Nesting => nesting::push_tower(random, text),
            Self::Ndjson => ndjson::push_record(number, random, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fjson::Options;

    fn text(shape: Shape, length: Length) -> String {
        let mut text = String::new();
        shape
            .write(length, &mut |chunk| {
                assert!(chunk.len() < 2 * CHUNK, "memory is bounded");
                text.push_str(chunk);
                Ok::<_, ()>(())
            })
            .expect("nothing fails here");
        text
    }

    #[test]
    fn documents_are_valid_of_the_wanted_size_and_always_the_same() {
        for shape in Shape::ALL {
            let framing = shape.subject().framing;
            for bytes in [0, 1, 1000, 65_536, 1_000_000] {
                let document = text(shape, Length::Bytes(bytes));
                let name = shape.name();
                let result = fjson::validate(&document[..], &Options::new().framing(framing));
                result.unwrap_or_else(|error| panic!("{name}, {bytes} bytes: {error} at {}", error.offset()));
                assert_eq!(text(shape, Length::Bytes(bytes)), document);
                if bytes >= 65_536 {
                    let error = document.len().abs_diff(usize::try_from(bytes).expect("small"));
                    assert!(error * 100 < 3 * document.len(), "{name}: {} bytes for {bytes}", document.len());
                }
            }
        }
    }

    #[test]
    fn units_are_counted() {
        let users = text(Shape::Users, Length::Units(1000));
        assert_eq!(users.matches("\"id\":").count(), 1000);
        assert_eq!(text(Shape::Ndjson, Length::Units(7)).lines().count(), 7);
    }

    /// What makes the shapes differ, as the data sets do.
    #[test]
    fn shapes_are_what_they_say() {
        let share = |shape, of: fn(char) -> bool| {
            let text = text(shape, Length::Bytes(200_000));
            text.chars().filter(|&character| of(character)).count() * 100 / text.chars().count()
        };
        assert!(share(Shape::Canada, |character| character.is_ascii_digit()) > 80);
        assert!(share(Shape::CitmCatalog, char::is_whitespace) > 60);
        assert!((5..30).contains(&share(Shape::Twitter, |character| !character.is_ascii())));
        assert!(share(Shape::Users, char::is_whitespace) < 5);
        assert!(share(Shape::Nesting, |character| "[]{}".contains(character)) > 30);
    }
}
