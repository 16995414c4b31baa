//! Where a value is in its document: the key and the containers around it.

#![forbid(unsafe_code)]

use std::fmt::Write;

use crate::document::Kind;
use crate::document::Value;
use crate::document::push_token;

/// A step from a container to a value in it.
enum ChildStep<'p, 't> {
    Member(Value<'p, 't>),
    Element(usize),
}

impl<'p, 't> Value<'p, 't> {
    /// Returns the root of the document, or of the record, that the value is part of.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let mut records = parser.records(b"[1, 2]\n[3]\n")?;
    /// let value = records.nth(1).unwrap().at(0).unwrap();
    /// assert_eq!((value.raw(), value.document().raw()), ("3", "[3]"));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn document(self) -> Self {
        let ends = self.view().record_ends();
        let before = ends.partition_point(|&end| end as usize <= self.token()).checked_sub(1);
        Self::new(self.view(), before.map_or(0, |record| ends[record] as usize))
    }

    /// Returns the key of the member that has this value, in constant time. `None` for an element, for the root and for a key.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"{"id" : [7]}"#)?;
    /// let value = document.get("id").unwrap();
    /// assert_eq!(value.key().map(|key| key.range()), Some(1..5));
    /// assert!(value.at(0).unwrap().key().is_none());
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn key(self) -> Option<Self> {
        let closing_quote = self.token().checked_sub(1)?;
        let view = self.view();
        let between = &view.text()[view.start(closing_quote) + 1..view.start(self.token())];
        let is_member = view.byte(closing_quote) == b'"' && between.contains(&b':');
        is_member.then(|| Self::new(view, self.token() - 2))
    }

    /// Returns the JSON Pointer (RFC 6901) of the value in its [document](Self::document). Takes time proportional to the number of
    /// elements and members before the value in the containers around it. Lone surrogates in keys become U+FFFD. The key of a member
    /// has the pointer of the object.
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"{"a/b": [10, {"~": 20}]}"#)?;
    /// let value = document.pointer("/a~1b/1/~0").unwrap();
    /// assert_eq!((value.to_pointer(), document.to_pointer()), ("/a~1b/1/~0".to_owned(), String::new()));
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn to_pointer(self) -> String {
        let mut pointer = String::new();
        for step in self.steps() {
            match step {
                ChildStep::Member(key) => push_token(&mut pointer, &key.as_str_lossy().unwrap_or_default()),
                ChildStep::Element(index) => pointer.extend(["/", &index.to_string()]),
            }
        }
        pointer
    }

    /// Returns the normalized path (RFC 9535, section 2.7) of the value in its [document](Self::document), like
    /// [`to_pointer`](Self::to_pointer).
    ///
    /// ```
    /// let mut parser = fjson::Parser::new();
    /// let document = parser.document(br#"{"it's": [10, {"\n": 20}]}"#)?;
    /// let value = document.pointer("/it's/1/\n").unwrap();
    /// assert_eq!(value.path(), r"$['it\'s'][1]['\n']");
    /// # Ok::<(), fjson::Error>(())
    /// ```
    #[must_use]
    pub fn path(self) -> String {
        let mut path = String::from("$");
        for step in self.steps() {
            match step {
                // Writing to a string does not fail.
                ChildStep::Member(key) => push_name(&key.as_str_lossy().unwrap_or_default(), &mut path),
                ChildStep::Element(index) => drop(write!(path, "[{index}]")),
            }
        }
        path
    }

    /// Returns the steps from the root to the value.
    fn steps(self) -> Vec<ChildStep<'p, 't>> {
        let (mut steps, mut around) = (Vec::new(), self.document());
        let holds = |value: Self| (value.token()..self.view().skip(value.token())).contains(&self.token());
        while around.token() != self.token() {
            let step = match around.kind() {
                Kind::Array => {
                    around.iter().enumerate().find(|&(_, element)| holds(element)).map(|(index, element)| {
                        around = element;
                        ChildStep::Element(index)
                    })
                }
                _ => around.members().find(|member| holds(member.value)).map(|member| {
                    around = member.value;
                    ChildStep::Member(member.key)
                }),
            };
            // A key is not in any value of its object.
            let Some(step) = step else { break };
            steps.push(step);
        }
        steps
    }
}

/// Appends a name selector of a normalized path.
fn push_name(name: &str, path: &mut String) {
    path.push_str("['");
    for character in name.chars() {
        match character {
            '\'' => path.push_str("\\'"),
            '\\' => path.push_str("\\\\"),
            '\u{8}' => path.push_str("\\b"),
            '\t' => path.push_str("\\t"),
            '\n' => path.push_str("\\n"),
            '\u{c}' => path.push_str("\\f"),
            '\r' => path.push_str("\\r"),
            // Writing to a string does not fail.
            control @ '\0'..='\u{1f}' => drop(write!(path, "\\u{:04x}", u32::from(control))),
            other => path.push(other),
        }
    }
    path.push_str("']");
}

#[cfg(test)]
mod tests {
    use crate::document::Parser;
    use crate::document::Value;

    /// The pointer of each value leads to it, and the path is that of a query.
    fn check(value: Value<'_, '_>) {
        let root = value.document();
        if value.document().members().all(|member| root.get(&member.key.as_str_lossy().unwrap_or_default()).is_some()) {
            assert_eq!(root.pointer(&value.to_pointer()).map(Value::start), Some(value.start()), "{value}");
        }
        for element in value {
            assert!(element.key().is_none());
            check(element);
        }
        for member in value.members() {
            assert_eq!(member.value.key().map(Value::start), Some(member.key.start()));
            assert_eq!((member.key.key().is_none(), member.key.to_pointer()), (true, value.to_pointer()));
            check(member.value);
        }
    }

    #[test]
    fn values_are_found_by_their_pointers() {
        let long = format!("{{\"x\": [{}{{\"y\" : \"z\"}}], \"\": 0}}", "[1, \"a\"],".repeat(300));
        let texts =
            ["[]", "7", "[[1, {\"a\": [\"b\", {}]}], \":\"]", "{\"a/~\\u0001\\u00e9'\\\\\": {\"\":[null]}}", &long];
        let mut parser = Parser::new();
        for text in texts {
            check(parser.document(text.as_bytes()).expect("valid").root());
        }
        let lines = texts.join("\n");
        let records = parser.records(lines.as_bytes()).expect("valid");
        assert_eq!(records.len(), texts.len());
        for (record, text) in records.zip(texts) {
            assert_eq!((record.document().start(), record.raw()), (record.start(), text));
            check(record);
        }
    }

    #[test]
    fn paths_have_escapes() {
        let mut parser = Parser::new();
        let document = parser.document(br#"{"\u0001\u001f\b\f\t\r\n'\"\\/\u00e9": 1}"#).expect("valid");
        let member = document.members().next().expect("a member");
        assert_eq!(member.value.path(), "$['\\u0001\\u001f\\b\\f\\t\\r\\n\\'\"\\\\/é']");
    }
}
