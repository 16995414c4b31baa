//! Checks a value against rules, token by token. What follows a value is where its check ends, so that no value is skipped again.

#![forbid(unsafe_code)]

use std::borrow::Cow;

use fjson::Tokens;
use fjson::Value;
use fjson::scalar::Number;
use fjson::scalar::convert_number;

use crate::compiled::keys::Index;
use crate::compiled::rules::ALL;
use crate::compiled::rules::ARRAY;
use crate::compiled::rules::Answer;
use crate::compiled::rules::BOOLEAN;
use crate::compiled::rules::Combination;
use crate::compiled::rules::Compiled;
use crate::compiled::rules::Constant;
use crate::compiled::rules::FRACTION;
use crate::compiled::rules::INTEGER;
use crate::compiled::rules::NULL;
use crate::compiled::rules::OBJECT;
use crate::compiled::rules::Rules;
use crate::compiled::rules::STRING;
use crate::compiled::rules::Types;
use crate::compiled::rules::nearest_double;
use crate::node::is_unique;
use crate::number::is_short;

/// Levels of rules that are checked on the stack of the caller. Values that need more are left to the crate.
const MAX_LEVELS: usize = 200;

impl Compiled {
    /// Returns whether a value follows the rules.
    pub(crate) fn answer(&self, value: Value<'_, '_>) -> Answer {
        let tokens = value.tokens();
        let (text, positions) = (tokens.text(), tokens.positions());
        let checker = Checker { compiled: self, tokens, text, positions, has_escapes: tokens.has_any_escapes() };
        checker.answer(0, value.token(), 0)
    }
}

struct Checker<'c, 'd> {
    compiled: &'c Compiled,
    tokens: Tokens<'d, 'd>,
    text: &'d [u8],
    positions: &'d [u32],
    /// Whether any string has escapes.
    has_escapes: bool,
}

/// Returns an error unless a condition holds.
#[inline]
fn valid_if(condition: bool) -> Result<(), Answer> {
    if condition { Ok(()) } else { Err(Answer::Invalid) }
}

fn literal(rules: &Rules, kind: Types, constant: &Constant, token: usize) -> Result<usize, Answer> {
    // mutant: valid_if(rules.types & kind != 0)?;
    valid_if(rules.types & kind != 0 && rules.values.as_ref().is_none_or(|values| values.contains(constant)))?;
    Ok(token + 1)
}

impl Checker<'_, '_> {
    #[inline]
    fn start(&self, token: usize) -> usize {
        self.positions[token] as usize
    }

    #[inline]
    fn byte(&self, token: usize) -> u8 {
        self.text[self.start(token)]
    }

    /// Checks the value that begins with a token. Returns the token after it.
    fn value(&self, index: Index, token: usize, level: usize) -> Result<usize, Answer> {
        let rules = &self.compiled.rules[index];
        if rules.is_empty() {
            return Ok(self.tokens.next(token));
        }
        if level > MAX_LEVELS {
            return Err(Answer::Unknown);
        }
        let after = match self.byte(token) {
            b'{' => self.object(rules, token, level)?,
            b'[' => self.array(rules, token, level)?,
            b'"' => {
                self.string(rules, token)?;
                token + 2
            }
            b't' => literal(rules, BOOLEAN, &Constant::Boolean(true), token)?,
            b'f' => literal(rules, BOOLEAN, &Constant::Boolean(false), token)?,
            b'n' => literal(rules, NULL, &Constant::Null, token)?,
            _ => {
                self.number(rules, token)?;
                token + 1
            }
        };
        for combination in &rules.combined {
            self.combination(combination, token, level + 1)?;
        }
        Ok(after)
    }

