//! The line that `-v` prints for each input: its documents and bytes, the time taken and the kernel.

#![forbid(unsafe_code)]

use crate::args::Engine;
use crate::args::Inputs;
use crate::report::counted;
use crate::source::Source;
use fjson::Framing;
use fjson::Isa;
use fjson::Summary;
use std::time::Instant;

/// Time measurement for the line of one input.
pub struct Statistics {
    start: Instant,
    kernel: Isa,
}

impl Statistics {
    pub fn start(engine: &Engine) -> Self {
        Self { start: Instant::now(), kernel: engine.kernel.unwrap_or_else(Isa::detect) }
    }

    /// Returns the line, and another one if the file has grown. `written` is the size of the output, if there is one.
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    pub fn line(&self, inputs: &Inputs, source: &Source, summary: &Summary, written: Option<u64>) -> String {
        let name = &source.name;
        let growth = source.growth(summary.bytes, inputs.framing(name) == Framing::Lines).unwrap_or_default();
        let seconds = self.start.elapsed().as_secs_f64();
        let Summary { documents, invalid, bytes, .. } = *summary;
        let documents = counted(documents, "document");
        let output = written.map(|written| format!(" to {written}")).unwrap_or_default();
        let speed = bytes as f64 / seconds / 1e9;
        format!(
            "{name}: {documents}, {invalid} invalid, {bytes}{output} bytes in {:.3} ms \
             ({speed:.2} GB/s, kernel {})\n{growth}",
            seconds * 1e3,
            self.kernel
        )
    }
}
