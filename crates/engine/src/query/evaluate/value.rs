//! Compares values as RFC 9535 requires (section 2.3.5.2.2): numbers by exact value, strings by code points, containers deeply.

#![forbid(unsafe_code)]

use crate::error::OutOfMemory;
use crate::memory::Grow;
use crate::query::evaluate::document::ValidatedDocument;
use crate::query::syntax::Literal;
use crate::scalar::Number;
use crate::scalar::NumberBuffer;
use crate::scalar::compare_keys;
use crate::scalar::same_key;
use std::cmp::Ordering;
use std::ops::Range;

/// One side of a comparison.
#[derive(Clone, Copy, Debug)]
pub(super) enum OperandValue<'v> {
    /// The `Nothing` of RFC 9535: there is no value.
    Nothing,
    Null,
    True,
    False,
    Number(Number<'v>),
    /// The result of `count` or `length`.
    Count(u64),
    /// The raw text between the quotes.
    String(&'v [u8]),
    /// The offset of the container in the document.
    Container(usize),
}

impl<'v> From<&'v Literal> for OperandValue<'v> {
    fn from(literal: &'v Literal) -> Self {
        match literal {
            Literal::String(text) => Self::String(text.raw()),
            Literal::Number(text) => Self::number(text.as_bytes()),
            Literal::True => Self::True,
            Literal::False => Self::False,
            Literal::Null => Self::Null,
        }
    }
}

impl<'v> OperandValue<'v> {
    /// Returns the value that begins at `start`.
    pub(super) fn at(document: ValidatedDocument<'v>, start: usize) -> Self {
        match document.byte(start) {
            b'{' | b'[' => Self::Container(start),
            b'"' => Self::String(document.slice(start + 1..document.end(start) - 1)),
            b't' => Self::True,
            b'f' => Self::False,
            b'n' => Self::Null,
            _ => Self::number(document.slice(start..document.end(start))),
        }
    }

    /// Returns the value with the text of a number. It is no number if the text has changed.
    fn number(text: &'v [u8]) -> Self {
        Number::new(text).map_or(Self::Nothing, Self::Number)
    }

    pub(super) fn equals(&self, other: &Self, document: ValidatedDocument<'_>) -> bool {
        match (self, other) {
            (Self::Container(left), Self::Container(right)) => are_equal(document, *left, *right),
            _ => self.is_equal_scalar(other),
        }
    }

    pub(super) fn is_equal_scalar(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Nothing, Self::Nothing)
            | (Self::Null, Self::Null)
            | (Self::True, Self::True)
            | (Self::False, Self::False) => true,
            (Self::String(left), Self::String(right)) => same_key(left, right),
            _ => self.order_of_numbers(other) == Some(Ordering::Equal),
        }
    }

    pub(super) fn is_less(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::String(left), Self::String(right)) => compare_keys(left, right).is_lt(),
            _ => self.order_of_numbers(other) == Some(Ordering::Less),
        }
    }

    fn order_of_numbers(&self, other: &Self) -> Option<Ordering> {
        let mut buffers = [NumberBuffer::new(), NumberBuffer::new()];
        let [left, right] = &mut buffers;
        Some(self.number_with(left)?.cmp(&other.number_with(right)?))
    }

    fn number_with<'b>(&self, buffer: &'b mut NumberBuffer) -> Option<Number<'b>>
    where
        'v: 'b,
    {
        match self {
            Self::Number(number) => Some(*number),
            Self::Count(count) => Number::new(buffer.unsigned(*count).as_bytes()),
            _ => None,
        }
    }
}

/// Returns whether two values of the document, given by their offsets, are equal. If a key is duplicate, its members must be equal
/// in order.
pub(super) fn are_equal(document: ValidatedDocument<'_>, left: usize, right: usize) -> bool {
    let mut pairs = vec![(left, right)];
    while let Some((left, right)) = pairs.pop() {
        if document.has_changed() {
            return false;
        }
        if left == right {
            continue;
        }
        match (OperandValue::at(document, left), OperandValue::at(document, right)) {
            (OperandValue::Container(_), OperandValue::Container(_)) if document.byte(left) != document.byte(right) => {
                return false;
            }
            (OperandValue::Container(_), OperandValue::Container(_)) => {
                let (left, right) = (sorted(document, left), sorted(document, right));
                let is_same = |((left, _), (right, _)): (&KeyAndValue, &KeyAndValue)| {
                    same_key(document.slice(left.clone()), document.slice(right.clone()))
                };
                // mutant: if !left.iter().zip(&right).all(is_same) {
                if left.len() != right.len() || !left.iter().zip(&right).all(is_same) {
                    return false;
                }
                if let Err(out_of_memory) = pairs.room(left.len(), OutOfMemory::Document) {
                    document.note_out_of_memory(out_of_memory);
                    return false;
                }
                pairs.extend(left.into_iter().zip(right).map(|((_, left), (_, right))| (left, right)));
            }
            (left, right) if !left.is_equal_scalar(&right) => return false,
            _ => {}
        }
    }
    true
}

