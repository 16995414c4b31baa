//! Expressions with at most one output, which is returned.

#![forbid(unsafe_code)]

use crate::builtins;
use crate::eval::halt::Halt;
use crate::eval::item::Item;
use crate::eval::item::Tracked;
use crate::eval::machine::Machine;
use crate::eval::machine::Slot;
use crate::eval::machine::value_of;
use crate::eval::stop::Flow;
use crate::eval::stop::Stop;
use crate::eval::stop::caught;
use crate::eval::stop::fail;
use crate::eval::stop::output;
use crate::ir::Cardinality;
use crate::ir::Fold;
use crate::ir::Node;
use crate::ir::Op;
use crate::resolve::describe_module;
use crate::syntax::ast::BinaryOp;
use crate::value::Array;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Value;
use crate::value::arithmetic;
use crate::value::compare;
use crate::value::equal;

impl<'p> Machine<'p> {
    /// The output of an expression that has at most one.
    #[inline]
    pub(super) fn one<X: Item>(&mut self, node: &'p Node, environment: usize, item: X) -> Flow<Option<X>> {
        match &node.op {
            Op::Identity => Ok(Some(item)),
            Op::Fields(keys) => Ok(Some(item.fields(keys, &self.constants)?)),
            Op::Constant(at) => Ok(Some(item.replaced(self.constants[*at].clone()))),
            Op::KindIn(set) => Ok(Some(X::computed((set & item.value().kind().bit() != 0).into()))),
            Op::Variable(place) => Ok(Some(X::computed(self.variable(environment, *place)))),
            _ => self.one_more(node, environment, item),
        }
    }

    /// The same for a value that is only read.
    #[inline]
    pub(super) fn read<X: Item>(&mut self, node: &'p Node, environment: usize, item: &X) -> Flow<Option<Value>> {
        self.one::<Value>(node, environment, item.value().clone())
    }

    /// Expressions that may be paths.
    #[inline(never)]
    fn one_more<X: Item>(&mut self, node: &'p Node, environment: usize, item: X) -> Flow<Option<X>> {
        self.deeper()?;
        match &node.op {
            Op::Empty => Ok(None),
            Op::Field(base, key, optional) => {
                let base = output!(self.one(base, environment, item));
                let optional = *optional && base.is_on_path();
                // The error would be caught at once.
                if optional && !matches!(base.value().kind(), Kind::Object | Kind::Null) {
                    return Ok(None);
                }
                let fields = base.fields(std::slice::from_ref(key), &self.constants);
                optional_output(fields, optional)
            }
            Op::Index(base, key, optional) => {
                let key = output!(self.read(key, environment, &item));
                let base = output!(self.one(base, environment, item));
                let optional = *optional && base.is_on_path();
                optional_output(base.index(&key), optional)
            }
            Op::Slice(base, from, to, optional) => {
                let from = output!(self.read(from, environment, &item));
                let to = output!(self.read(to, environment, &item));
                let base = output!(self.one(base, environment, item));
                let optional = *optional && base.is_on_path();
                optional_output(base.index(&Value::slice_key(from, to)), optional)
            }
            Op::Pipe(first, second) => {
                let mut item = output!(self.one(first, environment, item));
                let mut next = second;
                while let Op::Pipe(first, second) = &next.op {
                    item = output!(self.one(first, environment, item));
                    next = second;
                }
                self.one(next, environment, item)
            }
            Op::If(condition, then, otherwise) => {
                let condition = output!(self.read(condition, environment, &item)).is_true();
                self.one(if condition { then } else { otherwise }, environment, item)
            }
            Op::Try(body, handler) => self.one_try(body, handler.as_deref(), environment, item),
            Op::Alternative(left, right) => match self.one(left, environment, item.clone())? {
                Some(output) if output.value().is_true() => Ok(Some(output)),
                _ => self.one(right, environment, item),
            },
            Op::GetPath(path) => {
                let path = output!(self.read(path, environment, &item));
                Ok(Some(item.get_path(&path_keys(path)?)?))
            }
            Op::Bind(source, patterns, body) => {
                let value = output!(self.read(source, environment, &item));
                let mark = self.environments.len();
                let inner = self.bind_simple(patterns, environment, value)?;
                let output = self.one(body, inner, item);
                self.environments.truncate(mark);
                output
            }
            Op::First(inner) => self.first(inner, environment, item),
            Op::Last(inner) => self.last(inner, environment, item),
            Op::Reduce(fold) => self.reduce(fold, environment, item),
            Op::Call(call) => {
                let mark = self.environments.len();
                let inner = output!(self.enter(call, environment, &item, mark));
                let output = self.one(self.body(call), inner, item);
                self.environments.truncate(mark);
                output
            }
            _ => Ok(self.one_value(node, environment, item.into_value())?.map(X::computed)),
        }
    }

