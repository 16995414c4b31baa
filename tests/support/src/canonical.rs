//! The reference of the canonical form (RFC 8785), written from the ECMAScript specification and independent of the
//! library.

use std::iter;

use fjson::Input;
use fjson::Options;

use crate::check;
use crate::check::Shown;
use crate::pieces::Pieces;
use crate::random::Random;
use crate::reader;
use crate::writer::is_blank;

/// The library gives a valid document the same form as the reference, or refuses it if the reference does; and the result for any
/// document is the same on every kernel, with every window and kind of input.
///
/// # Panics
/// If that does not hold.
pub fn document(text: &[u8], random: &mut Random) {
    agrees_with_itself(text, random);
    if reader::read(text, None).is_ok() {
        agrees(text, random);
    }
}

fn agrees(text: &[u8], random: &mut Random) {
    let expected = canonical(text);
    for &isa in check::kernels() {
        let options = Options::new().isa(isa).window(random.below(3000));
        let mut sink = Vec::new();
        let result = fjson::canonical(text, &mut sink, &options);
        assert_eq!(result.is_ok(), expected.is_some(), "{isa}: {result:?} {}", Shown(text));
        if let Some(expected) = &expected {
            assert_eq!(Shown(&sink), Shown(expected), "{isa}: {}", Shown(text));
            let differs = fjson::canonical_difference(text, &options).expect("it has a form");
            assert_eq!(differs, check::first_difference(text, expected), "{isa}: {}", Shown(text));
            assert_eq!(
                fjson::canonical_difference(expected, &options).expect("it is in its form"),
                None,
                "{}",
                Shown(text)
            );
        }
    }
}

/// The result and the output are the same on every kernel, with every window and kind of input, whatever the text.
fn agrees_with_itself(text: &[u8], random: &mut Random) {
    let run = |input: Input<'_>, options: &Options| {
        let mut sink = Vec::new();
        let result = fjson::canonical(input, &mut sink, options);
        (check::verdict(&result), sink)
    };
    let (verdict, written) = run(text.into(), &Options::new());
    for &isa in check::kernels() {
        for _ in 0..2 {
            let (window, largest) = (random.below(2000), random.below(2000));
            let options = Options::new().isa(isa).window(window);
            let sizes = iter::repeat_with(|| random.below(largest + 2));
            for input in [text.into(), Input::from_reader(Pieces::new(text, sizes))] {
                let got = run(input, &options);
                assert_eq!(got.0, verdict, "{isa} {window}: {}", Shown(text));
                assert_eq!(Shown(&got.1), Shown(&written), "{isa} {window}: {}", Shown(text));
            }
        }
    }
}

/// The canonical form of a valid document. `None` if it has none: an object has duplicate keys, a surrogate is alone, or a
/// number is too large for a double.
///
/// # Panics
/// If the document is not valid.
#[must_use]
pub fn canonical(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).expect("valid");
    let mut reader = Reader { text, at: 0 };
    let mut out = String::new();
    reader.value(&mut out)?;
    Some(out.into_bytes())
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn peek(&mut self) -> u8 {
        while is_blank(self.text.as_bytes()[self.at]) {
            self.at += 1;
        }
        self.text.as_bytes()[self.at]
    }

    /// Skips a token that ends where `is_end` is true.
    fn token(&mut self, is_end: impl Fn(u8) -> bool) -> &'t str {
        let rest = &self.text[self.at..];
        let token = &rest[..rest.bytes().position(is_end).unwrap_or(rest.len())];
        self.at += token.len();
        token
    }

    fn value(&mut self, out: &mut String) -> Option<()> {
        match self.peek() {
            b'{' => self.object(out),
            b'[' => {
                let mut separator = '[';
                while self.goes_on(b']') {
                    out.push(separator);
                    separator = ',';
                    self.value(out)?;
                }
                *out += if separator == '[' { "[]" } else { "]" };
                Some(())
            }
            b'"' => {
                write_string(&self.string()?, out);
                Some(())
            }
            b'-' | b'0'..=b'9' => {
                let number = self.token(|byte| is_blank(byte) || b",]}".contains(&byte)).parse().expect("a number");
                *out += &ecmascript(number)?;
                Some(())
            }
            _ => {
                *out += self.token(|byte| !byte.is_ascii_lowercase());
                Some(())
            }
        }
    }

    /// Skips a bracket or comma. Returns whether a value follows, and not the closing bracket.
    fn goes_on(&mut self, close: u8) -> bool {
        let is_comma = self.peek() == b',';
        if self.peek() != close {
            self.at += 1;
        }
        let goes_on = is_comma || self.peek() != close;
        if !goes_on {
            self.at += 1;
        }
        goes_on
    }

    fn object(&mut self, out: &mut String) -> Option<()> {
        let mut members: Vec<(String, String)> = Vec::new();
        while self.goes_on(b'}') {
            self.peek();
            let name = self.string()?;
            self.peek();
            self.at += 1;
            let mut value = String::new();
            self.value(&mut value)?;
            members.push((name, value));
        }
        members.sort_by_key(|(name, _)| name.encode_utf16().collect::<Vec<_>>());
        if members.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return None;
        }
        out.push('{');
        for (index, (name, value)) in members.iter().enumerate() {
            *out += if index > 0 { "," } else { "" };
            write_string(name, out);
            out.push(':');
            *out += value;
        }
        out.push('}');
        Some(())
    }

    fn string(&mut self) -> Option<String> {
        let start = self.at;
        self.at += 1;
        loop {
            self.at += match self.text.as_bytes()[self.at] {
                b'\\' => 2,
                b'"' => break,
                _ => 1,
            };
        }
        self.at += 1;
        // Refuses lone surrogates.
        serde_json::from_str(&self.text[start..self.at]).ok()
    }
}

/// RFC 8785, section 3.2.2.2.
fn write_string(value: &str, out: &mut String) {
    out.push('"');
    for character in value.chars() {
        match character {
            '"' => *out += "\\\"",
            '\\' => *out += "\\\\",
            '\u{8}' => *out += "\\b",
            '\t' => *out += "\\t",
            '\n' => *out += "\\n",
            '\u{c}' => *out += "\\f",
            '\r' => *out += "\\r",
            '\0'..' ' => out.extend(format!("\\u{:04x}", u32::from(character)).chars()),
            _ => out.push(character),
        }
    }
    out.push('"');
}

/// `Number::toString` of ECMAScript (ECMA-262, section 6.1.6.1.20).
fn ecmascript(number: f64) -> Option<String> {
    if number == 0.0 {
        return Some("0".into());
    }
    if !number.is_finite() {
        return None;
    }
    let shown = format!("{:e}", number.abs());
    let (mantissa, exponent) = shown.split_once('e').expect("an exponent");
    let digits = mantissa.replace('.', "");
    let k = i32::try_from(digits.len()).expect("at most 17");
    let n = exponent.parse::<i32>().expect("a number") + 1;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).expect("not below zero"));
    let at = usize::try_from(n.clamp(0, k)).expect("not below zero");
    let sign = if number < 0.0 { "-" } else { "" };
    let text = if k <= n && n <= 21 {
        digits + &zeros(n - k)
    } else if 0 < n && n <= 21 {
        [&digits[..at], ".", &digits[at..]].concat()
    } else if -6 < n && n <= 0 {
        ["0.", &zeros(-n), &digits].concat()
    } else {
        let point = if k > 1 { "." } else { "" };
        format!("{}{point}{}e{:+}", &digits[..1], &digits[1..], n - 1)
    };
    Some(sign.to_owned() + &text)
}
