//! Paths as arrays of keys: `getpath`, `setpath` and `delpaths`.

#![forbid(unsafe_code)]

use crate::value::Array;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Value;
use crate::value::compare;

/// The longest path, as in jq, so that what it makes can be written.
const LONGEST: usize = 10_000;

/// Returns an error if a path is too long.
pub(crate) fn check(path: &[Value]) -> Result<(), Error> {
    // mutant: Ok(())
    if path.len() > LONGEST { Err(Error::new("Path too deep")) } else { Ok(()) }
}

/// The value at a path; null where there is nothing.
pub(crate) fn get(value: Value, path: &[Value]) -> Result<Value, Error> {
    check(path)?;
    let mut value = value;
    for key in path {
        value = value.index(key)?;
    }
    Ok(value)
}

/// Replaces the value at a path. Containers on the way are changed in place if nothing else holds them.
pub(crate) fn set(mut value: Value, path: &[Value], new: Value) -> Result<Value, Error> {
    check(path)?;
    let Some((last, before)) = path.split_last() else { return Ok(new) };
    // The containers on the way, each taken out of the one before it.
    let mut open = Vec::with_capacity(before.len());
    for key in before {
        let inner = value.take(key)?;
        open.push((value, key));
        value = inner;
    }
    // jq reads before it writes, which decides what the message says.
    drop(value.take(last)?);
    value.set(last, new)?;
    while let Some((mut outer, key)) = open.pop() {
        outer.set(key, value)?;
        value = outer;
    }
    Ok(value)
}

/// Removes the values at paths, all of which refer to the value as it is before.
pub(crate) fn delete(value: Value, paths: Vec<Value>) -> Result<Value, Error> {
    let mut sorted: Vec<Array> = Vec::with_capacity(paths.len());
    for path in paths {
        let keys = path
            .into_array()
            .map_err(|other| Error::new(format!("Path must be specified as array, not {}", other.kind().name())))?;
        check(&keys)?;
        sorted.push(keys);
    }
    let mut failure = None;
    sorted.sort_by(|left, right| {
        let order = compare(&Value::from(left.clone()), &Value::from(right.clone()));
        order.unwrap_or_else(|error| {
            failure.get_or_insert(error);
            std::cmp::Ordering::Equal
        })
    });
    if let Some(error) = failure {
        return Err(error);
    }
    let keys: Vec<&[Value]> = sorted.iter().map(|keys| &**keys).collect();
    // mutant: if keys.last().is_some_and(|path| path.is_empty()) {
    if keys.first().is_some_and(|path| path.is_empty()) {
        return Ok(Value::NULL);
    }
    delete_below(value, &keys, 0)
}

/// Removes values at sorted paths that are equal up to `depth`.
fn delete_below(mut value: Value, paths: &[&[Value]], depth: usize) -> Result<Value, Error> {
    if value.kind() == Kind::Null {
        return Ok(value);
    }
    let mut gone = Vec::new();
    let mut rest = paths;
    while let Some(first) = rest.first() {
        let key = &first[depth];
        // NaN is not equal to itself.
        // mutant: let same = 1;
        let same = rest.iter().take_while(|path| path[depth] == *key).count().max(1);
        let (group, following) = rest.split_at(same);
        rest = following;
        // A path that ends here comes before those that go on.
        if first.len() == depth + 1 {
            gone.push(key.clone());
            continue;
        }
        let inner = value.take(key)?;
        if inner.kind() != Kind::Null {
            let inner = delete_below(inner, group, depth + 1)?;
            value.set(key, inner)?;
        }
    }
    value.delete(&gone)?;
    Ok(value)
}
