//! Matches that cannot be printed in the requested form. They are reported at the end of their input, with their places.
//!
//! A search does not keep track of places, which would cost time for matches that can be printed. So the input is read again, or what
//! was kept of a pipe.

#![forbid(unsafe_code)]

use crate::args::Inputs;
use crate::commands::query::value::OUT_OF_MEMORY;
use crate::report::Event;
use crate::report::Skipped;
use crate::report::Unprintable;
use crate::scheduler::EventSink;
use crate::source::Source;
use fjson::Error;
use fjson::ErrorKind;
use fjson::Input;
use fjson::Options;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// How often an input is read again. Each time, one place in each record is found, or one in an input without records.
const MAX_READINGS: usize = 32;

/// Matches that cannot be printed.
#[derive(Default)]
pub struct Unprintables(Vec<Failed>);

struct Failed {
    start: u64,
    record: Option<u64>,
    reason: &'static str,
}

/// What was reported.
#[derive(Default)]
pub struct Reported {
    pub findings: u64,
    /// Number of records that are left out.
    pub skipped: u64,
}

impl Unprintables {
    /// Adds a match that begins at `start`. Fails if there is no memory.
    pub fn add(&mut self, start: u64, record: Option<u64>, reason: &'static str) -> Result<(), &'static str> {
        self.0.try_reserve(1).map_err(|_| OUT_OF_MEMORY)?;
        self.0.push(Failed { start, record, reason });
        Ok(())
    }

    /// Reports the matches of `source`. If records are skipped, they are only counted, or written to the file of bad records.
    pub fn report(
        mut self,
        inputs: &Inputs,
        source: &Source,
        options: &Options,
        skips: bool,
        has_file: bool,
        sink: &mut dyn EventSink,
    ) -> Reported {
        let mut reported = Reported::default();
        if self.0.is_empty() {
            return reported;
        }
        self.0.sort_by_key(|failed| failed.start);
        self.0.dedup_by_key(|failed| failed.start);
        if skips {
            self.0.dedup_by(|one, other| one.record.is_some() && one.record == other.record);
        }
        let mut places = if skips && !has_file { HashMap::new() } else { self.places(inputs, source, options) };
        for Failed { start, record, reason } in self.0 {
            let event = match (places.remove(&start), skips) {
                (Some(error), true) => Event::Skipped(Box::new(Skipped { error, reason: Some(reason) })),
                (None, true) if !has_file => {
                    reported.skipped += 1;
                    continue;
                }
                (place, _) => Event::Unprintable(Box::new(Unprintable { place, offset: start, record, reason })),
            };
            if matches!(event, Event::Skipped(_)) {
                reported.skipped += 1;
            } else {
                reported.findings += 1;
            }
            if sink.send(event).is_break() {
                break;
            }
        }
        reported
    }

    /// Finds the places of the matches, as far as the input can be read again.
    fn places(&self, inputs: &Inputs, source: &Source, options: &Options) -> HashMap<u64, Error> {
        let (mut places, kept) = (HashMap::new(), source.beginning());
        let mut left: Vec<u64> = self.0.iter().map(|failed| failed.start).collect();
        for _ in 0..MAX_READINGS {
            let count = places.len();
            let input = match &kept {
                Some(kept) => Ok(Input::from(kept).expanded(inputs.max_bytes.unwrap_or(u64::MAX))),
                None => inputs.read_again(source),
            };
            let Ok(input) = input else { break };
            // Errors of the input have been reported.
            let _ = fjson::describe_places(input, &left, options, &mut |error| {
                if error.kind() == ErrorKind::Unprintable {
                    places.insert(error.offset(), error);
                }
                ControlFlow::Continue(())
            });
            left.retain(|start| !places.contains_key(start));
            if left.is_empty() || places.len() == count {
                break;
            }
        }
        places
    }
}
