//! Writes a document for `benches/queries` to standard output: `cargo run -p fjson-proof --example emit -- SHAPE SIZE`.
//!
//! SIZE is a number of bytes, or a number and K, M or G.

#![forbid(unsafe_code)]

use proof::shapes::SHAPES;
use proof::shapes::Shape;
use std::env;
use std::error::Error;
use std::io;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [name, size] = &arguments[..] else { return Err("usage: emit SHAPE SIZE".into()) };
    let names = || SHAPES.map(|shape| shape.name).join(", ");
    let shape = Shape::named(name).ok_or_else(|| format!("unknown shape {name}; the shapes are {}", names()))?;
    let mut stdout = io::stdout().lock();
    Ok(shape.write(bytes(size)?, &mut |chunk| stdout.write_all(chunk.as_bytes()))?)
}

fn bytes(size: &str) -> Result<u64, Box<dyn Error>> {
    let digits = size.trim_end_matches(['K', 'M', 'G']);
    let unit = match &size[digits.len()..] {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return Err(format!("not a size: {size}").into()),
    };
    digits.parse::<u64>()?.checked_mul(1 << unit).ok_or_else(|| format!("too large: {size}").into())
}
