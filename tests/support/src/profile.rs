//! The reference for the stricter profiles: keys compared one by one, characters by their code units, numbers as text.
//!
//! It is quadratic and simple. It reads the text before the first grammar error, token by token. A key is checked when
//! its colon is there, a number when something follows it, a character when it is complete.

use std::iter;

use fjson::ErrorKind;
use fjson::Input;
use fjson::Isa;
use fjson::Options;

use crate::check::Shown;
use crate::check::kernels;
use crate::pieces::Pieces;
use crate::reader;
use crate::writer;

/// Valid, or kind and offset of the first violation, and the offset of the first key.
pub type Verdict = Result<(), (ErrorKind, usize, Option<usize>)>;

/// The UTF-16 code units of a key, and its offset.
type Name = (Vec<u16>, usize);

/// The first violation in `text`, up to an error or in all of it.
struct Naive<'t> {
    text: &'t [u8],
    at: usize,
    ijson: bool,
    /// The keys of each open object; `None` for an array.
    open: Vec<Option<Vec<Name>>>,
    ended: bool,
}

/// The verdict of the simple reader.
///
/// # Errors
/// The first error: of the grammar, or of a whole token by the profile.
///
/// # Panics
/// If an exponent has twenty digits.
pub fn read(text: &[u8], ijson: bool) -> Verdict {
    let syntax = reader::read(text, None).err();
    let end = syntax.map_or(text.len(), |(_, offset)| offset);
    let mut naive = Naive { text: &text[..end], at: 0, ijson, open: Vec::new(), ended: syntax.is_none() };
    naive.tokens()?;
    syntax.map_or(Ok(()), |(kind, offset)| Err((kind, offset, None)))
}

