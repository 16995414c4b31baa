//! Documents made here, so that there is something to measure on any machine: the shapes of data sets everybody uses.
//!
//! Real data sets may not be carried along, and a speed depends on what a document is made of: numbers, whitespace, text
//! beyond ASCII, brackets. Each shape is a head, units without end, and a tail; the same size always gives the same bytes.

#![forbid(unsafe_code)]

mod canada;
mod citm_catalog;
mod ndjson;
mod nesting;
mod queried;
mod random;
mod twitter;
mod users;

use crate::commands::bench::shapes::queried::ast;
use crate::commands::bench::shapes::queried::bestbuy;
use crate::commands::bench::shapes::queried::crossref;
use crate::commands::bench::shapes::queried::google_map;
use crate::commands::bench::shapes::queried::logs;
use crate::commands::bench::shapes::queried::nspl;
use crate::commands::bench::shapes::queried::twitter_large;
use crate::commands::bench::shapes::queried::walmart;
use crate::commands::bench::shapes::queried::wiki;
use crate::commands::bench::shapes::random::Random;
use crate::commands::bench::subject::Origin;
use crate::commands::bench::subject::Subject;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use fjson::Framing;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Canada,
    CitmCatalog,
    Twitter,
    Users,
    Nesting,
    Ndjson,
    Bestbuy,
    GoogleMap,
    Nspl,
    TwitterLarge,
    Walmart,
    Wiki,
    Crossref,
    Ast,
    Logs,
}

impl ValueEnum for Shape {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()))
    }
}

/// How long a document is to be.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    Bytes(u64),
    Units(u64),
}

/// What is handed to the sink at once.
const CHUNK: usize = 64 * 1024;

/// Appends the unit of a number.
type Push = fn(u64, &mut Random, &mut String);

impl Shape {
    pub const ALL: [Self; 15] = [
        Self::Canada,
        Self::CitmCatalog,
        Self::Twitter,
        Self::Users,
        Self::Nesting,
        Self::Ndjson,
        Self::Bestbuy,
        Self::GoogleMap,
        Self::Nspl,
        Self::TwitterLarge,
        Self::Walmart,
        Self::Wiki,
        Self::Crossref,
        Self::Ast,
        Self::Logs,
    ];

    /// Those that are measured if nothing else is given. The others are large, and only queries tell them apart.
    pub const MEASURED: [Self; 6] =
        [Self::Canada, Self::CitmCatalog, Self::Twitter, Self::Users, Self::Nesting, Self::Ndjson];

