//! The cases that compare values: doubles, strings and whole documents, bit for bit.
//!
//! A document can be copied correctly although its values are read wrong, so each case goes from text to value and back to text.
//! Parsers differ on `test_transform`; the expected results and their reasons are in `corpus/transform.json`.

#![forbid(unsafe_code)]

use crate::commands::bench::read;
use crate::commands::bench::read::inside;
use crate::commands::bench::read::minified;
use crate::commands::bench::read::string_at;
use crate::commands::bench::read::tokens;
use crate::commands::bench::suite::Verifier;
use crate::commands::bench::suite::verifier::Verdict;
use fjson::scalar;
use fjson::scalar::Escape;
use fjson::scalar::Number;
use fjson::scalar::NumberBuffer;
use fjson::scalar::Surrogates;
use std::fmt::Debug;

/// The expected results of `test_transform`.
pub const TRANSFORM: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/transform.json"));

/// Checks a row of `doubles.json`: a text and the bits of its double.
pub fn double(verifier: &Verifier, row: &[u8]) -> Result<(), String> {
    let text = member(row, "/text")?;
    equal("verdict", verifier.verdict(text.as_bytes())?, Verdict::Accept)?;
    let bits = u64::from_str_radix(member(row, "/bits")?.trim_start_matches("0x"), 16);
    let bits = bits.map_err(|error| error.to_string())?;
    let value = number(text.as_bytes())?.to_f64();
    equal("bits", value.to_bits(), bits)?;
    is_read_back(value)
}

/// Checks a row of `strings.json`: a document with one string, and the UTF-8 text of that string.
pub fn string(verifier: &Verifier, row: &[u8]) -> Result<(), String> {
    let document = member(row, "/document")?.into_bytes();
    equal("verdict", verifier.verdict(&document)?, Verdict::Accept)?;
    let value = read::string(&the_scalar(&document)?)?;
    equal("UTF-8", hex(&value), member(row, "/utf8_hex")?)?;
    let value = String::from_utf8(value).map_err(|error| error.to_string())?;
    for way in [Escape::minimal(), Escape::minimal().ascii(), Escape::minimal().html()] {
        let mut text = Vec::new();
        scalar::escape(&value, way, &mut text).map_err(|error| error.to_string())?;
        let back = scalar::unescape(&text, Surrogates::Refuse).map_err(|error| error.to_string())?;
        equal("written and read again", back.as_ref(), value.as_bytes())?;
    }
    Ok(())
}

