//! Documents for `benches/queries`: the shapes of large public data sets on which query engines are usually measured.
//!
//! The speed of a query depends on where the selected member is among the others, how many records have it and how many
//! bytes are between two matches. These shapes copy that from data sets that are too large to ship. Their words and numbers
//! are invented. A document is a head, units and a tail; the same size always gives the same bytes.

mod ast;
mod bestbuy;
mod crossref;
#[path = "../../../../src/commands/bench/shapes/generator.rs"]
mod generator;
mod google_map;
mod logs;
mod nspl;
mod prose;
mod twitter_large;
mod walmart;
mod wiki;

use crate::shapes::generator::Frame;
use crate::shapes::generator::Push;
use crate::shapes::generator::Recipe;

/// The shape of a generated document.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The name that `benches/queries` uses.
    pub name: &'static str,
    /// Whether each unit is a record on a line of its own.
    pub is_lines: bool,
    recipe: Recipe,
}

const fn shape(name: &'static str, seed: u64, frame: Frame, push: Push) -> Shape {
    Shape { name, is_lines: frame.0.is_empty(), recipe: Recipe { seed, frame, push } }
}

/// All shapes. `fjson bench --emit` uses the seeds below 6.
pub const SHAPES: [Shape; 9] = [
    shape("bestbuy", 6, bestbuy::FRAME, bestbuy::push_product),
    shape("google_map", 7, google_map::FRAME, google_map::push_response),
    shape("nspl", 8, nspl::FRAME, nspl::push_row),
    shape("twitter_large", 9, twitter_large::FRAME, twitter_large::push_message),
    shape("walmart", 10, walmart::FRAME, walmart::push_article),
    shape("wiki", 11, wiki::FRAME, wiki::push_entity),
    shape("crossref", 12, crossref::FRAME, crossref::push_paper),
    shape("ast", 13, ast::FRAME, ast::push_declaration),
    shape("logs", 14, logs::FRAME, logs::push_record),
];

impl Shape {
    /// Returns the shape called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        SHAPES.into_iter().find(|shape| shape.name == name)
    }

    /// Returns the document that [`write`](Self::write) writes.
    #[must_use]
    pub fn text(self, bytes: u64) -> String {
        self.recipe.text(bytes)
    }

    /// Writes a document of at least one unit, as close to `bytes` as whole units allow, to `sink` piece by piece.
    ///
    /// # Errors
    ///
    /// The first error of `sink`.
    pub fn write<E>(self, bytes: u64, sink: &mut dyn FnMut(&str) -> Result<(), E>) -> Result<(), E> {
        self.recipe.write(bytes, sink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fjson::Framing;
    use fjson::Options;
    use fjson::Query;

    fn options(shape: Shape) -> Options {
        Options::new().framing(if shape.is_lines { Framing::Lines } else { Framing::Document })
    }

    #[test]
    fn documents_are_valid_and_of_the_requested_size() {
        for shape in SHAPES {
            for bytes in [0, 1000, 1_000_000] {
                let document = shape.text(bytes);
                let result = fjson::validate(&*document, &options(shape));
                result.unwrap_or_else(|error| panic!("{}, {bytes} bytes: {error}", shape.name));
                assert_eq!(shape.text(bytes), document);
                let difference = document.len().abs_diff(usize::try_from(bytes).expect("small"));
                assert!(bytes < 1_000_000 || difference * 50 < document.len(), "{}: {bytes}", shape.name);
            }
        }
    }

    /// The members that queries select are there, and as rare as in the data sets.
    #[test]
    fn queries_have_the_expected_number_of_matches() {
        for (name, expression, least, most) in [
            ("bestbuy", "$.products[*].categoryPath[1:3].id", 500, 5000),
            ("bestbuy", "$.products[*].videoChapters", 2, 5),
            ("google_map", "$[*].routes[*].legs[*].steps[*].distance.text", 1000, 10_000),
            ("google_map", "$..available_travel_modes", 1, 10),
            ("nspl", "$.meta.view.columns[*].name", 44, 44),
            ("nspl", "$.data[*][*][2:4]", 5000, 100_000),
            ("twitter_large", "$[*].entities.urls[*].url", 300, 10_000),
            ("twitter_large", "$[0].text", 1, 1),
            ("walmart", "$.items[*].bestMarketplacePrice.price", 30, 200),
            ("wiki", "$[10:21].claims.P150[*].mainsnak.property", 1, 4),
            ("crossref", "$..DOI", 5000, 50_000),
            ("crossref", "$.items[*].author[*].affiliation[*].name", 100, 5000),
            ("crossref", "$..editor..affiliation..name", 1, 1),
            ("ast", "$..decl.name", 1, 100),
            ("ast", "$..inner..inner..type.qualType", 10_000, 10_000_000),
            ("logs", "$.ctx.user.id", 10_000, 50_000),
        ] {
            let shape = Shape::named(name).expect("a shape");
            let query = Query::new(expression).expect("an expression");
            let count = query.count(&*shape.text(4_000_000), &options(shape)).expect("a valid document");
            assert!((least..=most).contains(&count), "{name}: {expression} selects {count}");
        }
        let ast = Shape::named("ast").expect("a shape").text(1_000_000);
        let is_within = |depth| fjson::validate(&*ast, &Options::new().max_depth(Some(depth))).is_ok();
        assert!(is_within(110) && !is_within(90));
    }
}
