//! Draws the pictures of README.md from `benches/tools.json`: `cargo run -p fjson-proof --example chart`.

#![forbid(unsafe_code)]

use proof::chart;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let data = serde_json::from_slice(&fs::read(root.join("benches/tools.json"))?)?;
    for (name, is_dark) in [("light", false), ("dark", true)] {
        fs::write(root.join(format!("docs/images/speed-{name}.svg")), chart::draw(&data, is_dark))?;
    }
    Ok(())
}
