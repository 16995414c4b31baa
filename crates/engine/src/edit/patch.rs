//! JSON Patch (RFC 6902): its operations as edits.

#![forbid(unsafe_code)]

use crate::document::Kind;
use crate::document::Value;
use crate::edit::making::located;
use crate::edit::operation::Operation;
use crate::edit::path::Path;
use crate::edit::path::ReferenceToken;
use crate::edit::path::quoted;
use crate::edit::path::steps;
use crate::edit::tree::Node;
use crate::edit::tree::number;
use crate::error::Error;
use crate::error::ErrorKind;
use crate::input::START;

/// The members of an operation that have a meaning.
#[derive(Default)]
struct Members<'p> {
    op: Option<Value<'p, 'p>>,
    path: Option<Value<'p, 'p>>,
    from: Option<Value<'p, 'p>>,
    value: Option<Value<'p, 'p>>,
}

/// Returns the operations of a patch, which is the text with this number, or the number of an operation and what is wrong with it.
pub(super) fn operations(patch: Value<'_, '_>, text: u32) -> Result<Vec<Operation>, (usize, Error)> {
    if patch.kind() != Kind::Array {
        let is_operation = patch.get("op").is_some();
        let help = if is_operation { "put the operation into `[` and `]`" } else { MERGE };
        return Err((0, invalid(patch, "a JSON Patch is an array of operations", Some(help))));
    }
    patch.iter().enumerate().map(|(index, value)| operation(value, text).map_err(|error| (index, error))).collect()
}

const MERGE: &str = "if it shows only what changes, it is a merge patch (RFC 7396)";

/// Returns one operation.
fn operation(value: Value<'_, '_>, text: u32) -> Result<Operation, Error> {
    let members = members(value)?;
    let missing = |name: &str| invalid(value, &format!("the operation has no member `{name}`"), None);
    let op = members.op.ok_or_else(|| missing("op"))?;
    let path = || pointer(members.path.ok_or_else(|| missing("path"))?);
    let from = || pointer(members.from.ok_or_else(|| missing("from"))?);
    let given = || {
        let value = members.value.ok_or_else(|| missing("value"))?;
        Ok::<_, Error>(Node::Text { text, token: number(value.token()) })
    };
    let name = op.as_str().unwrap_or_default();
    match &*name {
        "add" => Ok(Operation::Insert { at: Path::Pointer(path()?), value: given()? }),
        "remove" => Ok(Operation::Delete { at: Path::Pointer(path()?) }),
        "replace" => Ok(Operation::Replace { at: path()?, value: given()? }),
        "move" => Ok(Operation::Move { from: from()?, to: path()? }),
        "copy" => Ok(Operation::Copy { from: from()?, to: path()? }),
        "test" => Ok(Operation::Test { at: Path::Pointer(path()?), value: given()? }),
        _ => {
            let known = "the operations are `add`, `remove`, `replace`, `move`, `copy` and `test`";
            let message = format!("found {}, expected an operation of JSON Patch", quoted(op.raw()));
            Err(invalid(op, &message, Some(known)))
        }
    }
}

/// Returns the members of an operation; others have no meaning.
fn members<'p>(operation: Value<'p, 'p>) -> Result<Members<'p>, Error> {
    if operation.kind() != Kind::Object {
        return Err(invalid(operation, "an operation of a JSON Patch is an object", None));
    }
    let mut members = Members::default();
    for member in operation.members() {
        let key = member.key.as_str().unwrap_or_default();
        let slot = match &*key {
            "op" => &mut members.op,
            "path" => &mut members.path,
            "from" => &mut members.from,
            "value" => &mut members.value,
            _ => continue,
        };
        if slot.replace(member.value).is_some() {
            return Err(invalid(member.key, &format!("the operation has several members `{key}`"), None));
        }
    }
    Ok(members)
}

/// Returns the steps of a pointer in a patch.
fn pointer(value: Value<'_, '_>) -> Result<Vec<ReferenceToken>, Error> {
    let Some(pointer) = value.as_str() else {
        return Err(invalid(value, &format!("found {}, expected a JSON Pointer", quoted(value.raw())), None));
    };
    steps(&pointer).map_err(|error| invalid(value, &error.to_string(), error.help()))
}

/// Returns the error at a value of a patch.
fn invalid(value: Value<'_, '_>, message: &str, help: Option<&str>) -> Error {
    let error = located(value.tokens().text(), value.start(), 0, START, None);
    error.saying(ErrorKind::InvalidPatch, message.to_owned(), help)
}
