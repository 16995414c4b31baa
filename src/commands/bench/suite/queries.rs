//! The JSONPath compliance test suite: the selected nodes and their paths, on each kernel.

#![forbid(unsafe_code)]

use crate::commands::bench::read;
use crate::commands::bench::read::all;
use crate::commands::bench::suite::Case;
use crate::commands::bench::suite::Category;
use crate::commands::bench::suite::Verifier;
use fjson::Isa;
use fjson::Options;
use fjson::Query;
use std::ops::ControlFlow;

/// Runs the tests of `cts.json`.
pub fn run(verifier: &Verifier, text: &[u8]) -> Result<Vec<Category>, String> {
    let category = |name, expected, published| Category { name, expected, cases: Vec::new(), not_run: None, published };
    let mut valid = category("valid selectors", "matches", 456);
    let mut invalid = category("invalid selectors", "rejected", 247);
    for test in all(text, "$.tests[*]")? {
        let member = |pointer| read::string_at(&test, pointer).ok_or_else(|| format!("a test without {pointer}"));
        let query = Query::new(&member("/selector")?);
        let is_invalid = !all(&test, "$[?@==true && $.invalid_selector==true]")?.is_empty();
        let failure = match (&query, is_invalid) {
            (Ok(query), false) => mistake(verifier, query, &test)?,
            (Err(_), true) => None,
            (Ok(_), true) => Some("accepted, but it must be rejected".to_owned()),
            (Err(error), false) => Some(format!("rejected ({error}), but it must be accepted")),
        };
        let cases = if is_invalid { &mut invalid.cases } else { &mut valid.cases };
        cases.push(Case { name: member("/name")?, accepted: query.is_ok(), failure });
    }
    Ok(vec![valid, invalid])
}

/// Returns what is wrong with the matches of a valid query, or `None` if they are right.
fn mistake(verifier: &Verifier, query: &Query, test: &[u8]) -> Result<Option<String>, String> {
    let document = all(test, "/document")?.pop().ok_or("a test without a document")?;
    // A test has one result, or several valid ones, with the paths of each.
    let mut results = all(test, "/result")?;
    results.extend(all(test, "$.results[*]")?);
    let mut paths = all(test, "/result_paths")?;
    paths.extend(all(test, "$.results_paths[*]")?);
    for &isa in &verifier.kernels {
        let (found_nodes, found_paths) = matches(query, &document, isa)?;
        let mut is_right = false;
        for (nodes, paths) in results.iter().zip(&paths) {
            is_right |=
                all_minified(&all(nodes, "$[*]")?)? == all_minified(&found_nodes)? && strings(paths)? == found_paths;
        }
        if !is_right {
            return Ok(Some(format!("selects {} on {isa}, which is no right answer", found_paths.join(" "))));
        }
    }
    Ok(None)
}

/// Returns the nodes that a query selects, and their paths.
fn matches(query: &Query, document: &[u8], isa: Isa) -> Result<(Vec<Vec<u8>>, Vec<String>), String> {
    let (mut nodes, mut paths) = (Vec::new(), Vec::new());
    let done = query.each(document, &Options::new().isa(isa), &mut |matched| {
        nodes.push(matched.text().to_vec());
        paths.extend(matched.path());
        ControlFlow::Continue(())
    });
    done.map(|_| (nodes, paths)).map_err(|error| error.to_string())
}

fn all_minified(values: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, String> {
    values.iter().map(|value| read::minified(value)).collect()
}

fn strings(array: &[u8]) -> Result<Vec<String>, String> {
    let value = |text: Vec<u8>| String::from_utf8(read::string(&text)?).map_err(|error| error.to_string());
    all(array, "$[*]")?.into_iter().map(value).collect()
}
