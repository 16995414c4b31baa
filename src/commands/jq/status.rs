//! The exit status of jq: 0, with `-e` that of the last output, and otherwise that of the run for the last input. If the program is
//! not called by the name `jq`, a failed run is not forgotten when a later one succeeds: an error never ends with status 0.

#![forbid(unsafe_code)]

use fjson_jq::RunError;

/// A file cannot be read or written, the command line is wrong, or an input is invalid.
pub const SYSTEM: u8 = 2;

/// The program does not compile.
pub const PROGRAM: u8 = 3;

/// With `-e`: there was no output.
const NO_OUTPUT: u8 = 4;

/// An error that the program has not caught.
const FAILED: u8 = 5;

/// How the run for an input ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    NoOutput,
    /// Whether the last output was neither false nor null.
    Output(bool),
    Failed,
    /// `halt` or `halt_error`.
    Halted(i32),
}

impl Ending {
    /// Returns how a run ended whose last output, if any, was true or not.
    pub fn of(last: Option<bool>, result: &Result<(), RunError>) -> Self {
        match (result, last) {
            (Ok(()), None) => Self::NoOutput,
            (Ok(()), Some(is_true)) => Self::Output(is_true),
            (Err(RunError::Halt(halt)), _) => Self::Halted(halt.status),
            (Err(_), _) => Self::Failed,
        }
    }
}

/// What the exit status depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Status {
    last: Option<Ending>,
    /// Whether the last output of all inputs was neither false nor null.
    last_output: Option<bool>,
    has_failed: bool,
    is_trouble: bool,
}

impl Status {
    /// Notes how the run for an input ended.
    pub fn add(&mut self, ending: Ending) {
        self.last = Some(ending);
        self.has_failed |= ending == Ending::Failed;
        if let Ending::Output(is_true) = ending {
            self.last_output = Some(is_true);
        }
    }

    /// Notes that an input or output has failed, or that an input is invalid.
    pub fn add_trouble(&mut self) {
        self.is_trouble = true;
    }

    /// Returns the exit status, with `-e` by the output, and as jq only by the last input.
    pub fn code(self, by_output: bool, is_jq: bool) -> u8 {
        let by_last_output = || match self.last_output {
            _ if !by_output => 0,
            Some(true) => 0,
            Some(false) => 1,
            None => NO_OUTPUT,
        };
        match self.last {
            _ if self.is_trouble => SYSTEM,
            Some(Ending::NoOutput | Ending::Output(_)) if self.has_failed && !is_jq => FAILED,
            None | Some(Ending::NoOutput) => by_last_output(),
            Some(Ending::Output(is_true)) => u8::from(by_output && !is_true),
            Some(Ending::Failed) => FAILED,
            // The system keeps the lowest byte.
            Some(Ending::Halted(status)) if status > 0 || by_output => status.unsigned_abs().to_le_bytes()[0],
            Some(Ending::Halted(_)) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ending;
    use super::Status;

    fn status(endings: &[Ending]) -> Status {
        let mut status = Status::default();
        for ending in endings {
            status.add(*ending);
        }
        status
    }

    #[test]
    fn the_last_input_decides_and_with_e_the_last_output() {
        use Ending::{Failed, Halted, NoOutput, Output};
        for (endings, plain, by_output) in [
            (&[][..], 0, 4),
            (&[NoOutput], 0, 4),
            (&[Output(true)], 0, 0),
            (&[Output(false)], 0, 1),
            (&[Output(false), NoOutput], 0, 1),
            (&[Output(true), NoOutput], 0, 0),
            (&[Failed, Output(true)], 0, 0),
            (&[Output(true), Failed], 5, 5),
            (&[Failed, NoOutput], 0, 4),
            (&[Output(false), Halted(0)], 0, 0),
            (&[Halted(7)], 7, 7),
            (&[Halted(-1)], 0, 1),
            (&[Halted(256)], 0, 0),
        ] {
            let codes = [false, true].map(|by_output| status(endings).code(by_output, true));
            assert_eq!(codes, [plain, by_output], "{endings:?}");
        }
        for endings in [&[Failed, Output(true)][..], &[Output(true), Failed], &[Failed, Output(false), NoOutput]] {
            assert_eq!([false, true].map(|by_output| status(endings).code(by_output, false)), [5, 5], "{endings:?}");
        }
        assert_eq!(status(&[Failed, Halted(7)]).code(false, false), 7);
        let mut status = Status::default();
        status.add_trouble();
        status.add(Output(true));
        assert_eq!(status.code(false, true), 2);
    }
}