    /// Returns the text of a string.
    #[inline]
    fn string_text(&self, token: usize) -> Cow<'_, [u8]> {
        if self.has_escapes && self.tokens.has_escapes(token) {
            let text = self.tokens.value(token).as_str_lossy().unwrap_or_default();
            return Cow::Owned(text.into_owned().into_bytes());
        }
        Cow::Borrowed(&self.text[self.start(token) + 1..self.start(token + 1)])
    }

    fn string(&self, rules: &Rules, token: usize) -> Result<(), Answer> {
        valid_if(rules.types & STRING != 0)?;
        if rules.values.is_none() && rules.length.is_none() {
            return self.part(rules, token, true);
        }
        let text = self.string_text(token);
        if let Some((least, most)) = rules.length {
            valid_if(has_length(&text, least, most))?;
        }
        let is_text = |value: &Constant| matches!(value, Constant::String(value) if value.as_bytes() == &*text);
        valid_if(rules.values.as_ref().is_none_or(|values| values.iter().any(is_text)))?;
        self.part(rules, token, true)
    }

    /// Asks the crate about a string or a number, if the rules say so.
    #[inline]
    fn part(&self, rules: &Rules, token: usize, is_string: bool) -> Result<(), Answer> {
        let Some(part) = &rules.part else { return Ok(()) };
        part.accepts(self.tokens.value(token), is_string).map_or(Err(Answer::Unknown), valid_if)
    }

    fn number(&self, rules: &Rules, token: usize) -> Result<(), Answer> {
        let types = rules.types & (INTEGER | FRACTION);
        valid_if(types != 0)?;
        // Whoever allows fractions allows integers, too.
        // mutant: if false {
        if types == INTEGER {
            valid_if(self.is_integer(token))?;
        }
        self.part(rules, token, false)?;
        if rules.values.is_none() && rules.number.is_none() {
            return Ok(());
        }
        let nearest = nearest_double(convert_number(&self.text[self.start(token)..])).ok_or(Answer::Unknown)?;
        if let Some(values) = &rules.values {
            valid_if(values.contains(&Constant::Number(nearest)))?;
            // mutant: if false {
            if !is_short(self.number_text(token)) {
                return Err(Answer::Unknown);
            }
        }
        let Some(bounds) = &rules.number else { return Ok(()) };
        if let Some(minimum) = &bounds.minimum {
            let order = minimum.compare(nearest, || self.number_text(token));
            // mutant: valid_if(order.is_ge())?;
            valid_if(order.is_gt() || order.is_eq() && !minimum.is_excluded)?;
        }
        if let Some(maximum) = &bounds.maximum {
            let order = maximum.compare(nearest, || self.number_text(token));
            // mutant: valid_if(order.is_le())?;
            valid_if(order.is_lt() || order.is_eq() && !maximum.is_excluded)?;
        }
        Ok(())
    }

    fn number_text(&self, token: usize) -> &[u8] {
        &self.text[self.start(token)..self.tokens.end(token)]
    }

    fn is_integer(&self, token: usize) -> bool {
        let text = self.number_text(token);
        text.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-'))
            || !self.compiled.has_written_integers && Number::new(text).is_some_and(|number| number.has_integer_value())
    }

    fn array(&self, rules: &Rules, token: usize, level: usize) -> Result<usize, Answer> {
        valid_if(rules.types & ARRAY != 0 && rules.values.is_none())?;
        let Some(array) = &rules.array else { return Ok(self.tokens.next(token)) };
        let (mut element, mut count) = (token + 1, 0);
        while self.byte(element) != b']' {
            let rules = usize::try_from(count).ok().and_then(|index| array.first.get(index)).copied().or(array.others);
            element = match rules {
                Some(rules) => self.value(rules, element, level + 1)?,
                None => self.tokens.next(element),
            };
            count += 1;
        }
        // mutant: valid_if(count <= array.most)?;
        valid_if((array.least..=array.most).contains(&count))?;
        // mutant:
        valid_if(!array.is_unique || is_unique(self.tokens.value(token)))?;
        Ok(element + 1)
    }

    fn object(&self, rules: &Rules, token: usize, level: usize) -> Result<usize, Answer> {
        valid_if(rules.types & OBJECT != 0 && rules.values.is_none())?;
        let Some(object) = &rules.object else { return Ok(self.tokens.next(token)) };
        let (mut key, mut count, mut hint, mut found) = (token + 1, 0, 0, 0);
        while self.byte(key) == b'"' {
            let known = object.keys.find(&self.string_text(key), &mut hint);
            found |= known.map_or(0, |known| known.bit);
            key = match known.and_then(|known| known.rules).or(object.others) {
                Some(rules) => self.value(rules, key + 2, level + 1)?,
                None => self.tokens.next(key + 2),
            };
            count += 1;
        }
        // mutant: valid_if(true)?;
        valid_if(found == object.required)?;
        // mutant: valid_if(count <= object.most)?;
        valid_if((object.least..=object.most).contains(&count))?;
        Ok(key + 1)
    }

    fn answer(&self, index: Index, token: usize, level: usize) -> Answer {
        self.value(index, token, level).map_or_else(|answer| answer, |_| Answer::Valid)
    }

    fn combination(&self, combination: &Combination, token: usize, level: usize) -> Result<(), Answer> {
        match combination {
            Combination::All(all) => all.iter().try_for_each(|&one| self.value(one, token, level).map(drop)),
            Combination::Any(any) => self.count(any, 1, token, level).and_then(|count| valid_if(count > 0)),
            // mutant: Combination::One(one) => self.count(one, 1, token, level).and_then(|count| valid_if(count == 1)),
            Combination::One(one) => self.count(one, 2, token, level).and_then(|count| valid_if(count == 1)),
            Combination::Not(not) => match self.answer(*not, token, level) {
                Answer::Valid => Err(Answer::Invalid),
                Answer::Invalid => Ok(()),
                Answer::Unknown => Err(Answer::Unknown),
            },
            Combination::If(condition, then, otherwise) => {
                let next = match self.answer(*condition, token, level) {
                    Answer::Valid => then,
                    // mutant: Answer::Invalid => then,
                    Answer::Invalid => otherwise,
                    Answer::Unknown => return Err(Answer::Unknown),
                };
                next.map_or(Ok(()), |next| self.value(next, token, level).map(drop))
            }
        }
    }

    /// Counts how many alternatives a value follows, up to `enough`.
    fn count(&self, alternatives: &[Index], enough: usize, token: usize, level: usize) -> Result<usize, Answer> {
        let (mut count, mut is_unknown) = (0, false);
        for &alternative in alternatives {
            match self.answer(alternative, token, level) {
                Answer::Valid => count += 1,
                Answer::Invalid => {}
                Answer::Unknown => is_unknown = true,
            }
            if count == enough {
                return Ok(count);
            }
        }
        // mutant: Ok(count)
        if is_unknown { Err(Answer::Unknown) } else { Ok(count) }
    }
}

/// Whether the number of characters of a text is in a range.
fn has_length(text: &[u8], least: u64, most: u64) -> bool {
    // A character takes one to four bytes.
    // mutant: let (shortest, longest) = (text.len() as u64, text.len() as u64);
    let (shortest, longest) = (text.len().div_ceil(4) as u64, text.len() as u64);
    if longest < least || shortest > most {
        return false;
    }
    if least <= shortest && longest <= most {
        return true;
    }
    let count = text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as u64;
    // mutant: count <= most
    (least..=most).contains(&count)
}

const _: () = assert!(ALL == NULL | BOOLEAN | INTEGER | FRACTION | STRING | ARRAY | OBJECT);