/// The range of a key, empty in arrays, and the offset of the value.
type KeyAndValue = (Range<usize>, usize);

/// Returns the children of a container, sorted by name if it is an object.
fn sorted(document: ValidatedDocument<'_>, start: usize) -> Vec<KeyAndValue> {
    let mut members = Vec::new();
    let Some(mut children) = document.children(start) else { return members };
    while let Some(child) = children.next(document) {
        children.skip_to(document.end(child.start));
        if let Err(out_of_memory) = members.grow((child.name.unwrap_or_default(), child.start), OutOfMemory::Document) {
            document.note_out_of_memory(out_of_memory);
        }
    }
    document.add_work(children.offset() - start);
    if children.is_object() {
        let text = |(name, _): &KeyAndValue| document.slice(name.clone());
        // mutant: let _ = text;
        members.sort_by(|left, right| compare_keys(text(left), text(right)));
    }
    members
}

#[cfg(test)]
mod tests {
    use super::OperandValue;
    use super::ValidatedDocument;
    use crate::kernel::Isa;
    use crate::query::evaluate::index::EvaluationState;

    #[test]
    fn values_are_compared() {
        // `!` means only that the values are different.
        for (left, sign, right) in [
            ("1", '=', "1.0"),
            ("100", '=', "1e2"),
            ("0", '=', "-0.0"),
            ("9007199254740993", '>', "9007199254740992.0"),
            ("0.1", '<', "0.1000000000000000055511151231257827"),
            ("1e400", '<', "1e401"),
            ("\"a\"", '=', r#""\u0061""#),
            ("\"a\"", '<', "\"ab\""),
            ("\"\u{fb33}\"", '<', r#""\ud83d\ude00""#),
            (r#""\ud800""#, '!', "\"\u{fffd}\""),
            ("true", '=', "true"),
            ("true", '!', "false"),
            ("null", '!', "false"),
            ("1", '!', "\"1\""),
            ("[]", '=', "[ ]"),
            ("[]", '!', "{}"),
            ("[1,[2]]", '=', "[1.0,[20e-1]]"),
            ("[1,2]", '!', "[2,1]"),
            ("[1]", '!', "[1,2]"),
            (r#"{"a":1,"b":[2]}"#, '=', r#"{"b":[2.0],"\u0061":1}"#),
            (r#"{"a":1}"#, '!', r#"{"b":1}"#),
            (r#"{"a":1}"#, '!', r#"{"a":1,"b":1}"#),
            (r#"{"a":1,"a":2}"#, '=', r#"{"a":1,"a":2}"#),
            (r#"{"a":1,"a":2}"#, '!', r#"{"a":2,"a":1}"#),
        ] {
            let text = format!("[{left},{right}]");
            let state = EvaluationState::default();
            let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
            let (left, right) = (OperandValue::at(document, 1), OperandValue::at(document, left.len() + 2));
            assert_eq!(left.equals(&right, document), sign == '=', "{text}");
            assert_eq!(right.equals(&left, document), sign == '=', "{text}");
            let has_order = text.contains("\"a\"") || sign != '!';
            assert!(!has_order || left.is_less(&right) == (sign == '<'), "{text}");
            assert!(!has_order || right.is_less(&left) == (sign == '>'), "{text}");
        }
        let nothing = OperandValue::Nothing;
        let state = EvaluationState::default();
        let document = ValidatedDocument::new(b"", Isa::detect(), &state);
        assert!(nothing.equals(&nothing, document) && !nothing.is_less(&nothing));
        assert!(
            !nothing.equals(&OperandValue::Null, document)
                && !OperandValue::Container(0).is_less(&OperandValue::Container(0))
        );
        assert!(
            OperandValue::Count(2).equals(&OperandValue::number(b"2.0"), document)
                && OperandValue::Count(1).is_less(&OperandValue::Count(2))
        );
    }

    #[test]
    fn deep_values_are_compared() {
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        let text = format!("[{deep},{deep}]");
        let state = EvaluationState::default();
        let document = ValidatedDocument::new(text.as_bytes(), Isa::detect(), &state);
        // Each level skips the text of all levels inside it, so deeper values would take too long.
        let shallow = "[".repeat(1000) + &"]".repeat(1000);
        let short = format!("[{shallow},{shallow}]");
        let state = EvaluationState::default();
        let document_of_short = ValidatedDocument::new(short.as_bytes(), Isa::detect(), &state);
        assert!(!OperandValue::at(document, 1).equals(&OperandValue::Nothing, document));
        let values = [OperandValue::at(document_of_short, 1), OperandValue::at(document_of_short, shallow.len() + 2)];
        assert!(values[0].equals(&values[1], document_of_short));
    }
}
