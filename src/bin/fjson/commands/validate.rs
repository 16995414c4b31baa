//! `fjson validate`: says what is wrong with each input, and nothing about those that are valid.

#![forbid(unsafe_code)]

use crate::args::Validate;
use crate::commands::statistics::Statistics;
use crate::crew;
use crate::crew::Say;
use crate::crew::Work;
use crate::exit::Exit;
use crate::exit::Trouble;
use crate::report::Report;
use crate::report::Told;
use crate::source::Source;

pub fn run(arguments: &Validate) -> Result<Exit, Trouble> {
    let mut report = Report::as_output(&arguments.reporting)?;
    crew::each(&arguments.inputs, arguments.engine.threads, arguments, &mut report)?;
    report.finish()
}

impl Work for Validate {
    fn work(&self, source: &Source, threads: usize, say: &mut dyn Say) {
        let name = &source.name;
        let statistics = Statistics::start(&self.engine);
        let options = self.engine.options(&self.inputs, name).threads(threads);
        // The report itself may fail (a full disk), and that ends the reading.
        let mut flow = say.say(Told::Opened(source.size()));
        if flow.is_break() {
            return;
        }
        let result = fjson::validate_each(self.inputs.read(source), &options, &mut |error| {
            flow = say.say(Told::Error(error));
            flow
        });
        if flow.is_break() {
            return;
        }
        let told = match result {
            Ok(summary) => {
                if self.reporting.verbose {
                    let _ = say.say(Told::Line(statistics.line(name, &summary, None)));
                }
                Told::Closed(summary)
            }
            Err(error) => Told::Error(error),
        };
        let _ = say.say(told);
    }
}
