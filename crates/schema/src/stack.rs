//! A stack that is large enough for nested values.
//!
//! The validator recurses for each level of a value, and for each schema that applies to it. Threads may have only 2 MiB of stack.

#![forbid(unsafe_code)]

use std::panic;
use std::thread;

use fjson::TokenKind;
use fjson::Value;

/// Nesting levels for which any stack is large enough.
const SHALLOW: usize = 24;

/// Bytes for each level. Builds without optimization were measured to take up to 8 KiB for a level of a simple recursive schema.
const LEVEL: usize = 64 << 10;

/// Bytes of address space that a stack takes at most.
const MOST: usize = 1 << 30;

/// Calls a function that recurses into a value: on a thread of its own if the value is deep.
pub(crate) fn with_stack<T: Send>(value: Value<'_, '_>, call: impl FnOnce() -> T + Send) -> T {
    let levels = depth(value);
    if levels <= SHALLOW {
        return call();
    }
    let size = (levels.saturating_mul(LEVEL)).min(MOST);
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(size).spawn_scoped(scope, call);
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|reason| panic::resume_unwind(reason)),
            // There is no memory for a thread, and the call is gone.
            Err(error) => panic!("no thread for a document with {levels} nesting levels: {error}"),
        }
    })
}

/// Returns the number of nesting levels of a value.
fn depth(value: Value<'_, '_>) -> usize {
    let tokens = value.tokens();
    let (mut level, mut deepest, mut token) = (0_usize, 0, value.token());
    loop {
        match tokens.kind(token) {
            TokenKind::BeginArray | TokenKind::BeginObject => {
                level += 1;
                deepest = deepest.max(level);
            }
            TokenKind::EndArray | TokenKind::EndObject => level -= 1,
            TokenKind::String => token += 1,
            _ => {}
        }
        token += 1;
        if level == 0 {
            return deepest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::depth;
    use fjson::Parser;

    #[test]
    fn levels_are_those_of_the_deepest_container() {
        for (text, levels) in [("1", 0), ("[]", 1), ("\"[[\"", 0), ("[1, {\"[\": [\"]\"]}, [], 2]", 3), ("{}", 1)] {
            let mut parser = Parser::new();
            let document = parser.document(text.as_bytes()).expect("valid");
            assert_eq!(depth(document.root()), levels, "{text}");
        }
    }
}
