//! A reader that compares the values of a document with its text, byte by byte and with the standard library.

use fjson::Document;
use fjson::Kind;
use fjson::Value;
use fjson::scalar::Number;

/// Members and elements that are also asked for by key, index and pointer, which takes quadratic time.
const ASKED: usize = 40;

/// Asserts that a document has the values of its text, which is valid.
///
/// # Panics
/// If not.
pub fn compare(text: &[u8], document: Document<'_, '_>) {
    let end = value(text, whitespace(text, 0), document.root());
    assert_eq!(whitespace(text, end), text.len());
}

fn whitespace(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Compares the value at `at` and returns the index after it.
fn value(text: &[u8], at: usize, value: Value<'_, '_>) -> usize {
    let (kind, end) = match text[at] {
        b'{' => (Kind::Object, object(text, at, value)),
        b'[' => (Kind::Array, array(text, at, value)),
        b'"' => (Kind::String, string(text, at, value)),
        b't' => (Kind::Bool, at + 4),
        b'f' => (Kind::Bool, at + 5),
        b'n' => (Kind::Null, at + 4),
        _ => (Kind::Number, number(text, at, value)),
    };
    assert_eq!((value.kind(), value.range()), (kind, at..end));
    let tokens = value.tokens();
    assert_eq!((value.start(), tokens.start(value.token()), tokens.end(value.token())), (at, at, end));
    assert_eq!(tokens.value(value.token()).range(), at..end);
    assert_eq!(value.is_empty(), value.iter().next().is_none() && value.members().next().is_none());
    assert_eq!(value.raw().as_bytes(), &text[at..end]);
    assert_eq!(value.is_null(), kind == Kind::Null);
    assert_eq!(value.as_bool(), (kind == Kind::Bool).then_some(text[at] == b't'));
    if kind != Kind::String {
        assert!(value.as_str().is_none() && value.as_str_lossy().is_none());
    }
    if kind != Kind::Number {
        let numbers = (value.as_u64(), value.as_i64(), value.as_f64());
        assert!(numbers == (None, None, None) && value.as_number().is_none());
    }
    if kind != Kind::Array {
        assert!(value.iter().next().is_none() && value.at(0).is_none());
    }
    if kind != Kind::Object {
        assert!(value.members().next().is_none() && value.get("").is_none());
    }
    end
}

fn object(text: &[u8], at: usize, object: Value<'_, '_>) -> usize {
    let mut at = whitespace(text, at + 1);
    let mut keys = Vec::new();
    for member in object.members() {
        let end = string(text, at, member.key);
        assert_eq!(member.key.range(), at..end);
        let colon = whitespace(text, end);
        assert_eq!(text[colon], b':');
        at = whitespace(text, value(text, whitespace(text, colon + 1), member.value));
        if let Some(key) = member.key.as_str()
            && keys.len() < ASKED
        {
            let first = keys.iter().find(|(earlier, _)| *earlier == key);
            let first = first.map_or(member.value.range(), |(_, range)| Clone::clone(range));
            assert_eq!(object.get(&key).map(Value::range), Some(first.clone()));
            let pointer = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
            assert_eq!(object.pointer(&pointer).map(Value::range), Some(first.clone()));
            keys.push((key, first));
        }
        if text[at] == b',' {
            at = whitespace(text, at + 1);
        }
    }
    assert_eq!((text[at], object.members().count()), (b'}', object.len()));
    at + 1
}

fn array(text: &[u8], at: usize, array: Value<'_, '_>) -> usize {
    let mut at = whitespace(text, at + 1);
    let mut count = 0;
    for element in array {
        if count < ASKED {
            assert_eq!(array.at(count).map(Value::range), Some(element.range()));
            assert_eq!(array.pointer(&format!("/{count}")).map(Value::range), Some(element.range()));
        }
        count += 1;
        at = whitespace(text, value(text, at, element));
        if text[at] == b',' {
            at = whitespace(text, at + 1);
        }
    }
    assert!(text[at] == b']' && array.at(count).is_none() && array.len() == count);
    at + 1
}

fn string(text: &[u8], at: usize, value: Value<'_, '_>) -> usize {
    let mut end = at + 1;
    while text[end] != b'"' {
        end += if text[end] == b'\\' { 2 } else { 1 };
    }
    end += 1;
    // `serde_json` refuses lone surrogates, too.
    let expected = serde_json::from_slice::<String>(&text[at..end]).ok();
    assert_eq!(value.as_str().as_deref(), expected.as_deref());
    let lossy = value.as_str_lossy().expect("a string");
    assert!(expected.is_none_or(|expected| expected == lossy));
    end
}

fn number(text: &[u8], at: usize, value: Value<'_, '_>) -> usize {
    let length = text[at..].iter().take_while(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
    let end = at + length.count();
    let text = str::from_utf8(&text[at..end]).expect("ASCII");
    let number = Number::new(text.as_bytes()).expect("a number");
    assert_eq!(value.as_number().map(|number| number.text()), Some(text.as_bytes()));
    assert_eq!((value.as_i64(), value.as_u64()), (number.to_i64(), number.to_u64()), "{text}");
    let double = value.as_f64().expect("a number");
    // The standard library is wrong about exponents that do not fit its integers.
    let expected = if text.len() < 300 { text.parse().expect("a double") } else { number.to_f64() };
    let is_zero = double == 0.0 && expected == 0.0 && number.is_integer();
    assert!(double.to_bits() == f64::to_bits(expected) || is_zero, "{text}: {double}, expected {expected}");
    end
}
