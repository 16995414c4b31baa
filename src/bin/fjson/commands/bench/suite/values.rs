//! The cases that need values: what doubles, strings and whole documents say, bit for bit.
//!
//! A document that is copied as it stands may still be read wrong, so each case goes from text to value and back to text. The
//! outcomes of `test_transform`, on which parsers differ, are written down with their reasons in `corpus/transform.json`.

#![forbid(unsafe_code)]

use crate::commands::bench::suite::Judge;
use crate::commands::bench::suite::judge::Verdict;
use crate::commands::bench::suite::table;
use crate::commands::bench::suite::table::Row;
use fjson::Options;
use fjson::scalar;
use fjson::scalar::Escape;
use fjson::scalar::Number;
use fjson::scalar::NumberBuffer;
use fjson::scalar::Surrogates;
use std::fmt::Debug;

/// The outcomes of `test_transform`.
pub const TRANSFORM: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/transform.json"));

/// A row of `doubles.json`: a text and the bits it has as a double.
pub fn double(judge: &Judge, row: &Row) -> Result<(), String> {
    let text = member(row, "text")?;
    equal("verdict", judge.verdict(text.as_bytes())?, Verdict::Accept)?;
    let bits = u64::from_str_radix(member(row, "bits")?.trim_start_matches("0x"), 16);
    let bits = bits.map_err(|error| error.to_string())?;
    let value = number(text.as_bytes())?.to_f64();
    equal("bits", value.to_bits(), bits)?;
    is_read_back(value)
}

/// A row of `strings.json`: a document of one string, and what that is in UTF-8.
pub fn string(judge: &Judge, row: &Row) -> Result<(), String> {
    let document = member(row, "document")?.as_bytes();
    equal("verdict", judge.verdict(document)?, Verdict::Accept)?;
    let value = table::string(the_scalar(document)?.as_slice())?;
    equal("UTF-8", hex(&value), member(row, "utf8_hex")?.to_owned())?;
    let value = String::from_utf8(value).map_err(|error| error.to_string())?;
    for way in [Escape::minimal(), Escape::minimal().ascii(), Escape::minimal().html()] {
        let mut text = Vec::new();
        scalar::escape(&value, way, &mut text).map_err(|error| error.to_string())?;
        let back = scalar::unescape(&text, Surrogates::Refuse).map_err(|error| error.to_string())?;
        equal("written and read again", back.as_ref(), value.as_bytes())?;
    }
    Ok(())
}

