//! Random edits beside a model: values of another library, on which each edit is made in a few lines.

#![forbid(unsafe_code)]

use proof::random::Random;
use proof::random::numbered_rounds;
use proof::random::rounds;
use serde_json::Value as Model;
use serde_json::json;

use super::apply;
use super::edits;
use crate::document::Parser;
use crate::edit::Edits;
use crate::minify::minify;
use crate::options::Options;
use crate::pretty::Layout;
use crate::pretty::pretty;

/// A random value.
pub(super) fn value(random: &mut Random, depth: u64) -> Model {
    let count = random.below(4);
    match random.below(if depth == 0 { 4 } else { 8 }) {
        0 => json!(random.below(3)),
        1 => json!(["", "a", "é\n\"", "{[,:"][random.below(4)]),
        2 => json!(random.below(2) == 0),
        3 => Model::Null,
        4 | 5 => (0..count).map(|_| value(random, depth - 1)).collect(),
        _ => Model::Object((0..count).map(|_| (key(random), value(random, depth - 1))).collect()),
    }
}

fn key(random: &mut Random) -> String {
    ["a", "b", "c", "", "~/", "é\""][random.below(6)].to_owned()
}

/// A text with random whitespace.
fn spaced(text: &str, random: &mut Random) -> String {
    let mut parser = Parser::new();
    let document = parser.document(text.as_bytes()).expect("valid");
    let space = |random: &mut Random| [" ", "", "", "\n", "\r\n\t", " \n  "][random.below(6)];
    let (mut spaced, mut end) = (String::new(), 0);
    for token in document.tokens() {
        spaced += &text[end..token.start];
        spaced += space(random);
        end = token.start;
    }
    spaced + &text[end..] + space(random)
}

/// A pointer, mostly to a value that exists.
pub(super) fn pointer(model: &Model, random: &mut Random) -> String {
    let (mut at, mut pointer) = (Some(model), String::new());
    while random.below(4) > 0 {
        let step = match at {
            Some(Model::Object(members)) if !members.is_empty() && random.below(6) > 0 => {
                members.keys().nth(random.below(members.len())).expect("a key").clone()
            }
            Some(Model::Array(elements)) => match random.below(8) {
                0 => "-".to_owned(),
                _ => random.below(elements.len() + 1).to_string(),
            },
            _ => key(random),
        };
        at = at.and_then(|at| match at {
            Model::Object(members) => members.get(&step),
            Model::Array(elements) => elements.get(step.parse::<usize>().ok()?),
            _ => None,
        });
        pointer = pointer + "/" + &step.replace('~', "~0").replace('/', "~1");
    }
    pointer
}

/// Puts a value into a model, as `add` of RFC 6902 does, or over what is there.
fn put(model: &mut Model, pointer: &str, value: Model, inserts: bool) -> Option<()> {
    let Some((parent, step)) = pointer.rsplit_once('/') else {
        *model = value;
        return Some(());
    };
    let step = step.replace("~1", "/").replace("~0", "~");
    match model.pointer_mut(parent)? {
        Model::Object(members) => drop(members.insert(step, value)),
        Model::Array(elements) if step == "-" => elements.push(value),
        Model::Array(elements) if inserts => {
            let index = step.parse().ok().filter(|&index| index <= elements.len())?;
            elements.insert(index, value);
        }
        Model::Array(elements) => *elements.get_mut(step.parse::<usize>().ok()?)? = value,
        _ => return None,
    }
    Some(())
}

fn remove(model: &mut Model, pointer: &str) -> Option<Model> {
    let (parent, step) = pointer.rsplit_once('/')?;
    let step = step.replace("~1", "/").replace("~0", "~");
    match model.pointer_mut(parent)? {
        Model::Object(members) => members.remove(&step),
        Model::Array(elements) => {
            let index = step.parse().ok().filter(|&index| index < elements.len())?;
            Some(elements.remove(index))
        }
        _ => None,
    }
}

/// The algorithm of RFC 7396, section 2.
fn merged(target: Option<Model>, patch: &Model) -> Model {
    let Model::Object(members) = patch else { return patch.clone() };
    let mut target = match target {
        Some(Model::Object(target)) => target,
        _ => serde_json::Map::new(),
    };
    for (key, value) in members {
        if value.is_null() {
            target.remove(key);
        } else {
            let old = target.remove(key);
            target.insert(key.clone(), merged(old, value));
        }
    }
    Model::Object(target)
}