impl Naive<'_> {
    fn tokens(&mut self) -> Verdict {
        while let Some(&byte) = self.text.get(self.at) {
            let start = self.at;
            self.at += 1;
            match byte {
                b'{' => self.open.push(Some(Vec::new())),
                b'[' => self.open.push(None),
                b'}' | b']' => drop(self.open.pop()),
                b'"' => {
                    let (units, character) = self.string();
                    let is_name = {
                        let rest = self.text[self.at..].trim_ascii_start();
                        rest.first() == Some(&b':')
                    };
                    if is_name && let Some(Some(names)) = self.open.last_mut() {
                        if let Some((_, earlier)) = names.iter().find(|(name, _)| *name == units) {
                            return Err((ErrorKind::DuplicateKey, start, Some(*earlier)));
                        }
                        names.push((units, start));
                    }
                    if self.ijson {
                        character?;
                    }
                }
                b'-' | b'0'..=b'9' => {
                    let is_in = |byte: &&u8| b"+-.eE0123456789".contains(byte);
                    let number = &self.text[start..start + self.text[start..].iter().take_while(is_in).count()];
                    self.at = start + number.len();
                    let is_whole = self.ended || self.at < self.text.len();
                    if self.ijson && number.len() > LONG && has_too_many_digits(&number[..LONG]) {
                        return Err((ErrorKind::InexactNumber, start, None));
                    }
                    if self.ijson && is_whole && !is_kept(str::from_utf8(number).expect("ASCII")) {
                        let offset = if number.len() > LONG { self.at } else { start };
                        return Err((ErrorKind::InexactNumber, offset, None));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The code units of a string, and the first invalid character.
    fn string(&mut self) -> (Vec<u16>, Verdict) {
        let mut units = Vec::new();
        let mut verdict = Ok(());
        // The first half of a pair, which waits for the second.
        let mut half: Option<usize> = None;
        while let Some(&byte) = self.text.get(self.at) {
            let start = self.at;
            let rest = &self.text[start..];
            let (code, length) = match (byte, rest) {
                (b'"', _) => break,
                (b'\\', [_, b'u', a, b, c, d, ..]) => {
                    let digits = [*a, *b, *c, *d];
                    (u32::from_str_radix(str::from_utf8(&digits).expect("ASCII"), 16).expect("digits"), 6)
                }
                (b'\\', [_] | [_, b'u', ..]) => {
                    // It ends before an error.
                    let pattern: [&[u8]; 6] = [b"\\", b"u", b"dD", b"cdefCDEF", b"0123456789abcdefABCDEF", b""];
                    if rest.iter().zip(pattern).all(|(byte, class)| class.contains(byte)) {
                        half = None;
                    } else if let Some(first) = half {
                        verdict = verdict.and(Err((ErrorKind::LoneSurrogate, first, None)));
                    }
                    self.at = self.text.len();
                    break;
                }
                (b'\\', [_, letter, ..]) => (u32::from(*letter) + 0x1000, 2),
                _ => match rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()) {
                    Some(character) => (u32::from(character), character.len_utf8()),
                    None => (0x2000, 1),
                },
            };
            self.at += length;
            let mut meant = code;
            if let Some(first) = half.take() {
                if length == 6 && (0xdc00..0xe000).contains(&code) {
                    let high = u32::from(*units.last().expect("the first half"));
                    meant = 0x1_0000 + ((high - 0xd800) << 10) + (code - 0xdc00);
                    if meant % 0x1_0000 >= 0xfffe {
                        verdict = verdict.and(Err((ErrorKind::Noncharacter, first, None)));
                    }
                    units.push(u16::try_from(code).expect("a code unit"));
                    continue;
                }
                verdict = verdict.and(Err((ErrorKind::LoneSurrogate, first, None)));
            }
            if (0xd800..0xdc00).contains(&meant) {
                half = Some(start);
            } else if (0xdc00..0xe000).contains(&meant) {
                verdict = verdict.and(Err((ErrorKind::LoneSurrogate, start, None)));
            } else if (0xfdd0..0xfdf0).contains(&meant) || meant % 0x1_0000 >= 0xfffe {
                verdict = verdict.and(Err((ErrorKind::Noncharacter, start, None)));
            }
            if code < 0x1_0000 {
                units.push(u16::try_from(code).expect("a code unit"));
            } else {
                units.extend(char::from_u32(code).expect("a character").encode_utf16(&mut [0; 2]).iter());
            }
        }
        let is_closed = self.text.get(self.at) == Some(&b'"');
        if let (Some(first), true) = (half, is_closed) {
            verdict = verdict.and(Err((ErrorKind::LoneSurrogate, first, None)));
        }
        self.at += usize::from(is_closed);
        (units, verdict)
    }
}

/// A number of more bytes is checked at its end, unless its beginning decides.
const LONG: usize = 1 << 16;

/// Whether the beginning of a number has more digits than any double.
fn has_too_many_digits(front: &[u8]) -> bool {
    let digits = front.iter().take_while(|byte| !matches!(byte, b'e' | b'E')).filter(|byte| byte.is_ascii_digit());
    let digits: Vec<_> = digits.skip_while(|&&digit| digit == b'0').collect();
    digits.iter().rposition(|&&digit| digit != b'0').is_some_and(|last| last >= 800)
}

/// Whether the nearest double equals the number when written with as many digits, or with the shortest ones.
fn is_kept(number: &str) -> bool {
    let digits_and_power = |text: &str| {
        let text = text.trim_start_matches('-').to_ascii_lowercase();
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{integer}{fraction}");
        let digits = all.trim_start_matches('0');
        let count = |length: usize| i64::try_from(length).expect("short");
        // Beyond all doubles, if it does not fit.
        let exponent = exponent.parse().unwrap_or(if exponent.starts_with('-') { -1_i64 << 40 } else { 1 << 40 });
        let power = count(integer.len()) - count(all.len() - digits.len()) + exponent;
        (digits.trim_end_matches('0').to_owned(), power)
    };
    let (digits, power) = digits_and_power(number);
    let double: f64 = number.parse().expect("a number");
    // No double has this many.
    digits.is_empty()
        || digits.len() <= 800 && {
            let precision = digits.len() - 1;
            let texts = [format!("{double:.precision$e}"), format!("{double:e}")];
            double.is_finite() && texts.iter().any(|text| digits_and_power(text) == (digits.clone(), power))
        }
}

/// The result of the library.
///
/// # Errors
/// Kind and offset of the error, and the offset of the first key.
///
/// # Panics
/// If an offset does not fit a `usize`.
pub fn verdict<T>(result: Result<T, fjson::Error>) -> Verdict {
    let index = |offset| usize::try_from(offset).expect("an index");
    let place = |error: fjson::Error| {
        (error.kind(), index(error.offset()), error.earlier().map(|earlier| index(earlier.offset)))
    };
    result.map(drop).map_err(place)
}

/// Windows and sizes of pieces; 0 means all at once.
const WINDOWS: [usize; 4] = [0, 7, 3000, 1 << 18];
const SIZES: [usize; 3] = [0, 1, 500];

/// Asserts that every profile agrees with the reference in every window and however the text arrives, on each kernel in turn,
/// and that the output ends before the error.
///
/// # Panics
/// If they do not.
pub fn check(text: &[u8]) {
    let mut kernels = kernels().iter().cycle();
    for ijson in [false, true] {
        let expected = read(text, ijson);
        let written = writer::minify(&text[..expected.map_or_else(|(_, offset, _)| offset, |()| text.len())]);
        for window in WINDOWS {
            for size in SIZES {
                let isa = *kernels.next().unwrap_or(&Isa::Portable);
                let options = Options::new().unique_keys(!ijson).ijson(ijson).window(window).isa(isa);
                let how = format!("window {window}, pieces of {size}, {isa}, I-JSON {ijson}");
                assert_eq!(verdict(fjson::validate(input(text, size), &options)), expected, "{how}: {}", Shown(text));
                let mut output = Vec::new();
                let minified = fjson::minify(input(text, size), &mut output, &options);
                assert_eq!(verdict(minified), expected, "{how}: {}", Shown(text));
                assert_eq!(Shown(&output), Shown(&written), "{how}: {}", Shown(text));
            }
        }
    }
}

/// The text in pieces of a size.
#[must_use]
pub fn input(text: &[u8], size: usize) -> Input<'_> {
    if size == 0 { text.into() } else { Input::from_reader(Pieces::new(text, iter::repeat(size))) }
}
