//! Queries on values, and the matches of queries as values.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;
use std::slice;

use crate::document::Document;
use crate::document::Parser;
use crate::document::Value;
use crate::document::View;
use crate::error::Error;
use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::options::Options;
use crate::query::Match;
use crate::query::MatchHandler;
use crate::query::Query;
use crate::query::Search;

impl Value<'_, '_> {
    /// Returns the values that a query selects in this value, which is its root, in the order of RFC 9535.
    ///
    /// # Errors
    /// If there is not enough memory, or if a regular expression that the query reads from the document is too large.
    ///
    /// ```
    /// use fjson::{Parser, Query};
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"{"books": [{"price": 8}, {"price": 12}]}"#)?;
    /// let books = document.get("books").unwrap();
    /// let cheap = books.find(&Query::new("$[?@.price < 10]")?)?;
    /// assert_eq!(cheap[0].get("price").unwrap().as_u64(), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(self, query: &Query) -> Result<Vec<Self>, Error> {
        Ok(self.find_each(slice::from_ref(query))?.pop().unwrap_or_default())
    }

    /// Returns the values that each of several queries selects, as [`find`](Self::find) does.
    pub(crate) fn find_each(self, queries: &[Query]) -> Result<Vec<Vec<Self>>, Error> {
        let mut found = Found { root: self, values: vec![Vec::new(); queries.len()], error: None };
        // The text has been checked.
        let search = Search::new(queries).without_paths().trust();
        search.run(self.raw(), &Options::new(), &mut found)?;
        match found.error {
            Some(error) => Err(error),
            None => Ok(found.values),
        }
    }
}

/// Collects matches as values.
struct Found<'p, 't> {
    root: Value<'p, 't>,
    /// Those of each query.
    values: Vec<Vec<Value<'p, 't>>>,
    error: Option<Error>,
}

impl MatchHandler for Found<'_, '_> {
    fn on_match(&mut self, matched: &mut Match<'_>) -> ControlFlow<()> {
        let start = self.root.start() as u64 + matched.range().start;
        let positions = self.root.tokens().positions();
        let token = u32::try_from(start).ok().and_then(|start| positions.binary_search(&start).ok());
        let value = token.map(|token| self.root.tokens().value(token));
        let values = &mut self.values[matched.query()];
        if value.is_some_and(|value| values.grow(value, OutOfMemory::Matches).is_ok()) {
            return ControlFlow::Continue(());
        }
        self.error = Some(OutOfMemory::Matches.into());
        ControlFlow::Break(())
    }

    fn on_error(&mut self, error: Error) -> ControlFlow<()> {
        self.error = Some(error);
        ControlFlow::Break(())
    }
}

impl Match<'_> {
    /// Returns the value of the match, to read it. The text is copied to the memory of `parser`, since it may be part of a mapped file.
    ///
    /// # Errors
    /// If there is not enough memory, or if the text has changed since it was found.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson::{Options, Parser, Query};
    ///
    /// let (mut parser, mut sum) = (Parser::new(), 0);
    /// let query = Query::new("$[*]")?;
    /// query.each(r#"[{"a": 1}, {"a": 2}]"#, &Options::new(), &mut |matched| match matched.value(&mut parser) {
    ///     Ok(value) => {
    ///         sum += value.get("a").and_then(|it| it.as_u64()).unwrap_or(0);
    ///         ControlFlow::Continue(())
    ///     }
    ///     Err(_) => ControlFlow::Break(()),
    /// })?;
    /// assert_eq!(sum, 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn value<'p>(&self, parser: &'p mut Parser) -> Result<Document<'p, 'p>, Error> {
        let Parser { index, text, options, .. } = parser;
        text.clear();
        text.room(self.text().len(), OutOfMemory::Text)?;
        text.extend_from_slice(self.text());
        View::of_document(text, index, options).map(Document::new)
    }
}

#[cfg(test)]
mod tests {
    use crate::document::Parser;
    use crate::document::Value;
    use crate::options::Options;
    use crate::query::Query;

    /// A query finds the same in a value as in its text.
    #[test]
    fn matches_are_values() {
        let text = br#"[ {"a": [1, {"b": "x"}], "c": {"a": {"b": 2}}}, {"a": []}, "a", {"\u0061": {"b": [[]]}} ]"#;
        let mut parser = Parser::new();
        let document = parser.document(text).expect("valid");
        let values: Vec<_> = [document.root()].into_iter().chain(document.iter()).collect();
        for expression in
            ["$", "$..a", "$.a", "$[*]", "$..b", "$[?@.a]", "$..[?@.b == 2]", "$[0].a[1].b", "/0/a/1", "$..*"]
        {
            let query = Query::new(expression).expect("a query");
            for value in &values {
                let expected = query.find_all(value.raw(), &Options::new()).expect("readable");
                let found: Vec<_> = value.find(&query).expect("readable").into_iter().map(Value::raw).collect();
                assert_eq!(
                    found.iter().map(|text| text.as_bytes()).collect::<Vec<_>>(),
                    expected,
                    "{expression} {value}"
                );
            }
        }
    }
}
