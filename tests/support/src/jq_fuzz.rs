//! Programs in the jq language on documents, where both are arbitrary.

use std::ops::ControlFlow;

use fjson_jq::Filter;
use fjson_jq::Limits;
use fjson_jq::RunError;
use fjson_jq::value::Reader;
use fjson_jq::value::Value;
use fjson_jq::value::memory;

/// Programs that are run on any document.
const PROGRAMS: [&str; 6] = [
    ".",
    "[..|numbers]|length",
    "tojson|fromjson",
    "[paths]|length",
    "to_entries?|from_entries",
    "[limit(9;..|strings|explode|implode)]",
];

/// The first line is a program, the rest are documents. Nothing panics, limits hold, and values that are still text have the same
/// outputs as decoded ones.
///
/// # Panics
/// If that is not so.
pub fn run(text: &[u8]) {
    let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
    let (program, document) = text.split_at(end);
    let program = str::from_utf8(program).ok().and_then(|program| Filter::new(program).ok());
    for filter in program.into_iter().chain(PROGRAMS.map(|program| Filter::new(program).expect(program))) {
        let mut reader = Reader::new();
        let Ok(decoded) = reader.read_decoded(document) else { return };
        let expected = outputs(&filter, decoded);
        let found = outputs(&filter, reader.read(document).expect("it is valid, because it was decoded"));
        if !matches!((&found.1, &expected.1), (Some(RunError::Limit(_)), _) | (_, Some(RunError::Limit(_)))) {
            assert_eq!(found, expected);
        }
    }
}

/// The outputs, and why there are no more.
fn outputs(filter: &Filter, input: Value) -> (Vec<String>, Option<RunError>) {
    let mut machine = filter.machine();
    machine.set_limits(Limits::default().stack(1 << 19).steps(20_000).memory(memory::live() + (16 << 20)));
    let mut outputs = Vec::new();
    let end = machine.run(input, &mut |output| {
        outputs.push(output.to_string());
        if outputs.len() < 1_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    (outputs, end.err())
}
