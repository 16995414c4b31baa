//! The keys of a schema, to be found by their text.

#![forbid(unsafe_code)]

/// The number of the rules of a subschema.
pub(super) type Index = usize;

/// Number of keys up to which all of them are compared.
const FEW: usize = 6;

/// The keys that a schema has rules for.
#[derive(Debug)]
pub(super) struct Keys {
    keys: Vec<Key>,
    /// For each hash, one more than the number of a key, or 0. Its length is a power of two; empty if there are few keys.
    table: Vec<u32>,
}

/// A key, and the rules of its value.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) text: Box<str>,
    pub(super) rules: Option<Index>,
    /// Its bit among the required keys; 0 if it is not required.
    pub(super) bit: u64,
}

impl Keys {
    pub(super) fn new(keys: Vec<Key>) -> Self {
        let mut table = Vec::new();
        if keys.len() > FEW {
            table = vec![0; (4 * keys.len()).next_power_of_two()];
            for (number, key) in (1..).zip(&keys) {
                let mut slot = hash(key.text.as_bytes()) & (table.len() - 1);
                while table[slot] != 0 {
                    slot = (slot + 1) & (table.len() - 1);
                }
                table[slot] = number;
            }
        }
        Self { keys, table }
    }

    /// Finds a key. `hint` is the number of the one that is probably it, and is set to the one after it: objects of the same kind have
    /// their keys in the same order.
    #[inline]
    pub(super) fn find(&self, text: &[u8], hint: &mut usize) -> Option<&Key> {
        if let Some(key) = self.keys.get(*hint).filter(|key| key.text.as_bytes() == text) {
            *hint += 1;
            return Some(key);
        }
        let number = self.number(text)?;
        *hint = number + 1;
        Some(&self.keys[number])
    }

    fn number(&self, text: &[u8]) -> Option<usize> {
        if self.table.is_empty() {
            return self.keys.iter().position(|key| key.text.as_bytes() == text);
        }
        let mut slot = hash(text) & (self.table.len() - 1);
        loop {
            // mutant: let number = (self.table[slot] as usize).saturating_sub(1);
            let number = (self.table[slot] as usize).checked_sub(1)?;
            if self.keys[number].text.as_bytes() == text {
                return Some(number);
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
    }
}

/// Hashes the length and the bytes at both ends. Keys that differ only elsewhere are compared one by one.
#[inline]
fn hash(text: &[u8]) -> usize {
    let end = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes));
    let (first, last) = if text.len() >= 8 {
        (end(text.first_chunk()), end(text.last_chunk()))
    } else {
        (text.iter().fold(0, |hash, &byte| hash << 8 | u64::from(byte)), 0)
    };
    let mixed = (first ^ last.rotate_left(29) ^ text.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(mixed >> 32).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Key;
    use super::Keys;

    #[test]
    fn every_key_is_found_in_any_order() {
        for count in [0, 1, 5, 6, 7, 40, 500] {
            let text = |number: usize| format!("key_{}_{number}", "x".repeat(number % 9));
            let key = |number| Key { text: text(number).into(), rules: Some(number), bit: 0 };
            let keys = Keys::new((0..count).map(key).collect());
            let mut hint = 0;
            for number in (0..count).chain((0..count).rev()) {
                let found = keys.find(text(number).as_bytes(), &mut hint);
                assert_eq!(found.and_then(|key| key.rules), Some(number));
                assert!(keys.find(b"key_unknown", &mut hint).is_none());
                assert!(keys.find(b"", &mut hint).is_none());
            }
        }
    }
}
