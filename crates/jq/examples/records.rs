//! Runs a filter on each record of a file, which is read in batches: `records FILTER FILE`.
//!
//! ```text
//! cargo run --release -p fjson-jq --example records -- 'select(.level == "error") | .ctx.ip' logs.ndjson
//! ```

#![forbid(unsafe_code)]

use std::env;
use std::error::Error;
use std::fs;
use std::io;
use std::io::Write as _;
use std::ops::ControlFlow;

use fjson::DocumentBatch;
use fjson::Framing;
use fjson::Options;
use fjson::map_documents;
use fjson_jq::Filter;
use fjson_jq::value::Batch;
use fjson_jq::write::Style;
use fjson_jq::write::write;

/// The outputs for the records of a batch, one on each line, and why there are no more.
fn outputs(filter: &Filter, documents: &DocumentBatch<'_>) -> (Vec<u8>, Option<String>) {
    let batch = Batch::of_documents(documents);
    let (mut machine, style, mut text) = (filter.machine(), Style::default(), Vec::new());
    for record in documents.records() {
        let run = machine.run(batch.value(record), &mut |output| {
            write(&output, &style, &mut text);
            text.push(b'\n');
            ControlFlow::Continue(())
        });
        if let Err(error) = run {
            return (text, Some(error.to_string()));
        }
    }
    (text, None)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().collect();
    let [_, program, file] = &arguments[..] else { return Err("usage: records FILTER FILE".into()) };
    let filter = Filter::new(program)?;
    let input = fs::read(file)?;
    let mut output = io::stdout().lock();
    let mut failure = None;
    map_documents(
        &input,
        &Options::new().framing(Framing::Lines).threads(1),
        |documents| outputs(&filter, documents),
        |mapped| {
            let (text, error) = match mapped {
                Ok(mapped) => mapped.result,
                Err(error) => (Vec::new(), Some(error.to_string())),
            };
            let written = output.write_all(&text).err().map(|error| error.to_string());
            failure = error.or(written);
            if failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )?;
    match failure {
        Some(failure) => Err(failure.into()),
        None => Ok(()),
    }
}
