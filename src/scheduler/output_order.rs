//! The order in which inputs are reported, and a limit on the output that is held until its turn.
//!
//! Inputs that are ahead of their turn may produce much output. They share an allowance of bytes, and wait when it is used up.
//! The input whose turn it is never waits here; otherwise no output would be freed and all would wait forever. Freed buffers
//! are reused, because requesting new memory from the system takes longer than filling it.

#![forbid(unsafe_code)]

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

/// The current turn and the bytes of output held.
pub struct OutputOrder {
    state: Mutex<State>,
    changed: Condvar,
    /// Number of bytes that may be held.
    allowance: usize,
}

struct State {
    /// Number of the input being reported. All earlier inputs have been reported.
    turn: u64,
    /// Number of bytes held.
    held: usize,
    /// Freed buffers.
    spare: Vec<Vec<u8>>,
}

impl OutputOrder {
    /// Creates an order that starts with input 0.
    pub fn new(allowance: usize) -> Self {
        Self { state: Mutex::new(State { turn: 0, held: 0, spare: Vec::new() }), changed: Condvar::new(), allowance }
    }

    /// Returns the number of the input being reported.
    pub fn turn(&self) -> u64 {
        self.state().turn
    }

    /// Adds `bytes` of an input to the bytes held. Waits until the allowance permits this or it is the turn of the input.
    pub fn hold(&self, input: u64, bytes: usize) {
        let must_wait = |state: &mut State| state.turn < input && state.held + bytes > self.allowance;
        let waited = self.changed.wait_while(self.state(), must_wait);
        waited.unwrap_or_else(PoisonError::into_inner).held += bytes;
    }

    /// Frees a buffer whose bytes were held.
    pub fn free(&self, mut bytes: Vec<u8>) {
        let mut state = self.state();
        state.held -= bytes.len();
        bytes.clear();
        state.spare.push(bytes);
        drop(state);
        self.changed.notify_all();
    }

    /// Returns a buffer with room for `capacity` bytes. If there is no memory, waits until it is the turn of the input, and then
    /// returns `None`.
    pub fn memory(&self, input: u64, capacity: usize) -> Option<Vec<u8>> {
        let mut state = self.state();
        loop {
            let mut memory = state.spare.pop().unwrap_or_default();
            if memory.try_reserve_exact(capacity).is_ok() {
                return Some(memory);
            }
            if state.turn >= input {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Moves on to the next input.
    pub fn next(&self) {
        self.state().turn += 1;
        self.changed.notify_all();
    }

    /// Ends all waiting, because no further inputs are reported.
    pub fn end(&self) {
        self.state().turn = u64::MAX;
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::OutputOrder;
    use std::sync::atomic::AtomicBool;
    use std::sync::atomic::Ordering;
    use std::thread;
    use std::time::Duration;

    /// Whether input 1 waits to hold `bytes`. Calls `release`, which must end the waiting; otherwise this does not return.
    fn waits(output_order: &OutputOrder, bytes: usize, release: impl FnOnce()) -> bool {
        let is_held = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                output_order.hold(1, bytes);
                is_held.store(true, Ordering::SeqCst);
            });
            thread::sleep(Duration::from_millis(50));
            let waited = !is_held.load(Ordering::SeqCst);
            release();
            waited
        })
    }

    #[test]
    fn an_input_ahead_waits_for_the_allowance_or_its_turn() {
        let output_order = OutputOrder::new(10);
        output_order.hold(0, 6);
        output_order.hold(1, 4);
        assert!(waits(&output_order, 5, || output_order.free(vec![0; 6])));
        assert!(output_order.memory(1, 1).is_some_and(|memory| memory.is_empty()));
        assert!(waits(&output_order, 2, || output_order.next()));
        output_order.hold(1, 1000);
        assert_eq!(output_order.turn(), 1);
    }

    #[test]
    fn without_memory_an_input_waits_for_its_turn() {
        let output_order = OutputOrder::new(10);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| output_order.memory(1, usize::MAX));
            output_order.next();
            assert_eq!(waiting.join().expect("no panic"), None);
        });
    }

    #[test]
    fn the_current_input_never_waits_and_the_end_stops_all_waiting() {
        let output_order = OutputOrder::new(10);
        output_order.hold(0, 1000);
        assert!(waits(&output_order, 1, || output_order.end()));
    }
}
