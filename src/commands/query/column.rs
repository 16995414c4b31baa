//! The expressions of a search, and the names of the columns that they become with `--csv` and `--tsv`.

#![forbid(unsafe_code)]

use crate::args::query::Query as Arguments;
use crate::commands::query::mistake;
use crate::exit::Exit;
use fjson::Query;

/// Splits `NAME=EXPR` into the name, if there is one, and the expression. An expression is empty or begins with `$` or `/`, so a
/// name ends at the first `=` before such a text.
fn split(argument: &str) -> (Option<&str>, &str) {
    let is_expression = |text: &str| text.is_empty() || text.starts_with(['$', '/']);
    if is_expression(argument) {
        return (None, argument);
    }
    let mut places = argument.match_indices('=').map(|(place, _)| place);
    match places.find(|&place| is_expression(&argument[place + 1..])) {
        Some(place) => (Some(&argument[..place]), &argument[place + 1..]),
        None => (None, argument),
    }
}

impl Arguments {
    /// Compiles the expressions. If one is invalid, prints the error and returns the exit status.
    pub fn queries(&self) -> Result<Vec<Query>, Exit> {
        self.expressions()?.into_iter().map(|argument| self.compile(split(argument).1)).collect()
    }

    /// Compiles the expression of `--rows` in the same way.
    pub fn rows(&self) -> Result<Option<Query>, Exit> {
        self.printing.rows.as_ref().map(|expression| self.compile(expression)).transpose()
    }

    /// Returns the names of the columns. A column without a name is named like its expression.
    pub fn column_names(&self) -> Result<Vec<&str>, Exit> {
        let name = |argument| match split(argument) {
            (Some(name), _) => name,
            (None, expression) => expression,
        };
        Ok(self.expressions()?.into_iter().map(name).collect())
    }

    /// Returns the expressions as they were given. Only columns may have names.
    fn expressions(&self) -> Result<Vec<&str>, Exit> {
        let expressions = match &self.expression {
            None => self.expressions.iter().map(String::as_str).collect(),
            Some(expression) => vec![expression.to_str().ok_or_else(mistake::report_not_utf8)?],
        };
        let is_table = self.printing.is_table();
        match expressions.iter().find(|argument| !is_table && split(argument).0.is_some()) {
            Some(argument) => Err(mistake::report_name(argument)),
            None => Ok(expressions),
        }
    }

    /// Compiles an expression. If it is invalid, prints the error and returns the exit status.
    pub fn compile(&self, expression: &str) -> Result<Query, Exit> {
        Query::with_patterns(expression, self.patterns())
            .map_err(|error| mistake::explain(expression, &error, self.reporting.color))
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_name_ends_before_an_expression() {
        for (argument, name, expression) in [
            ("$.a", None, "$.a"),
            ("", None, ""),
            ("/a=/b", None, "/a=/b"),
            ("$[?@.a=='=$']", None, "$[?@.a=='=$']"),
            ("id=$.user.id", Some("id"), "$.user.id"),
            ("all=", Some("all"), ""),
            ("=$.a", Some(""), "$.a"),
            ("a=b=/c", Some("a=b"), "/c"),
            ("größe in €=$.a", Some("größe in €"), "$.a"),
            ("user.id", None, "user.id"),
            ("@.x = 1", None, "@.x = 1"),
        ] {
            assert_eq!(split(argument), (name, expression), "{argument}");
        }
    }
}
