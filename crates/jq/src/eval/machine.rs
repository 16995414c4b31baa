//! The machine that runs a program: its environments, constants and surroundings.

#![forbid(unsafe_code)]

use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;

use crate::eval::Context;
use crate::eval::Halt;
use crate::eval::Host;
use crate::eval::Limit;
use crate::eval::Limits;
use crate::eval::RunError;
use crate::eval::stop::Flow;
use crate::eval::stop::Stop;
use crate::ir::Constant;
use crate::ir::Node;
use crate::ir::Place;
use crate::ir::Program;
use crate::modules::read_documents;
use crate::stack::StackBase;
use crate::value::Object;
use crate::value::Value;

/// What a slot of an environment holds.
#[derive(Clone, Debug)]
pub(super) enum Slot<'p> {
    Variable(Value),
    /// An expression and its environment.
    Closure(&'p Node, usize),
    /// The number of a label.
    Label(u64),
}

/// A slot and the environment around it.
#[derive(Debug)]
pub(super) struct Environment<'p> {
    parent: usize,
    slot: Slot<'p>,
}

/// Runs a compiled program on one value after the other.
///
/// It keeps what one run has in common with the next, so it should be made once for many values. Each thread needs its own.
///
/// ```
/// use fjson_jq::Filter;
///
/// let filter = Filter::builder().variable("limit").compile(".[] | select(. > $limit)")?;
/// let mut machine = filter.machine();
/// machine.set_variable("limit", 2.0.into());
/// let mut outputs = Vec::new();
/// for input in ["[1, 5]", "[3, 2]"] {
///     machine.run_each(input, &mut |output| outputs.push(output.to_string()))?;
/// }
/// assert_eq!(outputs, ["5", "3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Machine<'p> {
    pub(super) program: &'p Program,
    names: &'p [String],
    pub(super) constants: Rc<[Value]>,
    pub(super) environments: Vec<Environment<'p>>,
    pub(super) context: Context<'p>,
    labels: u64,
    /// Where the stack was when the run began.
    base: StackBase,
    /// What `halt` ended with.
    pub(super) halt: Option<Halt>,
    /// Whether an update has reached a place.
    pub(super) reached: bool,
    /// `$ENV`, once it has been asked for.
    surroundings: Option<Value>,
}