    fn one_try<X: Item>(
        &mut self,
        body: &'p Node,
        handler: Option<&'p Node>,
        environment: usize,
        item: X,
    ) -> Flow<Option<X>> {
        let mark = self.environments.len();
        match self.one(body, environment, item) {
            Err(Stop::Error(error)) => {
                self.environments.truncate(mark);
                match handler {
                    Some(handler) => self.one(handler, environment, X::computed(error.into_value())),
                    None => Ok(None),
                }
            }
            output => output,
        }
    }

    fn first<X: Item>(&mut self, inner: &'p Node, environment: usize, item: X) -> Flow<Option<X>> {
        if inner.cardinality <= Cardinality::Optional {
            return self.one(inner, environment, item);
        }
        let label = self.new_label();
        let mut found = None;
        let flow = self.many(inner, environment, item, &mut |_, output| {
            found = Some(output);
            Err(Stop::Break(label))
        });
        caught(flow, label)?;
        Ok(found)
    }

    /// The last output is a value, not a path, as in jq.
    fn last<X: Item>(&mut self, inner: &'p Node, environment: usize, item: X) -> Flow<Option<X>> {
        let mut last = None;
        self.many(inner, environment, item, &mut |_, output| {
            last = Some(output);
            Ok(())
        })?;
        Ok(last.map(|last: X| if X::PATHS { X::computed(last.into_value()) } else { last }))
    }

    /// `reduce`, whose state belongs to it alone, so that it changes in place.
    fn reduce<X: Item>(&mut self, fold: &'p Fold, environment: usize, item: X) -> Flow<Option<X>> {
        let input = item.value().clone();
        let state = output!(self.one(&fold.init, environment, item));
        self.reduced(fold, environment, input, state).map(Some)
    }

    pub(super) fn reduced<X: Item>(
        &mut self,
        fold: &'p Fold,
        environment: usize,
        input: Value,
        mut state: X,
    ) -> Flow<X> {
        self.many::<Value>(&fold.source, environment, input, &mut |machine, value| {
            machine.bind(&fold.patterns, environment, value, &mut |machine, inner| {
                machine.step()?;
                let before = std::mem::replace(&mut state, X::computed(Value::NULL));
                if fold.update.cardinality <= Cardinality::Optional {
                    // Without an output, the state is null.
                    if let Some(next) = machine.one(&fold.update, inner, before)? {
                        state = machine.kept(next);
                    }
                    return Ok(());
                }
                let mut last = None;
                machine.many(&fold.update, inner, before, &mut |_, next| {
                    last = Some(next);
                    Ok(())
                })?;
                if let Some(next) = last {
                    state = machine.kept(next);
                }
                Ok(())
            })
        })?;
        Ok(state)
    }

    /// Expressions whose output is computed, and never a path.
    #[inline(never)]
    fn one_value(&mut self, node: &'p Node, environment: usize, input: Value) -> Flow<Option<Value>> {
        Ok(Some(match &node.op {
            Op::Array(items) => self.array(items, environment, input)?.into(),
            Op::Object(members) => return self.object(members, environment, &input),
            Op::Pick(members) => self.pick(members, &input)?,
            Op::KindName => input.kind().name().into(),
            Op::Binary(op, left, right) => {
                if let (Op::Fields(keys), Op::Constant(at)) = (&left.op, &right.op)
                    && op.is_comparison()
                {
                    let left = Value::fields(&input, keys.iter().map(|key| &*key.text))?;
                    return Ok(Some(compared(*op, &left, &self.constants[*at])?.into()));
                }
                let right = output!(self.one::<Value>(right, environment, input.clone()));
                if matches!(left.op, Op::Binary(..)) {
                    return self.binary_row(*op, left, right, environment, input);
                }
                let left = output!(self.one::<Value>(left, environment, input));
                self.binary(*op, left, right)?
            }
            Op::And(left, right) => {
                let left = output!(self.one::<Value>(left, environment, input.clone()));
                let both = left.is_true() && output!(self.one::<Value>(right, environment, input)).is_true();
                both.into()
            }
            Op::Or(left, right) => {
                let left = output!(self.one::<Value>(left, environment, input.clone()));
                let one = left.is_true() || output!(self.one::<Value>(right, environment, input)).is_true();
                one.into()
            }
            Op::Not => (!input.is_true()).into(),
            Op::Negate(inner) => arithmetic::negate(output!(self.one::<Value>(inner, environment, input)))?,
            Op::Environment => self.environment_variables(),
            Op::Native(native, arguments) => match &arguments[..] {
                [] => self.native(*native, input, &mut [])?,
                [only] => {
                    let argument = output!(self.one::<Value>(only, environment, input.clone()));
                    self.native(*native, input, &mut [argument])?
                }
                _ => {
                    let mut values = Vec::with_capacity(arguments.len());
                    for argument in arguments.iter().rev() {
                        values.push(output!(self.one::<Value>(argument, environment, input.clone())));
                    }
                    values.reverse();
                    self.native(*native, input, &mut values)?
                }
            },
            Op::Format(format, parts) => output!(self.format(format, parts, environment, &input)),
            _ => return self.one_special(node, environment, input),
        }))
    }