/// Adds a random edit, and makes it in a model. `None` if that is impossible.
fn random_edit(
    model: &mut Model,
    edits: &mut Edits,
    text: impl Fn(&Model) -> String,
    random: &mut Random,
) -> Option<()> {
    let (at, new) = (pointer(model, random), value(random, 2));
    let json = text(&new);
    match random.below(8) {
        0 => {
            edits.set(&at, &json).expect("an edit");
            put(model, &at, new, false)
        }
        1 => {
            edits.insert(&at, &json).expect("an edit");
            put(model, &at, new, true)
        }
        2 => {
            edits.append(&at, &json).expect("an edit");
            model.pointer_mut(&at)?.as_array_mut()?.push(new);
            Some(())
        }
        3 => {
            edits.delete(&at).expect("an edit");
            remove(model, &at).map(drop)
        }
        4 => {
            let name = key(random);
            edits.rename(&at, &name).expect("an edit");
            let (parent, old) = at.rsplit_once('/')?;
            let members = model.pointer_mut(parent)?.as_object_mut()?;
            let old = old.replace("~1", "/").replace("~0", "~");
            if !members.contains_key(&old) || (members.contains_key(&name) && name != old) {
                return None;
            }
            let value = members.remove(&old)?;
            members.insert(name, value);
            Some(())
        }
        5 => {
            let from = pointer(model, random);
            edits.move_to(&from, &at).expect("an edit");
            let value = model.pointer(&from)?.clone();
            if from == at {
                return Some(());
            }
            if at.starts_with(&format!("{from}/")) {
                return None;
            }
            if !from.is_empty() && !at.is_empty() {
                remove(model, &from)?;
            }
            put(model, &at, value, true)
        }
        6 => {
            let from = pointer(model, random);
            edits.copy_to(&from, &at).expect("an edit");
            let value = model.pointer(&from)?.clone();
            put(model, &at, value, true)
        }
        _ => {
            edits.merge(&json).expect("an edit");
            *model = merged(Some(model.take()), &new);
            Some(())
        }
    }
}

fn indented(text: &str) -> String {
    let mut out = Vec::new();
    pretty(text, &mut out, &Layout::default(), &Options::new()).expect("valid");
    String::from_utf8(out).expect("UTF-8").trim_end().to_owned()
}

fn compact(text: &str) -> String {
    let mut out = Vec::new();
    minify(text, &mut out, &Options::new()).expect("valid");
    String::from_utf8(out).expect("UTF-8")
}

/// A random document: minified, indented, or with random whitespace.
pub(super) fn document(random: &mut Random, layout: u64) -> (String, Model) {
    let root = json!({"k": 0, "v": value(random, 3), "w": value(random, 2)});
    (laid_out(&root, random, layout), root)
}

/// Returns the text of a document: minified, indented, or with random whitespace.
pub(super) fn laid_out(root: &Model, random: &mut Random, layout: u64) -> String {
    let minified = root.to_string();
    match layout {
        0 => minified,
        1 => indented(&minified),
        _ => spaced(&minified, random),
    }
}

/// Returns random edits, which are made in a model, and whether they are possible.
pub(super) fn random_edits(model: &mut Model, random: &mut Random, is_indented: bool) -> (Edits, bool) {
    let write = |value: &Model| if is_indented { indented(&value.to_string()) } else { value.to_string() };
    let mut edits = Edits::new();
    for _ in 0..=random.below(4) {
        if random_edit(model, &mut edits, write, random).is_none() {
            return (edits, false);
        }
    }
    (edits, true)
}

/// Edits have the effect that they have in a model, in any layout; and minified and indented documents stay so.
#[test]
fn edits_agree_with_a_model() {
    numbered_rounds(1500, |seed, random| {
        let layout = seed % 3;
        let (text, mut model) = document(random, layout);
        let (edits, is_possible) = random_edits(&mut model, random, layout == 1);
        let edited = apply(&edits, &text);
        assert_eq!(edited.is_ok(), is_possible, "{text} {edits:?} {edited:?}");
        let Ok(edited) = edited else { return };
        let found: Model = serde_json::from_str(&edited).expect("valid");
        assert_eq!(found, model, "{text} {edits:?} {edited}");
        // Without the member `k`, the document may have nothing that shows its layout.
        if model.get("k").is_some_and(Model::is_number) {
            match layout {
                0 => assert_eq!(edited, compact(&edited), "{text} {edits:?}"),
                1 => assert_eq!(edited, indented(&edited), "{text} {edits:?}"),
                _ => {}
            }
        }
    });
}

/// A change that is taken back leaves the text as it was: so no other byte was changed.
#[test]
fn changes_are_taken_back() {
    rounds(700, |random| {
        let root = value(random, 4);
        let text = spaced(&root.to_string(), random);
        let at = pointer(&root, random);
        let Some(old) = root.pointer(&at) else { return };
        let new = value(random, 2).to_string();
        let mut parser = Parser::new();
        let raw = parser.document(text.as_bytes()).expect("valid").pointer(&at).expect("a value").raw();
        let back = |first: &[&str], second: &[&str]| {
            let between = apply(&edits(first), &text).expect("changed");
            assert_eq!(apply(&edits(second), &between).as_deref().ok(), Some(&*text), "{first:?} {second:?} {between}");
        };
        let between = apply(&edits(&["set", &at, &new]), &text).expect("changed");
        // The lines of a value are indented anew.
        if !raw.contains('\n') {
            back(&["set", &at, &new], &["set", &at, raw]);
        }
        let start = text.len()
            - text[parser.document(text.as_bytes()).expect("valid").pointer(&at).expect("a value").start()..].len();
        assert_eq!(between, format!("{}{new}{}", &text[..start], &text[start + raw.len()..]));
        match old {
            Model::Array(elements) if !elements.is_empty() => {
                let place = format!("{at}/{}", random.below(elements.len() + 1));
                back(&["insert", &place, &new], &["delete", &place]);
            }
            Model::Object(members) if !members.is_empty() => {
                back(&["set", &format!("{at}/new"), &new], &["delete", &format!("{at}/new")]);
                let first = members.keys().next().expect("a key");
                let place = format!("{at}/{}", first.replace('~', "~0").replace('/', "~1"));
                back(&["rename", &place, "new"], &["rename", &format!("{at}/new"), first]);
            }
            _ => {}
        }
    });
}
