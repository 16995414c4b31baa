//! Members by their keys.

#![forbid(unsafe_code)]

use crate::document::Value;

/// Number of members that are compared one by one. More are looked up in a table if that happens repeatedly.
const LINEAR: usize = 32;

/// Which of several members with the same key is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Duplicate {
    First,
    Last,
}

impl Value<'_, '_> {
    /// Returns the value of the first member with this key, if this is an object that has one. Takes time proportional to
    /// the number of members before it; values inside them are skipped. An object with many members that is looked into repeatedly
    /// gets a hash table, so that a look-up takes constant time.
    ///
    /// ```
    /// use fjson::Parser;
    ///
    /// let mut parser = Parser::new();
    /// let document = parser.document(br#"{"id": 1, "caf\u00e9": {"id": 2}}"#)?;
    /// assert_eq!(document.get("café").unwrap().get("id").unwrap().as_u64(), Some(2));
    /// assert!(document.get("name").is_none());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn get(self, key: &str) -> Option<Self> {
        self.member(key, Duplicate::First)
    }

    /// Returns the value of the last member with this key, like [`get`](Self::get). Parsers that make a map of an object keep this
    /// one.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"{"a": 1, "b": 2, "a": 3}"#)?;
    /// let found = [document.get("a"), document.get_last("a")];
    /// assert_eq!(found.map(|value| value.unwrap().as_u64()), [Some(1), Some(3)]);
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn get_last(self, key: &str) -> Option<Self> {
        self.member(key, Duplicate::Last)
    }

    /// Returns the values of the first members with these keys, in one pass over the object.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"{"level": "info", "ms": 20, "id": 7}"#)?;
    /// let [id, level, user] = document.get_many(["id", "level", "user"]);
    /// assert_eq!((id.unwrap().as_u64(), level.unwrap().raw(), user.is_none()), (Some(7), "\"info\"", true));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn get_many<const N: usize>(self, keys: [&str; N]) -> [Option<Self>; N] {
        let mut found = [None; N];
        let (mut missing, mut passed) = (N, 0);
        let (view, mut members) = (self.view(), self.members());
        while let Some(token) = members.token()
            && missing > 0
        {
            if passed == LINEAR {
                for (found, key) in found.iter_mut().zip(keys).filter(|(found, _)| found.is_none()) {
                    *found = self.get(key);
                }
                break;
            }
            passed += 1;
            for (found, key) in found.iter_mut().zip(keys) {
                if found.is_none() && view.is_key(token, key) {
                    *found = Some(Self::new(view, token + 2));
                    missing -= 1;
                }
            }
            members.token = view.skip(token + 2);
        }
        found
    }

    #[inline]
    fn member(self, key: &str, wanted: Duplicate) -> Option<Self> {
        let (view, mut members) = (self.view(), self.members());
        let (mut passed, mut found) = (0, None);
        while let Some(token) = members.token() {
            if view.is_key(token, key) {
                found = Some(Self::new(view, token + 2));
                if wanted == Duplicate::First {
                    break;
                }
            }
            passed += 1;
            if passed == LINEAR
                && let Some(slot) = view.wide_member(self.token(), key)
            {
                let token = if wanted == Duplicate::First { slot.first } else { slot.last };
                return (token != 0).then(|| Self::new(view, token as usize + 2));
            }
            members.token = view.skip(token + 2);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::document::Parser;
    use crate::document::Value;
    use crate::explain::random::Random;

    /// Every way to look up a key finds the members that a search over all members finds, however often it is asked.
    #[test]
    fn look_ups_agree_with_a_search() {
        let mut random = Random::new(61);
        for count in [0, 1, 31, 32, 33, 34, 100, if cfg!(miri) { 100 } else { 700 }] {
            let keys = count.max(1) * 3 / 2;
            let members: Vec<_> = (0..count)
                .map(|index| {
                    let key = random.below(keys);
                    let key = if random.below(3) == 0 { format!("\\u006b{key}") } else { format!("k{key}") };
                    format!("\"{key}\": [{index}, {{\"k0\": 1}}]")
                })
                .collect();
            let text = format!("[{{{}}}, {{\"k0\": 0}}]", members.join(", "));
            let mut parser = Parser::new();
            let document = parser.document(text.as_bytes()).expect("valid");
            let object = document.at(0).expect("an object");
            for round in 0..4 {
                for key in (0..keys).step_by(1 + keys / 100) {
                    let key = format!("k{key}");
                    let mut all = object.members().filter(|member| member.key.as_str().is_some_and(|it| it == *key));
                    let first = all.next().map(|member| member.value);
                    let last = all.last().map(|member| member.value).or(first);
                    let starts = |values: [Option<Value<'_, '_>>; 2]| values.map(|value| value.map(Value::start));
                    let expected = starts([first, last]);
                    assert_eq!(starts([object.get(&key), object.get_last(&key)]), expected, "{count} {round} {key}");
                    let [many, missing] = object.get_many([&key, "x\\"]);
                    assert_eq!((many.map(Value::start), missing.is_none()), (expected[0], true), "{count} {key}");
                }
                assert_eq!(document.at(1).and_then(|it| it.get("k0")?.as_u64()), Some(0));
            }
        }
    }

    /// The tables of a text are not those of the next one.
    #[test]
    fn tables_are_forgotten() {
        let mut parser = Parser::new();
        for value in 0..3 {
            let members: Vec<_> = (0..100).map(|key| format!("\"{}\":{value}", key * (value + 1))).collect();
            let text = format!("{{{}}}", members.join(","));
            let document = parser.document(text.as_bytes()).expect("valid");
            for _ in 0..3 {
                for key in 0..100 {
                    let found = document.get(&(key * (value + 1)).to_string());
                    assert_eq!(found.and_then(Value::as_u64), Some(value), "{key}");
                }
                assert!(document.get("1000").is_none());
            }
        }
    }
}
