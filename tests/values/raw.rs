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

/// Other deserializers do not know the types, and say so.
#[test]
fn other_deserializers_refuse() {
    assert!(serde_json::from_str::<RawValue>("[1]").is_err());
    assert!(serde_json::from_str::<Number>("1").is_err());
}