impl fmt::Debug for Machine<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Machine").field("context", &self.context).finish_non_exhaustive()
    }
}

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program, names: &'p [String], host: Box<dyn Host + 'p>) -> Self {
        let mut environments = vec![Environment { parent: 0, slot: Slot::Label(0) }];
        for at in 0..program.globals {
            environments.push(Environment { parent: at, slot: Slot::Variable(Value::NULL) });
        }
        Self {
            program,
            names,
            constants: program.constants.iter().map(value_of).collect(),
            environments,
            context: Context::new(host),
            labels: 0,
            base: StackBase::here(),
            halt: None,
            reached: false,
            surroundings: None,
        }
    }

    /// Sets the value of a variable with which the filter was compiled; it is `null` before.
    ///
    /// # Panics
    /// If the filter was compiled without this variable.
    pub fn set_variable(&mut self, name: &str, value: Value) {
        // The last one of several with this name hides the others.
        let at = self.names.iter().rposition(|known| known == name);
        let at = at.unwrap_or_else(|| panic!("the filter was compiled without a variable `${name}`"));
        self.environments[at + 1].slot = Slot::Variable(value);
    }

    /// Sets the limits of later runs.
    pub fn set_limits(&mut self, limits: Limits) {
        self.context.limits = limits;
    }

    /// The surroundings of the program.
    pub fn host(&mut self) -> &mut (dyn Host + 'p) {
        &mut *self.context.host
    }

    /// Runs the program on a value and passes each output to a function, which may end the run.
    ///
    /// # Errors
    /// Why there are no more outputs. Those before have been passed on.
    pub fn run(&mut self, input: Value, sink: &mut dyn FnMut(Value) -> ControlFlow<()>) -> Result<(), RunError> {
        self.base = StackBase::here();
        self.halt = None;
        self.context.start();
        let (program, globals) = (self.program, self.program.globals);
        self.environments.truncate(globals + 1);
        let flow = self.many::<Value>(&program.main, globals, input, &mut |_, output| match sink(output) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stop::Sink),
        });
        match flow {
            Ok(()) | Err(Stop::Sink) => Ok(()),
            Err(Stop::Error(error)) => Err(RunError::Error(error)),
            Err(Stop::Break(_)) => Err(RunError::Break),
            Err(Stop::Halt) => Err(RunError::Halt(self.halt.take().unwrap_or(Halt { status: 0, message: None }))),
            Err(Stop::Limit(limit)) => Err(RunError::Limit(limit)),
        }
    }

    /// Runs the program on a JSON text and passes each output to a function.
    ///
    /// # Errors
    /// If the text is not a JSON document, or why there are no more outputs.
    pub fn run_each(&mut self, text: &str, sink: &mut dyn FnMut(Value)) -> Result<(), RunError> {
        let input = Value::parse(text.as_bytes()).map_err(RunError::Error)?;
        self.run(input, &mut |output| {
            sink(output);
            ControlFlow::Continue(())
        })
    }

    /// Counts a step, and looks at the limits.
    #[inline]
    pub(super) fn step(&mut self) -> Flow {
        if self.environments.len() * size_of::<Environment<'_>>() > self.context.limits.memory {
            return Err(Stop::Limit(Limit::Memory));
        }
        self.context.step().map_err(Stop::Limit)
    }

    /// Counts a step of something that uses the stack.
    #[inline]
    pub(super) fn deeper(&mut self) -> Flow {
        if self.base.used() > self.context.limits.stack {
            return Err(Stop::Limit(Limit::Stack));
        }
        self.step()
    }

    /// The environment of a place.
    #[inline]
    pub(super) fn find(&self, mut environment: usize, place: Place) -> usize {
        match place {
            Place::Global(at) => at as usize,
            Place::Up(steps) => {
                for _ in 0..steps {
                    environment = self.environments[environment].parent;
                }
                environment
            }
        }
    }

    /// The slot of a place.
    #[inline]
    pub(super) fn slot(&self, environment: usize, place: Place) -> &Slot<'p> {
        &self.environments[self.find(environment, place)].slot
    }

    #[inline]
    pub(super) fn variable(&self, environment: usize, place: Place) -> Value {
        match self.slot(environment, place) {
            Slot::Variable(value) => value.clone(),
            _ => Value::NULL,
        }
    }

    /// Adds a slot and returns the environment with it.
    #[inline]
    pub(super) fn push(&mut self, parent: usize, slot: Slot<'p>) -> usize {
        self.environments.push(Environment { parent, slot });
        self.environments.len() - 1
    }

    pub(super) fn set(&mut self, environment: usize, value: Value) {
        self.environments[environment].slot = Slot::Variable(value);
    }

    pub(super) fn new_label(&mut self) -> u64 {
        self.labels += 1;
        self.labels
    }

    /// The environment variables as an object.
    pub(super) fn environment_variables(&mut self) -> Value {
        if self.surroundings.is_none() {
            let mut object = Object::new();
            for (name, value) in self.context.host.environment() {
                object.insert(name.into(), value.into());
            }
            self.surroundings = Some(object.into());
        }
        self.surroundings.clone().unwrap_or_default()
    }
}

/// The value of a constant.
pub(super) fn value_of(constant: &Constant) -> Value {
    match constant {
        Constant::Null => Value::NULL,
        Constant::Boolean(value) => (*value).into(),
        Constant::Number(digits) => Value::number_literal(digits).unwrap_or_default(),
        Constant::String(text) => text.as_str().into(),
        Constant::Array(items) => items.iter().map(value_of).collect::<Vec<_>>().into(),
        Constant::Object(members) => {
            let mut object = Object::new();
            for (key, value) in members {
                object.insert(key.as_str().into(), value_of(value));
            }
            object.into()
        }
        // They were checked when the program was compiled.
        Constant::Documents(text) => read_documents(text).unwrap_or_default().into(),
    }
}
