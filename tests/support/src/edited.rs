//! Patches on documents, beside a model: a tree on which each operation is made in a few lines.

use fjson::Edits;
use fjson::ErrorKind;
use fjson::Input;
use fjson::Kind;
use fjson::Options;
use fjson::Parser;
use fjson::Value;

use crate::comments::sprinkle;
use crate::random::Random;

/// A value: the text of a scalar, or a container. Keys are unescaped.
#[derive(Clone)]
enum Model {
    Scalar(String),
    Array(Vec<Model>),
    Object(Vec<(String, Model)>),
}

/// What an operation came to, where the model knows.
type Made = Option<Result<(), ()>>;

/// The first line is a JSON Patch, or else a merge patch; the rest is a document. Nothing panics, the changed document is that of the
/// model, or both fail, and comments change nothing.
///
/// # Panics
/// If that is not so.
pub fn check(text: &[u8], random: &mut Random) {
    let Some(end) = text.iter().position(|&byte| byte == b'\n') else { return };
    let (Ok(patch), document) = (str::from_utf8(&text[..end]), &text[end + 1..]) else { return };
    let (mut edits, is_patch) = (Edits::new(), Edits::new().patch(patch).is_ok());
    if (if is_patch { edits.patch(patch) } else { edits.merge(patch) }).is_err() {
        return;
    }
    let options = Options::new().max_memory(1 << 20);
    let mut edited = Vec::new();
    let result = edits.apply(document, &mut edited, &options).map(drop).map_err(|error| error.error().kind());
    let unique = Options::new().unique_keys(true);
    let (mut parser, mut patches) = (Parser::with_options(&unique), Parser::with_options(&unique));
    let (parsed, patch) = (parser.document(document), patches.document(patch.as_bytes()));
    // Several members with one key are refused where they are looked for, and the model has none.
    let model =
        parsed.ok().zip(patch.ok()).and_then(|(document, patch)| model(document.root(), patch.root(), is_patch));
    match (&result, model) {
        (Err(ErrorKind::MemoryLimit), _) => return,
        (Ok(()), Some(made)) => assert!(same(&made.expect("the model fails"), &read(&edited))),
        (Ok(()), None) => assert!(Parser::new().document(&edited).is_ok(), "the changed document is not valid"),
        (Err(kind), made) => assert!(made.is_none_or(|made| made.is_err()), "{kind:?}"),
    }
    // In a text that is no document, a comment could hide what makes it invalid.
    if Parser::new().document(document).is_err() {
        return;
    }
    let commented = sprinkle(random, document);
    let mut kept = Vec::new();
    let again =
        edits.apply_with_comments(&commented[..], &mut kept, &options).map(drop).map_err(|error| error.error().kind());
    if again == Err(ErrorKind::MemoryLimit) {
        return;
    }
    assert_eq!(again.is_ok(), result.is_ok(), "{again:?} {result:?}");
    if result.is_ok() {
        let mut strict = Vec::new();
        fjson::minify(Input::from(&kept).skip_comments(), &mut strict, &Options::new()).expect("valid");
        assert!(same(&read(&strict), &read(&edited)), "{}", read(&kept));
    }
}

fn read(text: &[u8]) -> String {
    String::from_utf8(text.to_vec()).expect("a document is UTF-8")
}

/// The text of the changed document, or `Err` if the change must fail. `None` if the model does not know.
fn model(document: Value<'_, '_>, patch: Value<'_, '_>, is_patch: bool) -> Option<Result<String, ()>> {
    let mut root = Model::of(document)?;
    if !is_patch {
        root = merged(Some(root), patch)?;
        return Some(Ok(root.text()));
    }
    for operation in patch {
        match operate(&mut root, operation)? {
            Ok(()) => {}
            Err(()) => return Some(Err(())),
        }
        // Copies of copies are limited.
        if root.text().len() > 1 << 14 {
            return None;
        }
    }
    Some(Ok(root.text()))
}

impl Model {
    /// `None` if a key has no text.
    fn of(value: Value<'_, '_>) -> Option<Self> {
        Some(match value.kind() {
            Kind::Array => Self::Array(value.iter().map(Self::of).collect::<Option<_>>()?),
            Kind::Object => {
                let member =
                    |member: fjson::Member<'_, '_>| Some((member.key.as_str()?.into_owned(), Self::of(member.value)?));
                Self::Object(value.members().map(member).collect::<Option<_>>()?)
            }
            _ => Self::Scalar(value.raw().to_owned()),
        })
    }

