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
