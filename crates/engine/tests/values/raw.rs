//! Values that keep their text.

use fjson::RawValue;
use fjson::scalar::Number;
use serde::Deserialize;

#[derive(Debug, Deserialize, PartialEq)]
struct Message<'t> {
    #[serde(borrow)]
    body: RawValue<'t>,
    #[serde(borrow)]
    amount: Option<Number<'t>>,
}

#[test]
fn texts_are_kept() {
    let bodies = ["null", "-0.0e-0", "\"\\ud800\"", "[1 , [ ]]", "{\"a\" : {}}", "true"];
    for body in bodies {
        for amount in ["1.50", "-0", "123456789012345678901234567890.0e400"] {
            let text = format!("[{{\"body\":\n{body} , \"amount\": {amount}}}]");
            let messages: Vec<Message> = fjson::from_str(&text).expect("valid");
            assert_eq!(messages[0].body.text(), body);
            assert_eq!(messages[0].amount.map(|amount| amount.text()), Some(amount.as_bytes()));
        }
    }
    let error = fjson::from_str::<Message>("{\"body\": 1, \"amount\": \"1\"}").expect_err("a string");
    assert_eq!((error.pointer(), error.column()), (Some("/amount"), Some(23)));
}

/// The type of `serde_json` is read as `serde_json` reads it, owned and borrowed.
#[test]
fn raw_values_of_serde_json() {
    #[derive(Debug, Deserialize)]
    struct Foreign<'t> {
        #[serde(borrow)]
        body: &'t serde_json::value::RawValue,
        copy: Box<serde_json::value::RawValue>,
        rest: Option<u8>,
    }
    for body in ["null", "-0.0e-0", "\"\\ud800\"", "[1 , [ ]]", "{\"a\" : {}}", "true"] {
        let text = format!("[{{\"body\":\n{body} , \"copy\": {body}\t, \"rest\": 7}}]");
        let found: Vec<Foreign> = fjson::from_str(&text).expect("valid");
        let expected: Vec<Foreign> = serde_json::from_str(&text).expect("valid");
        for values in [&found, &expected] {
            assert_eq!((values[0].body.get(), values[0].copy.get(), values[0].rest), (body, body, Some(7)));
        }
        let from_lines: Vec<_> =
            fjson::lines::<Box<serde_json::value::RawValue>>(body, &fjson::Options::new()).collect();
        assert!(matches!(&from_lines[..], [Ok(value)] if value.get() == body));
    }
    assert!(fjson::from_str::<Foreign>("{\"copy\": 1}").is_err_and(|error| error.pointer() == Some("")));
}

/// Other deserializers do not know the types, and say so.
#[test]
fn other_deserializers_refuse() {
    assert!(serde_json::from_str::<RawValue>("[1]").is_err());
    assert!(serde_json::from_str::<Number>("1").is_err());
}

/// Other deserializers offer texts that nobody has checked.
#[test]
fn other_deserializers_are_refused() {
    use serde::de::value::BorrowedStrDeserializer;
    use serde::de::value::Error;
    let other = || BorrowedStrDeserializer::<Error>::new("] not JSON [");
    assert!(RawValue::deserialize(other()).is_err());
    assert!(Number::deserialize(BorrowedStrDeserializer::<Error>::new("1")).is_err());
    assert!(serde_json::from_str::<RawValue>("\"] not JSON [\"").is_err());
}

/// The key of a member can be kept as it is, too.
#[test]
fn keys_of_serde_json() {
    type Keys = std::collections::BTreeMap<String, u8>;
    struct Raw(Vec<(String, u8)>);
    impl<'de> Deserialize<'de> for Raw {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Members;
            impl<'de> serde::de::Visitor<'de> for Members {
                type Value = Raw;
                fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    formatter.write_str("an object")
                }
                fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
                    let mut members = Vec::new();
                    while let Some((key, value)) = map.next_entry::<Box<serde_json::value::RawValue>, u8>()? {
                        members.push((key.get().to_owned(), value));
                    }
                    Ok(Raw(members))
                }
            }
            deserializer.deserialize_map(Members)
        }
    }
    let text = "{\"a\\u0062\": 1, \"\": 2}";
    let [found, expected] = [fjson::from_str::<Raw>(text).expect("keys"), serde_json::from_str(text).expect("keys")];
    assert_eq!(found.0, expected.0);
    assert_eq!(fjson::from_str::<Keys>(text).expect("keys").len(), 2);
}

/// A deserializer of another library, which forwards the name of the newtype and the key that it is given, with a text of its own.
struct Forwarding<'t>(&'t str);

impl<'de> serde::Deserializer<'de> for Forwarding<'de> {
    type Error = serde::de::value::Error;

    fn deserialize_newtype_struct<V: serde::de::Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        let members = [(name, self.0)].into_iter();
        visitor.visit_map(serde::de::value::MapDeserializer::new(members.map(|(name, text)| (Name(name), Name(text)))))
    }

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_borrowed_str(self.0)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

/// A borrowed string.
struct Name<'t>(&'t str);

impl<'de> serde::de::IntoDeserializer<'de> for Name<'de> {
    type Deserializer = serde::de::value::BorrowedStrDeserializer<'de, serde::de::value::Error>;

    fn into_deserializer(self) -> Self::Deserializer {
        serde::de::value::BorrowedStrDeserializer::new(self.0)
    }
}

/// What another deserializer passes for a raw value is checked, so that it is written as JSON.
#[test]
fn texts_of_other_deserializers_are_checked() {
    for text in ["", "1,2", "[1", "{\"a\"}", "]", "1 2", "\"\u{1}\""] {
        let error = RawValue::deserialize(Forwarding(text)).expect_err("it is no JSON");
        assert!(!error.to_string().is_empty());
        assert!(Number::deserialize(Forwarding(text)).is_err(), "{text}");
    }
    let value = RawValue::deserialize(Forwarding(" [1.50] ")).expect("it is JSON");
    assert_eq!(fjson::to_string(&[value]).expect("a text"), "[[1.50]]");
    assert_eq!(Number::deserialize(Forwarding("1.50")).map(|number| number.text().to_vec()), Ok(b"1.50".to_vec()));
}

/// A text that our deserializer offers to a visitor is taken for checked only while it does so.
#[test]
fn an_offer_ends_with_the_call() {
    struct Unwinding;
    impl<'de> Deserialize<'de> for Unwinding {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            RawValue::deserialize(deserializer).map(|_| panic!("in the type"))
        }
    }
    let text = String::from("[1]");
    let read = std::panic::catch_unwind(|| fjson::from_str::<Unwinding>(&text).is_ok());
    assert!(read.is_err());
    // The same memory, with another content.
    let mut bytes = text.into_bytes();
    bytes[2] = b',';
    let text = String::from_utf8(bytes).expect("ASCII");
    assert!(RawValue::deserialize(Forwarding(&text)).is_err());
}
