//! What native functions know beside their input and arguments, and what a run has used of its limits.

#![forbid(unsafe_code)]

use std::time::Instant;

use crate::builtins::regex;
use crate::eval::Host;
use crate::eval::Limit;
use crate::eval::Limits;
use crate::value::Error;
use crate::value::Value;
use crate::value::memory;

/// After so many steps, the limits of steps and time are looked at. A step takes 10 ns to a few hundred.
const INTERVAL: u32 = 1024;

/// What native functions know.
pub(crate) struct Context<'h> {
    pub(crate) host: Box<dyn Host + 'h>,
    /// Regular expressions that were compiled.
    pub(crate) regexes: regex::Cache,
    pub(super) limits: Limits,
    /// Steps until the limits are looked at again.
    remaining: u32,
    /// Steps before that.
    steps: u64,
    deadline: Option<Instant>,
    /// Whether the program has read further inputs.
    pub(super) reads_inputs: bool,
    /// A limit that a native function would exceed.
    pub(super) exceeded: Option<Limit>,
    /// The time zone, once it has been asked for.
    zone: Option<jiff::tz::TimeZone>,
}

impl<'h> Context<'h> {
    pub(super) fn new(host: Box<dyn Host + 'h>) -> Self {
        Self {
            host,
            regexes: regex::Cache::default(),
            limits: Limits::default(),
            remaining: INTERVAL,
            steps: 0,
            deadline: None,
            reads_inputs: false,
            exceeded: None,
            zone: None,
        }
    }

    /// Begins a run.
    pub(super) fn start(&mut self) {
        self.exceeded = None;
        self.reads_inputs = false;
        self.steps = 0;
        self.remaining = if self.limits.steps < u64::from(INTERVAL) { 1 } else { INTERVAL };
        self.deadline = self.limits.time.map(|time| Instant::now() + time);
    }

    /// Counts a step.
    #[inline]
    pub(super) fn step(&mut self) -> Result<(), Limit> {
        self.remaining -= 1;
        if memory::live() > self.limits.memory {
            return Err(Limit::Memory);
        }
        if self.remaining == 0 { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Limit> {
        let interval = if self.limits.steps < u64::from(INTERVAL) { 1 } else { INTERVAL };
        self.remaining = interval;
        self.steps += u64::from(interval);
        if self.steps > self.limits.steps {
            return Err(Limit::Steps);
        }
        match self.deadline {
            Some(deadline) if Instant::now() > deadline => Err(Limit::Time),
            _ => Ok(()),
        }
    }

    /// Returns how many bytes more values may take. A function that makes something large may stop when it has made more, which
    /// [`reserve`](Self::reserve) then refuses.
    pub(crate) fn room(&self) -> usize {
        self.limits.memory.saturating_sub(memory::live())
    }

    /// Fails if so many bytes more would exceed the limit of memory. To be called before something large is allocated at once.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), Error> {
        if memory::live().saturating_add(bytes) <= self.limits.memory {
            return Ok(());
        }
        self.exceeded = Some(Limit::Memory);
        Err(Error::new(Limit::Memory.to_string()))
    }

    /// The same for setting the element at a key, which may make an array large. From 2²⁹ on, setting it fails anyway.
    pub(crate) fn reserve_element(&mut self, key: &Value) -> Result<(), Error> {
        match key.as_number() {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
            Some(index) if (65_536.0..536_870_912.0).contains(&index) => {
                self.reserve((index as usize).saturating_mul(size_of::<Value>()))
            }
            _ => Ok(()),
        }
    }

    /// Seconds since 1970 began.
    pub(crate) fn now(&mut self) -> f64 {
        self.host.now()
    }

    /// The time zone of the host; UTC if there is none of this name.
    pub(crate) fn time_zone(&mut self) -> jiff::tz::TimeZone {
        if let Some(zone) = &self.zone {
            return zone.clone();
        }
        let zone = match self.host.time_zone() {
            Some(name) => jiff::tz::TimeZone::get(&name)
                .or_else(|_| jiff::tz::TimeZone::posix(&name))
                .unwrap_or(jiff::tz::TimeZone::UTC),
            None => jiff::tz::TimeZone::system(),
        };
        self.zone = Some(zone.clone());
        zone
    }
}

impl std::fmt::Debug for Context<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Context")
            .field("limits", &self.limits)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}
