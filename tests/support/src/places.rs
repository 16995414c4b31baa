//! The values of a document with their paths, found by `serde_json`, and what `Structure` must say of them.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::fmt;

use serde::Deserializer as _;
use serde::de::MapAccess;
use serde::de::SeqAccess;
use serde::de::Visitor;
use serde_json::value::RawValue;

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To an element.
    Index(usize),
    /// To a member.
    Name(String),
}

/// A value: its path and its text.
#[derive(Clone, Debug)]
pub struct Found {
    /// The steps from the root.
    pub steps: Vec<Step>,
    /// The text.
    pub text: String,
    /// Number of members or elements.
    pub children: usize,
    /// Number of the container around it in the list, if it is not the root.
    pub parent: Option<usize>,
}

/// The children of a container, with their names if they are members.
struct Children(Vec<(Option<String>, Box<RawValue>)>);

struct ChildrenVisitor;

impl<'de> Visitor<'de> for ChildrenVisitor {
    type Value = Children;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a container")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Children, A::Error> {
        let mut children = Vec::new();
        while let Some(value) = access.next_element()? {
            children.push((None, value));
        }
        Ok(Children(children))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Children, A::Error> {
        let mut children = Vec::new();
        while let Some((name, value)) = access.next_entry::<String, Box<RawValue>>()? {
            children.push((Some(name), value));
        }
        Ok(Children(children))
    }
}

/// All values of a document in the order of the text. `None` if `serde_json` does not read it: a key has a lone surrogate.
#[must_use]
pub fn values(text: &[u8]) -> Option<Vec<Found>> {
    let root: Box<RawValue> = serde_json::from_slice(text).ok()?;
    let mut found = Vec::new();
    let mut pending = vec![(Vec::new(), root.get().trim().to_owned(), None)];
    while let Some((steps, text, parent)) = pending.pop() {
        let mut children = 0;
        if text.starts_with(['{', '[']) {
            let mut deserializer = serde_json::Deserializer::from_str(&text);
            let read = deserializer.deserialize_any(ChildrenVisitor).ok()?;
            children = read.0.len();
            for (index, (name, value)) in read.0.into_iter().enumerate().rev() {
                let step = name.map_or(Step::Index(index), Step::Name);
                let steps = [&steps[..], &[step]].concat();
                pending.push((steps, value.get().trim().to_owned(), Some(found.len())));
            }
        }
        found.push(Found { steps, text, children, parent });
    }
    Some(found)
}

/// A path in short form. `index` writes the index of an element.
fn path(steps: &[Step], index: impl Fn(usize) -> String) -> String {
    let mut path = "$".to_owned();
    for step in steps {
        match step {
            Step::Index(number) => path.extend(["[", &*index(*number), "]"]),
            Step::Name(name) => {
                let is_word = name.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
                if is_word && name.bytes().next().is_some_and(|first| !first.is_ascii_digit()) {
                    path.extend([".", name]);
                } else {
                    path.extend(["[", &*serde_json::to_string(name).expect("a string"), "]"]);
                }
            }
        }
    }
    path
}

/// The lines of `fjson query --assignments`, for the root and all other values in the order of the text.
#[must_use]
pub fn assignments(text: &[u8]) -> Option<Vec<String>> {
    let value = |found: &Found| match found.text.as_bytes()[0] {
        b'{' => "{}".to_owned(),
        b'[' => "[]".to_owned(),
        _ => found.text.clone(),
    };
    let line = |found: &Found| format!("{} = {}", path(&found.steps, |index| index.to_string()), value(found));
    Some(values(text)?.iter().map(line).collect())
}

/// What is known of the values with one path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts {
    /// Numbers of objects, arrays, strings, integers, other numbers, `true`, `false` and `null`.
    pub kinds: [u64; 8],
    /// Numbers of members and elements, and the largest of them in one container.
    pub members: [u64; 4],
    /// Number of empty objects and arrays.
    pub empty: [u64; 2],
    /// Number of containers around these values, and how many of them have one.
    pub parents: u64,
    /// See `parents`.
    pub present: u64,
    /// Numbers of characters of the shortest and the longest string.
    pub lengths: Option<(usize, usize)>,
    /// The least and the greatest number, rounded.
    pub range: Option<(f64, f64)>,
    /// The first informative value, if it is short.
    pub example: Option<String>,
}

/// The structure of a document, by path. Strings with lone surrogates have no length.
///
/// # Panics
/// If a number is none.
#[must_use]
pub fn structure(text: &[u8]) -> Option<BTreeMap<String, Facts>> {
    let values = values(text)?;
    let mut all: BTreeMap<String, Facts> = BTreeMap::new();
    let mut parents: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    let place = |found: &Found| path(&found.steps, |_| "*".to_owned());
    for found in &values {
        let facts = all.entry(place(found)).or_default();
        let text = &found.text;
        let is_string = text.starts_with('"');
        let kind = match text.as_bytes()[0] {
            b'{' => 0,
            b'[' => 1,
            b'"' => 2,
            b't' => 5,
            b'f' => 6,
            b'n' => 7,
            _ if text.contains(['.', 'e', 'E']) => 4,
            _ => 3,
        };
        facts.kinds[kind] += 1;
        let count = found.children as u64;
        if kind < 2 {
            facts.members[kind] += count;
            facts.members[kind + 2] = facts.members[kind + 2].max(count);
            facts.empty[kind] += u64::from(count == 0);
        }
        if is_string && let Ok(value) = serde_json::from_str::<String>(text) {
            let length = value.chars().count();
            let (least, greatest) = facts.lengths.unwrap_or((length, length));
            facts.lengths = Some((least.min(length), greatest.max(length)));
        }
        if matches!(kind, 3 | 4) {
            let number: f64 = text.parse().expect("a number");
            let (least, greatest) = facts.range.unwrap_or((number, number));
            facts.range = Some((least.min(number), greatest.max(number)));
        }
        if facts.example.is_none() && (2..7).contains(&kind) && text != "\"\"" {
            facts.example = Some(text.clone());
        }
        if let Some(parent) = found.parent {
            parents.entry(place(found)).or_default().insert(parent);
        }
    }
    for (path, around) in parents {
        let first = &values[*around.first().expect("a parent")];
        let kind = usize::from(first.text.starts_with('['));
        let parents = all[&place(first)].kinds[kind];
        let facts = all.get_mut(&path).expect("the path");
        (facts.present, facts.parents) = (around.len() as u64, parents);
    }
    let root = all.get_mut("$").expect("the root");
    (root.present, root.parents) = (1, 1);
    Some(all)
}
