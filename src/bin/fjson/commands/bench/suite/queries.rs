//! The JSONPath compliance test suite: what is selected of its documents, and where, on every kernel.

#![forbid(unsafe_code)]

use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Judge;
use crate::commands::bench::suite::table;
use fjson::Isa;
use fjson::Options;
use fjson::Query;
use std::ops::ControlFlow;

/// Runs the tests in `cts.json`.
pub fn run(judge: &Judge, text: &[u8]) -> Result<Vec<Category>, String> {
    let category = |name, demand, published| Category { name, demand, cases: Vec::new(), not_run: None, published };
    let mut valid = category("valid selectors", "nodes", 456);
    let mut invalid = category("invalid selectors", "reject", 247);
    for test in all(text, "$.tests[*]")? {
        let query = Query::new(&one_string(&test, "/selector")?);
        let is_invalid = !all(&test, "$[?@==true && $.invalid_selector==true]")?.is_empty();
        let failure = match (&query, is_invalid) {
            (Ok(query), false) => answer(judge, query, &test)?,
            (Err(_), true) => None,
            (Ok(_), true) => Some("accepted, but it must be rejected".to_owned()),
            (Err(error), false) => Some(format!("rejected ({error}), but it must be accepted")),
        };
        let cases = if is_invalid { &mut invalid.cases } else { &mut valid.cases };
        cases.push(Case { name: one_string(&test, "/name")?, accepted: query.is_ok(), failure });
    }
    Ok(vec![valid, invalid])
}

/// What is wrong with the answer to a valid query.
fn answer(judge: &Judge, query: &Query, test: &[u8]) -> Result<Option<String>, String> {
    let document = all(test, "/document")?.pop().ok_or("a test without a document")?;
    // One result, or several of which each will do; and the paths that belong to it.
    let mut results = all(test, "/result")?;
    results.extend(all(test, "$.results[*]")?);
    let mut paths = all(test, "/result_paths")?;
    paths.extend(all(test, "$.results_paths[*]")?);
    for &isa in &judge.kernels {
        let (found_nodes, found_paths) = found(query, &document, isa)?;
        let mut is_right = false;
        for (nodes, paths) in results.iter().zip(&paths) {
            is_right |= same(&all(nodes, "$[*]")?, &found_nodes)? && strings(paths)? == found_paths;
        }
        if !is_right {
            return Ok(Some(format!("selects {} on {isa}, which is no right answer", found_paths.join(" "))));
        }
    }
    Ok(None)
}

/// The nodes that a query selects, and their paths.
fn found(query: &Query, document: &[u8], isa: Isa) -> Result<(Vec<Vec<u8>>, Vec<String>), String> {
    let (mut nodes, mut paths) = (Vec::new(), Vec::new());
    let done = query.each(document, &Options::new().isa(isa), &mut |matched| {
        nodes.push(matched.text().to_vec());
        paths.extend(matched.path());
        ControlFlow::Continue(())
    });
    done.map(|_| (nodes, paths)).map_err(|error| error.to_string())
}

/// Whether the values are the same but for whitespace.
fn same(left: &[Vec<u8>], right: &[Vec<u8>]) -> Result<bool, String> {
    let minified = |values: &[Vec<u8>]| -> Result<Vec<Vec<u8>>, String> {
        let minify = |value: &Vec<u8>| {
            let mut minified = Vec::new();
            let done = fjson::minify(value, &mut minified, &Options::new());
            done.map(|_| minified).map_err(|error| error.to_string())
        };
        values.iter().map(minify).collect()
    };
    Ok(minified(left)? == minified(right)?)
}

fn all(text: &[u8], expression: &str) -> Result<Vec<Vec<u8>>, String> {
    let query = Query::new(expression).map_err(|error| error.to_string())?;
    query.find_all(text, &Options::new()).map_err(|error| error.to_string())
}

fn strings(array: &[u8]) -> Result<Vec<String>, String> {
    let string = |text: Vec<u8>| String::from_utf8(table::string(&text)?).map_err(|error| error.to_string());
    all(array, "$[*]")?.into_iter().map(string).collect()
}

fn one_string(test: &[u8], pointer: &str) -> Result<String, String> {
    let text = all(test, pointer)?.pop().ok_or_else(|| format!("a test without {pointer}"))?;
    String::from_utf8(table::string(&text)?).map_err(|error| error.to_string())
}
