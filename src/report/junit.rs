//! The format `junit`: `JUnit` XML with one test case per finding and one per input without findings.
//!
//! The totals are at the start of the file, so all test cases are held in memory until the end.

#![forbid(unsafe_code)]

use crate::exit::Exit;
use crate::junit;
use crate::junit::Counts;
use crate::junit::Outcome;
use crate::junit::Reason;
use crate::junit::Suite;
use crate::name::Name;
use crate::report::Format;
use crate::report::Totals;
use crate::report::diagnostic::Diagnostic;
use std::fmt;
use std::fmt::Write;

pub struct JUnit(Suite);

impl Default for JUnit {
    fn default() -> Self {
        Self(Suite::new("fjson", Counts::with_errors()))
    }
}

impl Format for JUnit {
    fn diagnostic(&mut self, diagnostic: &Diagnostic<'_>, _text: &mut String) -> fmt::Result {
        let help = diagnostic.help().unwrap_or_default();
        let message = diagnostic.message_with_cause();
        let reason = Reason { message: &message, detail: Some((&diagnostic.kind, &help)) };
        let outcome = if diagnostic.exit == Exit::Error { Outcome::Error(reason) } else { Outcome::Failed(reason) };
        self.0.push(&diagnostic.place().to_string(), None, &outcome);
        Ok(())
    }

    fn passed(&mut self, name: &Name, _text: &mut String) -> fmt::Result {
        self.0.push(&name.to_string(), None, &Outcome::Passed);
        Ok(())
    }

    fn end(&mut self, _totals: &Totals, text: &mut String) -> fmt::Result {
        text.write_str(&junit::file("fjson", std::slice::from_ref(&self.0), Counts::with_errors()))
    }
}