/// Checks that a document and its values are written as they were read.
pub fn round_trip(verifier: &Verifier, document: &[u8]) -> Result<(), String> {
    equal("verdict", verifier.verdict(document)?, Verdict::Accept)?;
    let text = document.trim_ascii_end();
    equal("minified", minified(document)?.as_slice(), text)?;
    for token in tokens(text)? {
        match token.first() {
            Some(b'"') => {
                let mut again = Vec::new();
                let inside = inside(&token).ok_or("no string")?;
                scalar::reescape(inside, Escape::minimal(), &mut again).map_err(|error| error.to_string())?;
                equal("string", again.as_slice(), inside)?;
            }
            Some(b'-' | b'0'..=b'9') => {
                let number = number(&token)?;
                // No integer is -0.
                let is_integer = number.is_integer() && token != b"-0";
                if let Some(integer) = number.to_i64().filter(|_| is_integer) {
                    equal("integer", NumberBuffer::new().integer(integer).as_bytes(), &token)?;
                } else {
                    is_read_back(number.to_f64())?;
                    let mut buffer = NumberBuffer::new();
                    let text = buffer.double(number.to_f64()).unwrap_or_default();
                    equal("number", self::number(text.as_bytes())?, number)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Checks a document of `test_transform` against its row of expected results.
pub fn transform(verifier: &Verifier, row: &[u8], document: &[u8]) -> Result<(), String> {
    let verdict = verifier.verdict(document)?;
    if let Some(error) = string_at(row, "/error") {
        return match verdict {
            Verdict::Reject(kind, offset) => equal("error", format!("{kind:?}@{offset}"), error),
            Verdict::Accept => Err(format!("accepted, but it should be {error}")),
        };
    }
    equal("verdict", verdict, Verdict::Accept)?;
    equal("minified", String::from_utf8(minified(document)?).ok(), Some(member(row, "/minified")?))?;
    let scalar = || the_scalar(document);
    for pointer in ["/double", "/integer", "/utf8_hex", "/lone_surrogate", "/replaced", "/distinct_keys"] {
        let Some(expected) = string_at(row, pointer) else { continue };
        let got = match pointer {
            "/double" => NumberBuffer::new().double(number(&scalar()?)?.to_f64()).unwrap_or_default().to_owned(),
            "/integer" => {
                let token = scalar()?;
                let number = number(&token)?;
                let signed = number.to_i64().map(|value| value.to_string());
                signed.or_else(|| Some(number.to_u64()?.to_string())).unwrap_or_else(|| "none".to_owned())
            }
            "/utf8_hex" => hex(&read::string(&scalar()?)?),
            "/lone_surrogate" => {
                let token = scalar()?;
                let value = scalar::unescape(inside(&token).ok_or("no string")?, Surrogates::Refuse);
                value.map_or_else(|error| error.offset().to_string(), |_| "none".to_owned())
            }
            "/replaced" => {
                let token = scalar()?;
                let value = scalar::unescape(inside(&token).ok_or("no string")?, Surrogates::Replace);
                hex(&value.map_err(|error| error.to_string())?)
            }
            _ => distinct_keys(document)?.to_string(),
        };
        equal(pointer, got, expected)?;
    }
    Ok(())
}

/// Checks that both texts of a double are read as the same bits, except that ECMAScript has no `-0`.
fn is_read_back(value: f64) -> Result<(), String> {
    let mut buffer = NumberBuffer::new();
    let usual = number(buffer.double(value).ok_or("no finite double")?.as_bytes())?.to_f64();
    equal("written and read again", usual.to_bits(), value.to_bits())?;
    let ecmascript = number(buffer.ecmascript(value).ok_or("no finite double")?.as_bytes())?.to_f64();
    equal("written and read again as ECMAScript", ecmascript.to_bits(), (value + 0.0).to_bits())
}

fn number(text: &[u8]) -> Result<Number<'_>, String> {
    Number::new(text).ok_or_else(|| "no number".to_owned())
}

/// Returns the only string or number of a document.
fn the_scalar(document: &[u8]) -> Result<Vec<u8>, String> {
    let is_scalar = |token: &Vec<u8>| token.first().is_some_and(|first| !b"[]{}:,".contains(first));
    tokens(document)?.into_iter().find(is_scalar).ok_or_else(|| "no string or number".to_owned())
}

/// Returns the number of distinct keys.
fn distinct_keys(document: &[u8]) -> Result<usize, String> {
    let tokens = tokens(document)?;
    let mut keys: Vec<&[u8]> = Vec::new();
    for pair in tokens.windows(2).filter(|pair| pair[1] == b":") {
        let key = inside(&pair[0]).ok_or("no key")?;
        if !keys.iter().any(|other| scalar::same_key(key, other)) {
            keys.push(key);
        }
    }
    Ok(keys.len())
}

fn member(row: &[u8], pointer: &str) -> Result<String, String> {
    string_at(row, pointer).ok_or_else(|| format!("the row has no {pointer}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 0xf])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

#[expect(clippy::needless_pass_by_value, reason = "most are temporaries")]
fn equal<T: PartialEq + Debug>(what: &str, got: T, expected: T) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("{what}: {got:?}, but it should be {expected:?}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fjson::Isa;

    #[test]
    fn wrong_values_fail() {
        let verifier = Verifier { kernels: vec![Isa::Portable] };
        let double =
            |text, bits| super::double(&verifier, format!(r#"{{"text":"{text}","bits":"{bits}"}}"#).as_bytes());
        assert_eq!(double("1.5", "0x3ff8000000000000"), Ok(()));
        assert!(double("1.5", "0x3ff8000000000001").is_err());
        assert!(double("01.5", "0x3ff8000000000000").is_err());
        let string = |escape: &str, hex| {
            super::string(&verifier, format!(r#"{{"document":"[\"\\{escape}\"]","utf8_hex":"{hex}"}}"#).as_bytes())
        };
        assert_eq!(string("u00A2", "c2a2"), Ok(()));
        assert!(string("u00A2", "c2a3").is_err());
        assert!(string("uDEAD", "").is_err());
        for good in ["[1.2345]", r#"{"a":null,"b":"é\n"}"#, "[5e-324]", "[-0.0]", "[-0]\n"] {
            assert_eq!(round_trip(&verifier, good.as_bytes()), Ok(()), "{good}");
        }
        for bad in ["[ 1]", r#"["\u0041"]"#, "[0.1000000000000000001]", "[1e999]", "[1"] {
            assert!(round_trip(&verifier, bad.as_bytes()).is_err(), "{bad}");
        }
        let transform = |row: &str, text: &str| super::transform(&verifier, row.as_bytes(), text.as_bytes());
        assert_eq!(transform(r#"{"minified":"[1e2]","double":"100.0","integer":"100"}"#, "[1e2]"), Ok(()));
        assert!(transform(r#"{"minified":"[1e2]","integer":"10"}"#, "[1e2]").is_err());
        let row = r#"{"minified":"{\"a\":1,\"\\u0061\":2}","distinct_keys":"2"}"#;
        assert!(transform(row, r#"{"a":1,"\u0061":2}"#).is_err_and(|error| error.contains("distinct_keys")));
        assert_eq!(transform(r#"{"error":"ExpectedValueOrClose@1"}"#, "[}"), Ok(()));
        assert!(transform(r#"{"error":"ExpectedValueOrClose@2"}"#, "[}").is_err());
    }
}
