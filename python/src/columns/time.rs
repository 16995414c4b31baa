//! Dates and times of RFC 3339 as numbers.

#![forbid(unsafe_code)]

use crate::columns::kind::Unit;
use crate::columns::kind::Zone;

/// Returns the number of days from 1970-01-01 to a date such as `2026-11-25`.
pub fn days(text: &str) -> Option<i32> {
    let text = text.as_bytes();
    if text.len() != 10 || text[4] != b'-' || text[7] != b'-' {
        return None;
    }
    let (year, month, day) = (number(&text[..4])?, number(&text[5..7])?, number(&text[8..])?);
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=length).contains(&day) {
        return None;
    }
    // Years begin in March, so that the leap day is the last one; eras have 400 years.
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * 146_097 + day_of_era - 719_468)
}

/// Returns the number of units from 1970-01-01 to a time such as `2026-11-25T12:00:00.5+01:00`. A `Local` one has no offset from UTC.
///
/// `None` if it is no such time, if it is not a multiple of the unit, or if it is out of range.
pub fn timestamp(text: &str, unit: Unit, zone: Zone) -> Option<i64> {
    let day = i64::from(days(text.get(..10)?)?);
    let text = text.as_bytes().get(10..)?;
    let (clock, rest) = text.split_at_checked(9)?;
    if !matches!(clock[0], b'T' | b't' | b' ') || clock[3] != b':' || clock[6] != b':' {
        return None;
    }
    let (hour, minute, second) = (number(&clock[1..3])?, number(&clock[4..6])?, number(&clock[7..])?);
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (fraction, rest) = fraction(rest, unit.digits())?;
    let offset = offset(rest, zone)?;
    let seconds = day * 86_400 + i64::from(hour * 3600 + minute * 60 + second) - i64::from(offset);
    seconds.checked_mul(10_i64.pow(unit.digits()))?.checked_add(fraction)
}

/// Returns the digits after the decimal point as a number of `digits` digits, and what follows them. More digits must be zeros.
fn fraction(text: &[u8], digits: u32) -> Option<(i64, &[u8])> {
    let Some((b'.', text)) = text.split_first() else { return Some((0, text)) };
    let length = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (text, rest) = text.split_at(length);
    let mut value = 0;
    for index in 0..(digits as usize).max(length) {
        let digit = text.get(index).map_or(0, |byte| i64::from(byte - b'0'));
        if index < digits as usize {
            value = value * 10 + digit;
        } else if digit != 0 {
            return None;
        }
    }
    (length > 0).then_some((value, rest))
}

/// Returns the seconds from UTC.
fn offset(text: &[u8], zone: Zone) -> Option<i32> {
    match (zone, text) {
        (Zone::Local, []) | (Zone::Utc, b"Z" | b"z") => Some(0),
        (Zone::Utc, [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2]) => {
            let (hours, minutes) = (number(&[*h1, *h2])?, number(&[*m1, *m2])?);
            let seconds = hours * 3600 + minutes * 60;
            (hours < 24 && minutes < 60).then_some(if *sign == b'-' { -seconds } else { seconds })
        }
        _ => None,
    }
}

/// Returns the number of a few digits.
fn number(text: &[u8]) -> Option<i32> {
    let digit = |number: i32, byte: &u8| byte.is_ascii_digit().then(|| number * 10 + i32::from(byte - b'0'));
    text.iter().try_fold(0, digit)
}