    /// A row of binary operators, which is deep on the left, without recursion.
    fn binary_row(
        &mut self,
        op: BinaryOp,
        mut left: &'p Node,
        right: Value,
        environment: usize,
        input: Value,
    ) -> Flow<Option<Value>> {
        let mut pending = vec![(op, right)];
        while let Op::Binary(op, further, right) = &left.op {
            pending.push((*op, output!(self.one::<Value>(right, environment, input.clone()))));
            left = further;
        }
        let mut result = output!(self.one::<Value>(left, environment, input));
        while let Some((op, right)) = pending.pop() {
            result = self.binary(op, result, right)?;
        }
        Ok(Some(result))
    }

    /// Builtins that are nodes, and updates.
    fn one_special(&mut self, node: &'p Node, environment: usize, input: Value) -> Flow<Option<Value>> {
        Ok(Some(match &node.op {
            Op::Update(path, update) => self.update(path, update, environment, input)?,
            Op::Assign(path, value) => {
                let value = output!(self.one::<Value>(value, environment, input.clone()));
                self.assign(path, environment, input, &value)?
            }
            Op::UpdateBinary(op, path, value) => {
                let value = output!(self.one::<Value>(value, environment, input.clone()));
                self.update_binary(*op, path, environment, input, &value)?
            }
            Op::UpdateAlternative(path, value) => {
                let value = output!(self.one::<Value>(value, environment, input.clone()));
                self.update_alternative(path, environment, input, &value)?
            }
            Op::Error(None) => return Err(Error::from_value(input).into()),
            Op::Error(Some(message)) => {
                let message = output!(self.one::<Value>(message, environment, input));
                return Err(Error::from_value(message).into());
            }
            Op::Break(place) => match self.slot(environment, *place) {
                Slot::Label(label) => return Err(Stop::Break(*label)),
                _ => return Ok(None),
            },
            Op::Any(source, condition, wanted) => self.any(source, condition, *wanted, environment, input)?.into(),
            Op::IsEmpty(inner) => self.is_empty(inner, environment, input)?.into(),
            Op::By(by, key) => self.by(*by, key.as_deref(), environment, input)?,
            Op::Add(inner) => self.add(inner, environment, input)?,
            Op::AddAll(inner) => self.add_all(inner, environment, input)?,
            Op::Delete(path) => self.delete(path, environment, input)?,
            Op::Walk(inner) => return self.walk_one(inner, environment, input),
            Op::Input => self.input()?,
            Op::Halt(status) => return self.stop_program(status.as_deref(), environment, input),
            Op::ModuleMetadata => self.module_metadata(&input)?,
            // What is left may have many outputs, but has at most one where it is evaluated like this.
            _ => {
                let mut last = None;
                self.many::<Value>(node, environment, input, &mut |_, output| {
                    last = Some(output);
                    Ok(())
                })?;
                return Ok(last);
            }
        }))
    }

    pub(super) fn native(&mut self, native: builtins::Native, input: Value, arguments: &mut [Value]) -> Flow<Value> {
        native(&mut self.context, input, arguments).map_err(|error| self.error(error))
    }

