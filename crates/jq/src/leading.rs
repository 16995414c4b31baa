//! The path at the beginning of a program: `.features[]` of `.features[] | select(.id > 5) | .name`.
//!
//! The values on it are found in the text of a large document by the search of the engine, which keeps none of the document, and what
//! follows the path is run on each. That is what jq does only if each member on the path is there once, and the last one is an array.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use fjson::Input;
use fjson::Options;
use fjson::Query;

use crate::ir::Node;
use crate::ir::Op;
use crate::resolve::cardinality_of;

/// The path at the beginning of a program that leads to the elements of an array; see
/// [`Filter::leading_path`](crate::Filter::leading_path).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeadingPath {
    members: Vec<String>,
}

impl LeadingPath {
    /// Returns the keys of the members that lead to the array; none if the document is the array.
    #[must_use]
    pub fn members(&self) -> &[String] {
        &self.members
    }

    /// Returns the JSONPath of the elements, for [`fjson::Query`].
    ///
    /// ```
    /// use fjson_jq::Filter;
    ///
    /// let (path, _) = Filter::new(".a.features[].id")?.leading_path().unwrap();
    /// assert_eq!(path.jsonpath(), "$['a']['features'][*]");
    /// # Ok::<(), fjson_jq::ProgramError>(())
    /// ```
    #[must_use]
    pub fn jsonpath(&self) -> String {
        format!("{}[*]", jsonpath(&self.members))
    }

    /// Whether what [`jsonpath`](Self::jsonpath) selects in a document is what the path of the program leads to: each of its members is
    /// there once, and the last one is an array. If not, the program must be run on the whole document, which may be an error, or not
    /// be JSON. `open` returns the document, which is read once for each member, or once if there is none.
    ///
    /// # Errors
    /// An error of `open`, or of reading.
    ///
    /// ```
    /// use fjson::{Input, Options};
    /// use fjson_jq::Filter;
    ///
    /// let (path, _) = Filter::new(".features[] | .id")?.leading_path().unwrap();
    /// let is_exact = |text: &str| path.is_exact(|| Ok(Input::from(text)), &Options::new()).unwrap();
    /// assert!(is_exact(r#"{"type": "FeatureCollection", "features": [{"id": 1}]}"#));
    /// assert!(!is_exact(r#"{"features": [1], "features": [2]}"#));
    /// assert!(!is_exact("{}"));
    /// # Ok::<(), fjson_jq::ProgramError>(())
    /// ```
    pub fn is_exact<'a>(
        &self,
        mut open: impl FnMut() -> Result<Input<'a>, fjson::Error>,
        options: &Options,
    ) -> Result<bool, fjson::Error> {
        // Keys with lone surrogates, which no query selects, have this character instead of them here.
        if self.members.iter().any(|member| member.contains('\u{FFFD}')) {
            return Ok(false);
        }
        if self.members.is_empty() {
            // Other values have no element, and neither has an empty array, which needs no search.
            return Ok(search("$[0]", open()?, options, &mut |_| true)? == Some(1));
        }
        for at in 0..self.members.len() {
            let is_last = at + 1 == self.members.len();
            let pointer: String = self.members[..=at].iter().map(|member| pointer_step(member)).collect();
            let mut is_container = false;
            let count = search(&format!("{}.*", jsonpath(&self.members[..at])), open()?, options, &mut |matched| {
                if matched.pointer().is_some_and(|found| found == pointer) {
                    is_container = matched.text().first() == Some(if is_last { &b'[' } else { &b'{' });
                    return true;
                }
                false
            })?;
            if count != Some(1) || !is_container {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Counts the matches for which `is_counted` returns true. `None` if the document is invalid.
fn search(
    path: &str,
    input: Input<'_>,
    options: &Options,
    is_counted: &mut dyn FnMut(&mut fjson::Match<'_>) -> bool,
) -> Result<Option<u64>, fjson::Error> {
    let Ok(query) = Query::new(path) else { return Ok(None) };
    let mut count = 0;
    let summary = query.each(input, options, &mut |matched| {
        count += u64::from(is_counted(matched));
        ControlFlow::Continue(())
    });
    match summary {
        Ok(_) => Ok(Some(count)),
        // The place of an error is known if it is one of the document.
        Err(error) if error.line().is_some() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the JSONPath of a member of members.
fn jsonpath(members: &[String]) -> String {
    let mut path = String::from("$");
    for member in members {
        path.push_str("['");
        for character in member.chars() {
            match character {
                '\'' | '\\' => path.extend(['\\', character]),
                '\0'..'\u{20}' => path.push_str(&format_escape(character)),
                _ => path.push(character),
            }
        }
        path.push_str("']");
    }
    path
}

fn format_escape(character: char) -> String {
    format!("\\u{:04x}", u32::from(character))
}

/// Returns the step of a JSON Pointer to a member.
fn pointer_step(member: &str) -> String {
    format!("/{}", member.replace('~', "~0").replace('/', "~1"))
}

/// Separates the path at the beginning of a program from what follows.
pub(crate) fn split(main: Node) -> Option<(LeadingPath, Node)> {
    let (members, rest) = divide(main.op)?;
    Some((LeadingPath { members }, rest))
}

fn node(op: Op) -> Node {
    Node { cardinality: cardinality_of(&op), op }
}

/// Makes an operation of the node that it is applied to.
type Apply = Box<dyn FnOnce(Box<Node>) -> Op>;

/// Returns the members before the first `[]`, and what is done with each element.
fn divide(op: Op) -> Option<(Vec<String>, Node)> {
    let (base, rest): (Node, Apply) = match op {
        Op::Iterate(base, optional) => match base.op {
            Op::Identity => return Some((Vec::new(), node(Op::Identity))),
            Op::Fields(keys) => {
                return Some((keys.into_iter().map(|key| key.text.into()).collect(), node(Op::Identity)));
            }
            _ => (*base, Box::new(move |rest| Op::Iterate(rest, optional))),
        },
        Op::Field(base, key, optional) => (*base, Box::new(move |rest| Op::Field(rest, key, optional))),
        // Other indices are computed from the document and not from the element.
        Op::Index(base, key, optional) if matches!(key.op, Op::Constant(_)) => {
            (*base, Box::new(move |rest| Op::Index(rest, key, optional)))
        }
        Op::Pipe(first, second) => (*first, Box::new(move |rest| Op::Pipe(rest, second))),
        _ => return None,
    };
    let (members, base) = divide(base.op)?;
    Some((members, node(rest(Box::new(base)))))
}
