//! Dates: seconds since 1970 and broken-down times, as text and back.
//!
//! Formats are those of C in the locale `C`, the same on every system. Only the rules of time zones come from the system.

#![forbid(unsafe_code)]
#![expect(
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    reason = "all native functions have the same signature"
)]

mod civil;
mod parse;
mod print;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use crate::eval::Context;
use crate::value::Error;
use crate::value::Kind;
use crate::value::Value;

use civil::Civil;

type Output = Result<Value, Error>;

const NO_DATE: &str = "error converting number of seconds since epoch to datetime";

pub(super) fn now(context: &mut Context, _: Value, _: &mut [Value]) -> Output {
    Ok(context.now().into())
}

pub(super) fn mktime(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    if input.kind() != Kind::Array {
        return Err(Error::new("mktime requires array inputs"));
    }
    let civil = from_array(&input).ok_or_else(|| Error::new("mktime requires parsed datetime inputs"))?;
    Ok(civil.seconds().into())
}

pub(super) fn gmtime(_: &mut Context, input: Value, _: &mut [Value]) -> Output {
    let number = input.as_number().ok_or_else(|| Error::new("gmtime() requires numeric inputs"))?;
    let civil = Civil::from_seconds(seconds(number)?).ok_or_else(|| Error::new(NO_DATE))?;
    Ok(to_array(&civil, number - libm::floor(number)))
}

pub(super) fn localtime(context: &mut Context, input: Value, _: &mut [Value]) -> Output {
    let number = input.as_number().ok_or_else(|| Error::new("localtime() requires numeric inputs"))?;
    let civil = local(seconds(number)?, &context.time_zone()).ok_or_else(|| Error::new(NO_DATE))?;
    Ok(to_array(&civil, number - libm::floor(number)))
}

/// Returns the local time at a number of seconds since 1970.
fn local(seconds: i64, zone: &TimeZone) -> Option<Civil> {
    let offset = zone.to_offset(nearest(seconds));
    Civil::from_seconds(seconds.saturating_add(offset.seconds().into()))
}

/// Returns the time whose rules for a zone apply: there are none after the year 9999.
fn nearest(seconds: i64) -> Timestamp {
    let limit = if seconds < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_second(seconds).unwrap_or(limit)
}

/// Returns the whole seconds of a number, which C has to be able to count.
fn seconds(number: f64) -> Result<i64, Error> {
    if number.is_nan() { Err(Error::new(NO_DATE)) } else { Ok(whole(number)) }
}

/// Returns the whole seconds of a number.
#[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
fn whole(number: f64) -> i64 {
    number as i64
}

pub(super) fn strftime(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let civil = match input.as_number() {
        Some(number) => Civil::from_seconds(seconds(number)?).ok_or_else(|| Error::new(NO_DATE)).map(Some)?,
        None if input.kind() == Kind::Array => from_array(&input),
        None => None,
    };
    if civil.is_none() && input.kind() != Kind::Array {
        return Err(Error::new("strftime/1 requires parsed datetime inputs"));
    }
    let Some(format) = arguments[0].as_str() else { return Err(Error::new("strftime/1 requires a string format")) };
    let civil = civil.ok_or_else(|| Error::new("strftime/1 requires parsed datetime inputs"))?.normalized();
    let utc = print::Zone { offset: 0, name: "GMT", seconds: civil.seconds() };
    Ok(print::print(&civil, &utc, &format).into())
}

pub(super) fn strflocaltime(context: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let zone = context.time_zone();
    let civil = match input.as_number() {
        Some(number) => local(seconds(number)?, &zone).ok_or_else(|| Error::new(NO_DATE)).map(Some)?,
        None if input.kind() == Kind::Array => from_array(&input),
        None => None,
    };
    if civil.is_none() && input.kind() != Kind::Array {
        return Err(Error::new("strflocaltime/1 requires parsed datetime inputs"));
    }
    let Some(format) = arguments[0].as_str() else {
        return Err(Error::new("strflocaltime/1 requires a string format"));
    };
    let civil = civil.ok_or_else(|| Error::new("strflocaltime/1 requires parsed datetime inputs"))?.normalized();
    let (info, seconds) = if let Some(timestamp) = timestamp(&civil, &zone) {
        (zone.to_offset_info(timestamp), timestamp.as_second())
    } else {
        let info = zone.to_offset_info(nearest(civil.seconds()));
        let seconds = civil.seconds() - i64::from(info.offset().seconds());
        (info, seconds)
    };
    // A time that a clock skipped is the one after the gap.
    let civil = local(seconds, &zone).ok_or_else(|| Error::new(NO_DATE))?;
    let shown = print::Zone { offset: info.offset().seconds(), name: info.abbreviation(), seconds };
    Ok(print::print(&civil, &shown, &format).into())
}

/// Returns the time at which clocks of a zone show this.
fn timestamp(civil: &Civil, zone: &TimeZone) -> Option<Timestamp> {
    let small = |number: i64| i8::try_from(number).ok();
    let date = DateTime::new(
        i16::try_from(civil.year).ok()?,
        small(civil.month + 1)?,
        small(civil.day)?,
        small(civil.hour)?,
        small(civil.minute)?,
        small(civil.second)?,
        0,
    );
    zone.to_ambiguous_timestamp(date.ok()?).compatible().ok()
}

pub(super) fn strptime(_: &mut Context, input: Value, arguments: &mut [Value]) -> Output {
    let (Some(text), Some(format)) = (input.as_str(), arguments[0].as_str()) else {
        return Err(Error::new("strptime/1 requires string inputs and arguments"));
    };
    match parse::parse(&text, &format) {
        Some((civil, "")) => Ok(to_array(&civil, 0.0)),
        Some((civil, rest)) if rest.starts_with(parse::is_space) => {
            let mut array = to_array(&civil, 0.0).into_array().unwrap_or_default();
            array.push(rest.into());
            Ok(array.into())
        }
        _ => Err(Error::new(format!("date \"{text}\" does not match format \"{format}\""))),
    }
}

/// Returns a broken-down time. The fraction is that of its seconds.
fn to_array(civil: &Civil, fraction: f64) -> Value {
    #[expect(clippy::cast_precision_loss, reason = "a minute has 60 seconds")]
    let second = civil.second as f64 + fraction;
    let fields = [civil.year, civil.month, civil.day, civil.hour, civil.minute];
    let mut array: Vec<Value> = fields.into_iter().map(Value::from).collect();
    array.extend([second.into(), civil.weekday.into(), civil.day_of_year.into()]);
    array.into()
}

/// Returns the broken-down time of an array; missing fields are 0. `None` if a field is not a number.
fn from_array(value: &Value) -> Option<Civil> {
    let array = value.to_array()?;
    // The range of C's `int`, so that sums of fields do not overflow.
    let mut fields = [0; 8];
    for (field, value) in fields.iter_mut().zip(array.iter()) {
        let number = value.as_number().filter(|number| !number.is_nan())?;
        *field = whole(number).clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    }
    if array.is_empty() {
        fields[0] = 1900;
    }
    let [year, month, day, hour, minute, second, weekday, day_of_year] = fields;
    Some(Civil { year, month, day, hour, minute, second, weekday, day_of_year })
}