    fn text(&self) -> String {
        match self {
            Self::Scalar(text) => text.clone(),
            Self::Array(elements) => format!("[{}]", elements.iter().map(Self::text).collect::<Vec<_>>().join(",")),
            Self::Object(members) => {
                let member = |(key, value): &(String, Self)| {
                    format!("{}:{}", serde_json::Value::from(key.as_str()), value.text())
                };
                format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
            }
        }
    }

    fn step(&mut self, step: &str) -> Option<&mut Self> {
        match self {
            Self::Scalar(_) => None,
            Self::Array(elements) => elements.get_mut(index(step)?),
            Self::Object(members) => members.iter_mut().find(|(key, _)| key == step).map(|(_, value)| value),
        }
    }

    fn find(&mut self, steps: &[String]) -> Option<&mut Self> {
        steps.iter().try_fold(self, |at, step| at.step(step))
    }
}

/// An index of an array: digits without a leading zero.
fn index(step: &str) -> Option<usize> {
    let is_index = step == "0" || !step.starts_with('0') && step.bytes().all(|byte| byte.is_ascii_digit());
    step.parse().ok().filter(|_| is_index)
}

fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

/// Makes an operation of a JSON Patch.
fn operate(root: &mut Model, operation: Value<'_, '_>) -> Made {
    let text = |key| operation.get(key).and_then(|value| Some(value.as_str()?.into_owned()));
    let path = steps(&text("path")?);
    let value = || Model::of(operation.get("value")?);
    let from = text("from").map(|from| steps(&from));
    let is_made = match &*text("op")? {
        "add" => put(root, &path, value()?),
        "remove" if path.is_empty() => return None,
        "remove" => take(root, &path).map(drop),
        "replace" => {
            let value = value()?;
            root.find(&path).map(|place| *place = value)
        }
        "move" => {
            let from = from?;
            if from.is_empty() || path.starts_with(&from) {
                return None;
            }
            take(root, &from).and_then(|value| put(root, &path, value))
        }
        "copy" => {
            let copy = root.find(&from?).cloned();
            copy.and_then(|value| put(root, &path, value))
        }
        "test" => {
            let expected = value()?.text();
            root.find(&path).filter(|found| same(&found.text(), &expected)).map(drop)
        }
        _ => return None,
    };
    Some(is_made.ok_or(()))
}

/// Whether two documents have the same value.
fn same(left: &str, right: &str) -> bool {
    let (mut parsers, mut other) = (Parser::new(), Parser::new());
    let (left, right) = (parsers.document(left.as_bytes()), other.document(right.as_bytes()));
    left.expect("a document").root() == right.expect("a document").root()
}

fn put(root: &mut Model, path: &[String], value: Model) -> Option<()> {
    let Some((last, parents)) = path.split_last() else {
        *root = value;
        return Some(());
    };
    match root.find(parents)? {
        Model::Scalar(_) => None,
        Model::Array(elements) => {
            let index = if last == "-" { elements.len() } else { index(last)? };
            (index <= elements.len()).then(|| elements.insert(index, value))
        }
        Model::Object(members) => {
            match members.iter_mut().find(|(key, _)| key == last) {
                Some((_, old)) => *old = value,
                None => members.push((last.clone(), value)),
            }
            Some(())
        }
    }
}

fn take(root: &mut Model, path: &[String]) -> Option<Model> {
    let (last, parents) = path.split_last()?;
    match root.find(parents)? {
        Model::Scalar(_) => None,
        Model::Array(elements) => {
            let index = index(last).filter(|&index| index < elements.len())?;
            Some(elements.remove(index))
        }
        Model::Object(members) => {
            let index = members.iter().position(|(key, _)| key == last)?;
            Some(members.remove(index).1)
        }
    }
}

/// The algorithm of RFC 7396, section 2.
fn merged(target: Option<Model>, patch: Value<'_, '_>) -> Option<Model> {
    if patch.kind() != Kind::Object {
        return Model::of(patch);
    }
    let mut members = match target {
        Some(Model::Object(members)) => members,
        _ => Vec::new(),
    };
    for member in patch.members() {
        let key = member.key.as_str()?.into_owned();
        let place = members.iter().position(|(known, _)| *known == key);
        match (place, member.value.is_null()) {
            (Some(place), true) => drop(members.remove(place)),
            (None, true) => {}
            (Some(place), false) => {
                let old = members[place].1.clone();
                members[place].1 = merged(Some(old), member.value)?;
            }
            (None, false) => members.push((key, merged(None, member.value)?)),
        }
    }
    Some(Model::Object(members))
}
