//! Whose turn it is to be told, and how many bytes of output wait for theirs.
//!
//! Whoever is ahead of its turn may have made much when it comes, and many may be ahead. So they share an allowance and wait
//! when it is spent. The one whose turn it is never waits here, or nobody would ever give anything back. What is given back is
//! used again: to ask the system for fresh memory takes longer than to fill it.

#![forbid(unsafe_code)]

use std::sync::Condvar;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

pub struct OutputOrder {
    state: Mutex<State>,
    changed: Condvar,
    /// Bytes that may be held.
    allowance: usize,
}

struct State {
    /// The input that is told of. Those before it are done with.
    turn: u64,
    held: usize,
    /// What was held, to be filled again.
    spare: Vec<Vec<u8>>,
}

impl OutputOrder {
    /// The first turn is that of input 0.
    pub fn new(allowance: usize) -> Self {
        Self { state: Mutex::new(State { turn: 0, held: 0, spare: Vec::new() }), changed: Condvar::new(), allowance }
    }

    /// The input whose turn it is.
    pub fn turn(&self) -> u64 {
        self.state().turn
    }

    /// Holds `bytes` of an input, as soon as that is allowed.
    pub fn hold(&self, input: u64, bytes: usize) {
        let must_wait = |state: &mut State| state.turn < input && state.held + bytes > self.allowance;
        let waited = self.changed.wait_while(self.state(), must_wait);
        waited.unwrap_or_else(PoisonError::into_inner).held += bytes;
    }

    /// `bytes` are held no longer.
    pub fn free(&self, mut bytes: Vec<u8>) {
        let mut state = self.state();
        state.held -= bytes.len();
        bytes.clear();
        state.spare.push(bytes);
        drop(state);
        self.changed.notify_all();
    }

    /// Memory for `room` bytes of an input, or nothing if there is none. Who is ahead of its turn waits for it.
    pub fn memory(&self, input: u64, room: usize) -> Option<Vec<u8>> {
        let mut state = self.state();
        loop {
            let mut memory = state.spare.pop().unwrap_or_default();
            if memory.try_reserve_exact(room).is_ok() {
                return Some(memory);
            }
            if state.turn >= input {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// It is the turn of the next input.
    pub fn next(&self) {
        self.state().turn += 1;
        self.changed.notify_all();
    }

    /// Nobody is told of any more, and nobody waits.
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

    /// Whether input 1 waits with `bytes` until `until` is called; then it does no longer, or this never ends.
    fn waits(output_order: &OutputOrder, bytes: usize, until: impl FnOnce()) -> bool {
        let is_held = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                output_order.hold(1, bytes);
                is_held.store(true, Ordering::SeqCst);
            });
            thread::sleep(Duration::from_millis(50));
            let waited = !is_held.load(Ordering::SeqCst);
            until();
            waited
        })
    }

    #[test]
    fn who_is_ahead_waits_for_room_or_for_its_turn() {
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
    fn who_gets_no_memory_waits_for_its_turn() {
        let output_order = OutputOrder::new(10);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| output_order.memory(1, usize::MAX));
            output_order.next();
            assert_eq!(waiting.join().expect("no panic"), None);
        });
    }

    #[test]
    fn who_is_next_never_waits_and_nobody_does_at_the_end() {
        let output_order = OutputOrder::new(10);
        output_order.hold(0, 1000);
        assert!(waits(&output_order, 1, || output_order.end()));
    }
}
