//! `fjson validate`: says what is wrong with each input, and nothing about those that are valid.

#![forbid(unsafe_code)]

use crate::args::Validate;
use crate::commands::statistics::Statistics;
use crate::exit::Exit;
use crate::exit::RunError;
use crate::report::Event;
use crate::report::Report;
use crate::scheduler;
use crate::scheduler::EventSink;
use crate::scheduler::Work;
use crate::source::Source;

pub fn run(arguments: &Validate) -> Result<Exit, RunError> {
    let mut report = Report::as_output(&arguments.reporting)?;
    scheduler::each(&arguments.inputs, arguments.engine.threads, arguments, &mut report)?;
    report.finish()
}

impl Work for Validate {
    fn work(&self, source: &Source, threads: usize, say: &mut dyn EventSink) {
        let name = &source.name;
        let statistics = Statistics::start(&self.engine);
        let options = self.engine.options(&self.inputs, name).threads(threads);
        // The report itself may fail (a full disk), and that ends the reading.
        let mut flow = say.say(Event::Opened(source.size()));
        if flow.is_break() {
            return;
        }
        let result = fjson::validate_each(self.inputs.read(source), &options, &mut |error| {
            flow = say.say(Event::Error(error));
            flow
        });
        if flow.is_break() {
            return;
        }
        let told = match result {
            Ok(summary) => {
                if self.reporting.verbose {
                    let _ = say.say(Event::Line(statistics.line(name, &summary, None)));
                }
                Event::Closed(summary)
            }
            Err(error) => Event::Error(error),
        };
        let _ = say.say(told);
    }
}
