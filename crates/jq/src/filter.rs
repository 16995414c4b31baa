//! Compiled programs.

#![forbid(unsafe_code)]

use std::ops::ControlFlow;

use crate::eval::Host;
use crate::eval::Machine;
use crate::eval::NoHost;
use crate::eval::RunError;
use crate::ir::Program;
use crate::ir::Uses;
use crate::leading;
use crate::leading::LeadingPath;
use crate::modules::Modules;
use crate::program_error::ProgramError;
use crate::resolve;
use crate::value::Value;

/// A compiled program. It can be used by several threads, each with a [`Machine`] of its own.
///
/// ```
/// use fjson_jq::Filter;
///
/// let filter = Filter::new(".users[] | select(.age >= 18) | .name")?;
/// let text = r#"{"users": [{"name": "Ada", "age": 36}, {"name": "Tim", "age": 9}, {"name": "Eve", "age": 18}]}"#;
/// let mut names = Vec::new();
/// filter.machine().run_each(text, &mut |name| names.push(name.to_string()))?;
/// assert_eq!(names, [r#""Ada""#, r#""Eve""#]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Filter {
    program: Program,
    variables: Vec<String>,
}

impl Filter {
    /// Compiles a program without variables and modules.
    ///
    /// # Errors
    /// What is wrong with the program, and where.
    pub fn new(program: &str) -> Result<Self, ProgramError> {
        Self::builder().compile(program)
    }

    /// Begins to describe what a program is compiled with.
    #[must_use]
    pub fn builder<'m>() -> Builder<'m> {
        Builder::default()
    }

    /// Returns what the program asks of the outside world.
    #[must_use]
    pub fn uses(&self) -> Uses {
        self.program.uses
    }

    /// Returns the path to the elements of an array at the beginning of the program, such as `.features[]`, and the filter of what
    /// follows, which is run on each element; `None` if the program does not begin with such a path.
    ///
    /// For a large document whose elements are found by [`fjson::map_elements`], this needs memory for a few elements only. It is the
    /// same as the program if [`LeadingPath::is_exact`] says so, and an error for one element ends the run.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson::{Input, Options, Query, map_elements};
    /// use fjson_jq::Filter;
    /// use fjson_jq::value::Batch;
    ///
    /// let text = r#"{"features": [{"name": "Ada", "pop": 7}, {"name": "Bay", "pop": 90}]}"#;
    /// let program = Filter::new(".features[] | select(.pop > 50) | .name")?;
    /// let (path, filter) = program.leading_path().expect("a leading path");
    /// assert!(path.is_exact(|| Ok(Input::from(text)), &Options::new())?);
    /// let mut names = Vec::new();
    /// map_elements(
    ///     text,
    ///     &Query::new(&path.jsonpath())?,
    ///     &Options::new(),
    ///     |elements| {
    ///         let (batch, mut machine) = (Batch::of_documents(elements), filter.machine());
    ///         let mut names = Vec::new();
    ///         for element in elements.records() {
    ///             let run = machine.run(batch.value(element), &mut |name| {
    ///                 names.push(name.to_string());
    ///                 ControlFlow::Continue(())
    ///             });
    ///             assert!(run.is_ok());
    ///         }
    ///         names
    ///     },
    ///     |mapped| {
    ///         names.extend(mapped.into_iter().flat_map(|mapped| mapped.result));
    ///         ControlFlow::Continue(())
    ///     },
    /// )?;
    /// assert_eq!(names, ["\"Bay\""]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn leading_path(&self) -> Option<(LeadingPath, Self)> {
        let Self { program, variables } = self.clone();
        let (path, main) = leading::split(program.main)?;
        Some((path, Self { program: Program { main, ..program }, variables }))
    }

    /// Returns a machine whose program gets nothing but its input.
    #[must_use]
    pub fn machine(&self) -> Machine<'_> {
        self.machine_with(NoHost)
    }

    /// Returns a machine with surroundings: further inputs, environment variables, messages.
    #[must_use]
    pub fn machine_with<'p>(&'p self, host: impl Host + 'p) -> Machine<'p> {
        Machine::new(&self.program, &self.variables, Box::new(host))
    }

    /// Runs the program on a value and passes each output to a function, which may end the run.
    ///
    /// For many values, make a [`machine`](Self::machine) once.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use fjson_jq::Filter;
    ///
    /// let mut powers = Vec::new();
    /// Filter::new("recurse(. * 2)")?.run(1.0.into(), &mut |power| {
    ///     powers.push(power.as_number().unwrap());
    ///     if powers.len() < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    /// })?;
    /// assert_eq!(powers, [1.0, 2.0, 4.0, 8.0, 16.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why there are no more outputs. Those before have been passed on.
    pub fn run(&self, input: Value, sink: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), RunError> {
        self.machine().run(input, sink)
    }

    /// Runs the program on a JSON text up to its first output, which is returned.
    ///
    /// ```
    /// use fjson_jq::Filter;
    ///
    /// let price = Filter::new(".items | map(.price) | add")?.first(r#"{"items": [{"price": 3}, {"price": 4.5}]}"#)?;
    /// assert_eq!(price.unwrap().as_number(), Some(7.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not a JSON document, or why there is no first output.
    pub fn first(&self, text: &str) -> Result<Option<Value>, RunError> {
        let input = Value::parse(text.as_bytes()).map_err(RunError::Error)?;
        let mut first = None;
        self.run(input, &mut |output| {
            first = Some(output);
            ControlFlow::Break(())
        })?;
        Ok(first)
    }
}

/// What a program is compiled with: variables, modules, and definitions that it may use.
#[derive(Default)]
pub struct Builder<'m> {
    variables: Vec<String>,
    definitions: Vec<(String, String)>,
    modules: Option<&'m mut dyn Modules>,
}

impl std::fmt::Debug for Builder<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Builder").field("variables", &self.variables).finish_non_exhaustive()
    }
}

impl<'m> Builder<'m> {
    /// Adds a variable with a name such as `name`: the program may use `$name`, whose value the machine gets with [`Machine::set_variable`].
    #[must_use]
    pub fn variable(mut self, name: impl Into<String>) -> Self {
        self.variables.push(name.into());
        self
    }

    /// Sets where `import` and `include` find modules. Without it, a program that imports something does not compile.
    #[must_use]
    pub fn modules(mut self, modules: &'m mut dyn Modules) -> Self {
        self.modules = Some(modules);
        self
    }

    /// Adds the definitions of a file, as if they stood before the program; the name is for messages.
    ///
    /// ```
    /// use fjson_jq::Filter;
    ///
    /// let filter = Filter::builder().definitions("own.jq", "def twice: . * 2;").compile("twice | twice")?;
    /// assert_eq!(filter.first("5")?.unwrap().to_string(), "20");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn definitions(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.definitions.push((name.into(), text.into()));
        self
    }

    /// Compiles a program.
    ///
    /// # Errors
    /// What is wrong with the program or one of its modules, and where.
    pub fn compile(self, program: &str) -> Result<Filter, ProgramError> {
        let Self { variables, definitions, modules } = self;
        let program = resolve::compile(program, &variables, &definitions, modules)?;
        Ok(Filter { program, variables })
    }
}