/// A document that must come out as it went in, and so must its values.
pub fn round_trip(judge: &Judge, document: &[u8]) -> Result<(), String> {
    equal("verdict", judge.verdict(document)?, Verdict::Accept)?;
    let text = document.trim_ascii_end();
    equal("minified", minified(document)?.as_slice(), text)?;
    for token in table::tokens(text)? {
        match token.first() {
            Some(b'"') => {
                let mut again = Vec::new();
                let inside = table::inside(&token).ok_or("no string")?;
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

/// A document of `test_transform`, and the row that says what is made of it.
pub fn transform(judge: &Judge, row: &Row, document: &[u8]) -> Result<(), String> {
    let verdict = judge.verdict(document)?;
    if let Some(error) = row.get("error") {
        return match verdict {
            Verdict::Reject(kind, offset) => equal("error", format!("{kind:?}@{offset}"), error.clone()),
            Verdict::Accept => Err(format!("accepted, but it should be {error}")),
        };
    }
    equal("verdict", verdict, Verdict::Accept)?;
    equal("minified", String::from_utf8(minified(document)?).as_deref(), Ok(member(row, "minified")?))?;
    for (name, expected) in row {
        let got = match name.as_str() {
            "double" => {
                let value = number(&the_scalar(document)?)?.to_f64();
                NumberBuffer::new().double(value).unwrap_or_default().to_owned()
            }
            "integer" => {
                let token = the_scalar(document)?;
                let number = number(&token)?;
                let signed = number.to_i64().map(|value| value.to_string());
                signed.or_else(|| Some(number.to_u64()?.to_string())).unwrap_or_else(|| "none".to_owned())
            }
            "utf8_hex" => hex(&table::string(&the_scalar(document)?)?),
            "lone_surrogate" => {
                let token = the_scalar(document)?;
                let value = scalar::unescape(table::inside(&token).ok_or("no string")?, Surrogates::Refuse);
                value.map_or_else(|error| error.offset().to_string(), |_| "none".to_owned())
            }
            "replaced" => {
                let token = the_scalar(document)?;
                let value = scalar::unescape(table::inside(&token).ok_or("no string")?, Surrogates::Replace);
                hex(&value.map_err(|error| error.to_string())?)
            }
            "distinct_keys" => distinct_keys(document)?.to_string(),
            _ => continue,
        };
        equal(name, got, expected.clone())?;
    }
    Ok(())
}

/// Both texts of a double are read back as the same bits; ECMAScript has no `-0`.
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

fn minified(document: &[u8]) -> Result<Vec<u8>, String> {
    let mut minified = Vec::new();
    fjson::minify(document, &mut minified, &Options::new()).map_err(|error| error.to_string())?;
    Ok(minified)
}

/// The only string or number of a document.
fn the_scalar(document: &[u8]) -> Result<Vec<u8>, String> {
    let is_scalar = |token: &Vec<u8>| token.first().is_some_and(|first| !b"[]{}:,".contains(first));
    table::tokens(document)?.into_iter().find(is_scalar).ok_or_else(|| "no string and no number".to_owned())
}

/// How many different names there are.
fn distinct_keys(document: &[u8]) -> Result<usize, String> {
    let tokens = table::tokens(document)?;
    let mut names: Vec<&[u8]> = Vec::new();
    for pair in tokens.windows(2).filter(|pair| pair[1] == b":") {
        let name = table::inside(&pair[0]).ok_or("no name")?;
        if !names.iter().any(|other| scalar::same_key(name, other)) {
            names.push(name);
        }
    }
    Ok(names.len())
}

fn member<'r>(row: &'r Row, name: &str) -> Result<&'r str, String> {
    row.get(name).map(String::as_str).ok_or_else(|| format!("the row has no {name}"))
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 0xf])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

#[expect(clippy::needless_pass_by_value, reason = "most are made to be compared")]
fn equal<T: PartialEq + Debug>(what: &str, got: T, expected: T) -> Result<(), String> {
    if got == expected { Ok(()) } else { Err(format!("{what}: {got:?}, but it should be {expected:?}")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fjson::Isa;

    fn row(members: &[(&str, &str)]) -> Row {
        members.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// The test of the test: what is wrong is seen.
    #[test]
    fn wrong_values_fail() {
        let judge = Judge { kernels: vec![Isa::Portable] };
        let double = |text, bits| super::double(&judge, &row(&[("text", text), ("bits", bits)]));
        assert_eq!(double("1.5", "0x3ff8000000000000"), Ok(()));
        assert!(double("1.5", "0x3ff8000000000001").is_err());
        assert!(double("01.5", "0x3ff8000000000000").is_err());
        let string = |document, hex| super::string(&judge, &row(&[("document", document), ("utf8_hex", hex)]));
        assert_eq!(string(r#"["\u00A2"]"#, "c2a2"), Ok(()));
        assert!(string(r#"["\u00A2"]"#, "c2a3").is_err());
        assert!(string(r#"["\uDEAD"]"#, "").is_err());
        for good in ["[1.2345]", r#"{"a":null,"b":"é\n"}"#, "[5e-324]", "[-0.0]", "[-0]\n"] {
            assert_eq!(round_trip(&judge, good.as_bytes()), Ok(()), "{good}");
        }
        for bad in ["[ 1]", r#"["\u0041"]"#, "[0.1000000000000000001]", "[1e999]", "[1"] {
            assert!(round_trip(&judge, bad.as_bytes()).is_err(), "{bad}");
        }
        let transform = |members: &[(&str, &str)], text: &str| super::transform(&judge, &row(members), text.as_bytes());
        assert_eq!(transform(&[("minified", "[1e2]"), ("double", "100.0"), ("integer", "100")], "[1e2]"), Ok(()));
        assert!(transform(&[("minified", "[1e2]"), ("integer", "10")], "[1e2]").is_err());
        assert!(
            transform(&[("minified", r#"{"a":1,"\u0061":2}"#), ("distinct_keys", "2")], r#"{"a":1,"\u0061":2}"#)
                .is_err()
        );
        assert_eq!(transform(&[("error", "ExpectedValueOrClose@1")], "[}"), Ok(()));
        assert!(transform(&[("error", "ExpectedValueOrClose@2")], "[}").is_err());
    }
}
