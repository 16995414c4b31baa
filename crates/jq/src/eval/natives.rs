//! Native functions that belong to the evaluator: paths, and what the host knows.

#![forbid(unsafe_code)]

use crate::builtins::Entry;
use crate::eval::Context;
use crate::paths;
use crate::value::Error;
use crate::value::Value;

/// Sorted by name and arity.
pub(crate) static NATIVES: &[Entry] = &[
    Entry { name: "_debug", arity: 0, run: debug },
    Entry { name: "_stderr", arity: 0, run: stderr },
    Entry { name: "delpaths", arity: 1, run: delete_paths },
    Entry { name: "get_jq_origin", arity: 0, run: nothing },
    Entry { name: "get_prog_origin", arity: 0, run: nothing },
    Entry { name: "get_search_list", arity: 0, run: search_list },
    Entry { name: "input_filename", arity: 0, run: input_filename },
    Entry { name: "input_line_number", arity: 0, run: input_line_number },
    Entry { name: "setpath", arity: 2, run: set_path },
];

type Output = Result<Value, Error>;

fn debug(context: &mut Context, input: Value, _: &mut [Value]) -> Output {
    context.host.debug(&input);
    Ok(input)
}

fn stderr(context: &mut Context, input: Value, _: &mut [Value]) -> Output {
    context.host.stderr(&input);
    Ok(input)
}

fn nothing(_: &mut Context, _: Value, _: &mut [Value]) -> Output {
    Ok(Value::NULL)
}

fn search_list(context: &mut Context, _: Value, _: &mut [Value]) -> Output {
    Ok(context.host.search_list().into_iter().map(Value::from).collect())
}

fn input_filename(context: &mut Context, _: Value, _: &mut [Value]) -> Output {
    Ok(context.host.input_filename().map_or(Value::NULL, Value::from))
}

fn input_line_number(context: &mut Context, _: Value, _: &mut [Value]) -> Output {
    Ok(usize::try_from(context.host.input_line_number()).unwrap_or(usize::MAX).into())
}

fn set_path(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let [path, new] = arguments else { return Ok(Value::NULL) };
    let Ok(keys) = std::mem::take(path).into_array() else {
        return Err(Error::new("Path must be specified as an array"));
    };
    keys.iter().try_for_each(|key| context.reserve_element(key))?;
    paths::set(input, &keys, std::mem::take(new))
}

fn delete_paths(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let [paths] = arguments else { return Ok(input) };
    match std::mem::take(paths).into_array() {
        Ok(paths) => paths::delete(input, paths.into_vec()),
        Err(_) => Err(Error::new("Paths must be specified as an array")),
    }
}