    /// An error of a native function, which may be a limit.
    pub(super) fn error(&mut self, error: Error) -> Stop {
        match self.context.exceeded.take() {
            Some(limit) => Stop::Limit(limit),
            None => Stop::Error(error),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Flow<Value> {
        Ok(match op {
            // The elements and members of the right operand are kept.
            BinaryOp::Add if self.context.reads_inputs => arithmetic::add(left, right.parts_kept())?,
            BinaryOp::Add => arithmetic::add(left, right)?,
            BinaryOp::Subtract => arithmetic::subtract(left, right)?,
            BinaryOp::Multiply => {
                self.reserve_repetition(&left, &right)?;
                arithmetic::multiply(left, right)?
            }
            BinaryOp::Divide => {
                if let (Some(text), Some(separator)) = (left.as_str(), right.as_str()) {
                    let bytes = arithmetic::size_of_parts(&text, &separator);
                    self.context.reserve(bytes).map_err(|error| self.error(error))?;
                }
                arithmetic::divide(left, right)?
            }
            BinaryOp::Modulo => arithmetic::modulo(left, right)?,
            comparison => compared(comparison, &left, &right)?.into(),
        })
    }

    /// A string times a number may be large.
    fn reserve_repetition(&mut self, left: &Value, right: &Value) -> Flow {
        let (text, number) = if left.kind() == Kind::String { (left, right) } else { (right, left) };
        if let (Some(text), Some(number)) = (text.as_str(), number.as_number()) {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
            let bytes = text.len().saturating_mul(number as usize);
            // From here on, the operator itself refuses.
            if bytes >= i32::MAX as usize - 7 {
                return Ok(());
            }
            self.context.reserve(bytes).map_err(|error| self.error(error))?;
        }
        Ok(())
    }

    pub(super) fn next_input(&mut self) -> Option<Result<Value, Error>> {
        self.context.reads_inputs = true;
        self.context.host.next_input()
    }

    /// The next input.
    pub(super) fn input(&mut self) -> Flow<Value> {
        match self.next_input() {
            Some(input) => Ok(input?),
            None if self.context.host.has_inputs() => fail("No more inputs"),
            None => fail("break"),
        }
    }

    fn stop_program(&mut self, status: Option<&'p Node>, environment: usize, input: Value) -> Flow<Option<Value>> {
        let Some(status) = status else {
            self.halt = Some(Halt { status: 0, message: None });
            return Err(Stop::Halt);
        };
        let status = output!(self.one::<Value>(status, environment, input.clone()));
        self.stop_with(&status, input)?;
        Ok(None)
    }

    /// Ends the program with a status and a message.
    pub(super) fn stop_with(&mut self, status: &Value, message: Value) -> Flow {
        let Some(number) = status.as_number() else {
            return Err(Error::of(&message, "halt_error/1: number required").into());
        };
        #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
        let status = number as i32;
        self.halt = Some(Halt { status, message: Some(message) });
        Err(Stop::Halt)
    }

    fn module_metadata(&mut self, name: &Value) -> Flow<Value> {
        let Some(text) = name.as_str() else { return fail("modulemeta input module name must be a string") };
        match self.context.host.modules() {
            Some(modules) => match describe_module(&text, modules) {
                Ok(constant) => Ok(value_of(&constant)),
                Err(message) => fail(message),
            },
            None => fail(format!("module not found: {text}")),
        }
    }

    fn delete(&mut self, path: &'p Node, environment: usize, input: Value) -> Flow<Value> {
        let mut found: Vec<Value> = Vec::new();
        self.many(path, environment, Tracked::root(input.clone()), &mut |_, tracked: Tracked| {
            found.push(tracked.into_keys()?.into());
            Ok(())
        })?;
        Ok(crate::paths::delete(input, found)?)
    }
}

/// What a comparison says about two values.
fn compared(comparison: BinaryOp, left: &Value, right: &Value) -> Result<bool, Error> {
    Ok(match comparison {
        BinaryOp::NotEqual => !equal(left, right)?,
        BinaryOp::Less => compare(left, right)?.is_lt(),
        BinaryOp::LessOrEqual => compare(left, right)?.is_le(),
        BinaryOp::Greater => compare(left, right)?.is_gt(),
        BinaryOp::GreaterOrEqual => compare(left, right)?.is_ge(),
        _ => equal(left, right)?,
    })
}

fn optional_output<X>(output: Result<X, Error>, optional: bool) -> Flow<Option<X>> {
    match output {
        Ok(output) => Ok(Some(output)),
        Err(_) if optional => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The keys of a path that is given as a value.
pub(super) fn path_keys(path: Value) -> Flow<Array> {
    match path.into_array() {
        Ok(keys) => Ok(keys),
        Err(_) => fail("Path must be specified as an array"),
    }
}
