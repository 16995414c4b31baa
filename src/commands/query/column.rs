//! The expressions of a search, and the names of the columns that they become with `--csv` and `--tsv`.
//!
//! With `--rows`, an expression that begins with `@` selects in the value that is a row, and one that begins with `$` or is a JSON
//! Pointer selects in the document around it.

#![forbid(unsafe_code)]

use crate::args::query::Query as Arguments;
use crate::commands::query::found_columns::FoundColumn;
use crate::commands::query::mistake;
use crate::exit::Exit;
use fjson::Query;

/// Splits `NAME=EXPR` into the name, if there is one, and the expression. An expression is empty or begins with `$`, `@`
/// or `/`, so a name ends at the first `=` before such a text.
fn split(argument: &str) -> (Option<&str>, &str) {
    let is_expression = |text: &str| text.is_empty() || text.starts_with(['$', '@', '/']);
    if is_expression(argument) {
        return (None, argument);
    }
    let mut places = argument.match_indices('=').map(|(place, _)| place);
    match places.find(|&place| is_expression(&argument[place + 1..])) {
        Some(place) => (Some(&argument[..place]), &argument[place + 1..]),
        None => (None, argument),
    }
}

/// The compiled columns of a table with `--rows`, with their numbers.
#[derive(Default)]
pub struct Columns {
    /// Selects the rows.
    pub rows: Option<Query>,
    /// Those that select in the document.
    pub of_document: Vec<(usize, Query)>,
    /// Those that select in the row.
    pub of_row: Vec<(usize, Query)>,
}

/// Whether the root `$` is in an expression: outside of quotes, where no name has it.
fn refers_to_root(expression: &str) -> bool {
    let mut quote = None;
    let mut characters = expression.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', Some(_)) => _ = characters.next(),
            ('$', None) => return true,
            ('"' | '\'', None) => quote = Some(character),
            (character, Some(open)) if character == open => quote = None,
            _ => {}
        }
    }
    false
}

impl Arguments {
    /// Compiles the expressions. If one is invalid, prints the error and returns the exit status.
    pub fn queries(&self) -> Result<Vec<Query>, Exit> {
        self.expressions()?.into_iter().map(|argument| self.compile(split(argument).1)).collect()
    }

    /// Compiles the expressions of the columns and that of `--rows`, in the same way. `found` are further columns of the row.
    pub fn rows(&self, rows: &str, found: Vec<FoundColumn>) -> Result<Columns, Exit> {
        let mut columns = Columns::default();
        for (number, argument) in self.expressions()?.into_iter().enumerate() {
            let expression = split(argument).1;
            if let Some(rest) = expression.strip_prefix('@') {
                columns.of_row.push((number, self.compile_in_row(expression, rest)?));
            } else {
                let compiled = Query::with_patterns(expression, self.patterns());
                let explain = |error| mistake::explain_column(expression, &error, self.reporting.color);
                columns.of_document.push((number, compiled.map_err(explain)?));
            }
        }
        let given = columns.of_row.len() + columns.of_document.len();
        columns.of_row.extend((given..).zip(found.into_iter().map(|(_, query)| query)));
        if columns.of_row.is_empty() && self.printing.columns.is_none() {
            let first =
                columns.of_document.first().and_then(|&(number, _)| self.expressions().ok()?.get(number).copied());
            return Err(mistake::report_no_row_column(first.unwrap_or_default()));
        }
        columns.rows = Some(self.compile(rows)?);
        Ok(columns)
    }

    /// Compiles an expression that begins with `@`, and continues with `rest`.
    fn compile_in_row(&self, expression: &str, rest: &str) -> Result<Query, Exit> {
        if refers_to_root(rest) {
            return Err(mistake::report_root_in_row(expression));
        }
        // The row is the root of the query. A JSON Pointer has no root.
        let query = if rest.starts_with('/') { rest.to_owned() } else { format!("${rest}") };
        let compiled = Query::with_patterns(&query, self.patterns());
        compiled.map_err(|error| mistake::explain(&query, &error, self.reporting.color))
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
    use super::refers_to_root;
    use super::split;

    #[test]
    fn the_root_is_outside_of_quotes() {
        for (expression, expected) in [
            (".a", false),
            ("[?@.a == $.b]", true),
            ("['$']", false),
            (r#"["\"$"]"#, false),
            (r#"["'"][?$]"#, true),
            ("['it\\'s $'].b", false),
        ] {
            assert_eq!(refers_to_root(expression), expected, "{expression}");
        }
    }

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
            ("id=@.id", Some("id"), "@.id"),
            ("@", None, "@"),
            ("@.x = 1", None, "@.x = 1"),
        ] {
            assert_eq!(split(argument), (name, expression), "{argument}");
        }
    }
}