    pub fn name(self) -> &'static str {
        match self {
            Self::Canada => "canada",
            Self::CitmCatalog => "citm_catalog",
            Self::Twitter => "twitter",
            Self::Users => "users",
            Self::Nesting => "nesting",
            Self::Ndjson => "ndjson",
            Self::Bestbuy => "bestbuy",
            Self::GoogleMap => "google_map",
            Self::Nspl => "nspl",
            Self::TwitterLarge => "twitter_large",
            Self::Walmart => "walmart",
            Self::Wiki => "wiki",
            Self::Crossref => "crossref",
            Self::Ast => "ast",
            Self::Logs => "logs",
        }
    }

    fn framing(self) -> Framing {
        if matches!(self, Self::Ndjson | Self::Logs) { Framing::Lines } else { Framing::Document }
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
            _ => Length::Bytes(10_000_000),
        };
        let mut text = Vec::new();
        let Ok(()) = self.write(length, &mut |chunk| {
            text.extend_from_slice(chunk.as_bytes());
            Ok::<_, std::convert::Infallible>(())
        });
        let name = format!("{} (generated)", self.name());
        Subject { name, text, framing: self.framing(), origin: Origin::Generated }
    }

    /// Writes a document piece by piece, with at least one unit in it. It is as close to the wanted length as whole units
    /// allow.
    pub fn write<E>(self, length: Length, sink: &mut dyn FnMut(&str) -> Result<(), E>) -> Result<(), E> {
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

    /// What stands before, between and behind the units, and how one is made.
    fn recipe(self) -> ((&'static str, &'static str, &'static str), Push) {
        match self {
            Self::Canada => (canada::FRAME, canada::push_ring),
            Self::CitmCatalog => (citm_catalog::FRAME, citm_catalog::push_performance),
            Self::Twitter => (twitter::FRAME, twitter::push_status),
            Self::Users => (users::FRAME, users::push_user),
            Self::Nesting => (nesting::FRAME, nesting::push_tower),
            Self::Ndjson => (ndjson::FRAME, ndjson::push_record),
            Self::Bestbuy => (bestbuy::FRAME, bestbuy::push_product),
            Self::GoogleMap => (google_map::FRAME, google_map::push_answer),
            Self::Nspl => (nspl::FRAME, nspl::push_row),
            Self::TwitterLarge => (twitter_large::FRAME, twitter_large::push_message),
            Self::Walmart => (walmart::FRAME, walmart::push_article),
            Self::Wiki => (wiki::FRAME, wiki::push_thing),
            Self::Crossref => (crossref::FRAME, crossref::push_paper),
            Self::Ast => (ast::FRAME, ast::push_declaration),
            Self::Logs => (logs::FRAME, logs::push_record),
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
            let framing = shape.framing();
            for bytes in [0, 1, 1000, 65_536, 1_000_000] {
                let document = text(shape, Length::Bytes(bytes));
                let name = shape.name();
                let result = fjson::validate(&document[..], &Options::new().framing(framing));
                result.unwrap_or_else(|error| panic!("{name}, {bytes} bytes: {error} at {}", error.offset()));
                assert_eq!(text(shape, Length::Bytes(bytes)), document);
                // The units of some are longer than what is too much for a short document.
                let shortest = if Shape::MEASURED.contains(&shape) { 65_536 } else { 1_000_000 };
                if bytes >= shortest {
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

    /// What queries look for is there, and as rare as it should be.
    #[test]
    fn queries_find_what_they_look_for() {
        for (shape, expression, least, most) in [
            (Shape::Bestbuy, "$.products[*].categoryPath[1:3].id", 500, 5000),
            (Shape::Bestbuy, "$.products[*].videoChapters", 2, 5),
            (Shape::GoogleMap, "$[*].routes[*].legs[*].steps[*].distance.text", 1000, 10_000),
            (Shape::GoogleMap, "$..available_travel_modes", 1, 10),
            (Shape::Nspl, "$.meta.view.columns[*].name", 44, 44),
            (Shape::Nspl, "$.data[*][*][2:4]", 5000, 100_000),
            (Shape::TwitterLarge, "$[*].entities.urls[*].url", 300, 10_000),
            (Shape::TwitterLarge, "$[0].text", 1, 1),
            (Shape::Walmart, "$.items[*].bestMarketplacePrice.price", 30, 200),
            (Shape::Wiki, "$[10:21].claims.P150[*].mainsnak.property", 1, 4),
            (Shape::Crossref, "$..DOI", 5000, 50_000),
            (Shape::Crossref, "$.items[*].author[*].affiliation[*].name", 100, 5000),
            (Shape::Crossref, "$..editor..affiliation..name", 1, 1),
            (Shape::Ast, "$..decl.name", 1, 100),
            (Shape::Ast, "$..inner..inner..type.qualType", 10_000, 10_000_000),
            (Shape::Logs, "$.ctx.user.id", 10_000, 50_000),
        ] {
            let text = text(shape, Length::Bytes(4_000_000));
            let query = fjson::Query::new(expression).expect("an expression");
            let count = query.count(&*text, &Options::new().framing(shape.framing())).expect("it is valid");
            assert!((least..=most).contains(&count), "{}: {expression} selects {count}", shape.name());
        }
        let depth = |text: &str, most| fjson::validate(text, &Options::new().max_depth(Some(most))).is_ok();
        let ast = text(Shape::Ast, Length::Bytes(1_000_000));
        assert!(depth(&ast, 110) && !depth(&ast, 90));
    }
}
