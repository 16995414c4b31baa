//! Dates and times in the format of RFC 3339.

#![forbid(unsafe_code)]

use pyo3::prelude::*;
use pyo3::types::PyDateAccess;
use pyo3::types::PyDateTime;
use pyo3::types::PyDelta;
use pyo3::types::PyDeltaAccess;
use pyo3::types::PyTime;
use pyo3::types::PyTimeAccess;
use pyo3::types::PyTzInfoAccess;

use crate::dump::NAIVE_UTC;
use crate::dump::OMIT_MICROSECONDS;
use crate::dump::UTC_Z;

/// A date and a time of day.
pub struct Moment {
    pub year: i32,
    pub month: u32,
    pub day: u32,
    pub second_of_day: u32,
    pub microsecond: u32,
}

const DAY: i64 = 24 * 60 * 60;

impl Moment {
    fn of(datetime: &Bound<'_, PyDateTime>) -> Self {
        let hour = u32::from(datetime.get_hour());
        Self {
            year: datetime.get_year(),
            month: u32::from(datetime.get_month()),
            day: u32::from(datetime.get_day()),
            second_of_day: (hour * 60 + u32::from(datetime.get_minute())) * 60 + u32::from(datetime.get_second()),
            microsecond: datetime.get_microsecond(),
        }
    }

    /// Returns the moment this many microseconds after the beginning of 1970. `None` unless its year has four digits.
    pub fn since_1970(microseconds: i64) -> Option<Self> {
        let (seconds, microsecond) = (microseconds.div_euclid(1_000_000), microseconds.rem_euclid(1_000_000));
        let (days, second_of_day) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        // Years begin in March here, so that the day that some of them have more is the last one. 719,468 days are from the first
        // of March of the year 0 to 1970; 400 years have 146,097.
        let days = days + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let year = i32::try_from(era * 400 + year_of_era + next).ok()?;
        let small = |number: i64| u32::try_from(number).ok();
        let moment = Self {
            year,
            month: small(month)?,
            day: small(day)?,
            second_of_day: small(second_of_day)?,
            microsecond: small(microsecond)?,
        };
        (0..=9999).contains(&year).then_some(moment)
    }

    /// Appends the moment with quotes. `offset` is that of its time zone in seconds.
    pub fn push(&self, out: &mut Vec<u8>, offset: Option<i32>, options: u32) {
        out.push(b'"');
        push_date(out, self.year, self.month, self.day);
        out.push(b'T');
        push_time(out, self.second_of_day, self.microsecond, options);
        let offset = if options & NAIVE_UTC != 0 { offset.or(Some(0)) } else { offset };
        match offset {
            Some(0) if options & UTC_Z != 0 => out.push(b'Z'),
            Some(offset) => {
                // Offsets with seconds, which zones had long ago, have no form. They are rounded.
                let minutes = offset.unsigned_abs().saturating_add(30) / 60;
                out.push(if offset < 0 { b'-' } else { b'+' });
                push_two(out, minutes / 60);
                out.push(b':');
                push_two(out, minutes % 60);
            }
            None => {}
        }
        out.push(b'"');
    }
}

/// Appends a `datetime` with its quotes.
///
/// # Errors
/// Those of its time zone.
pub fn push_datetime(out: &mut Vec<u8>, datetime: &Bound<'_, PyDateTime>, options: u32) -> PyResult<()> {
    let offset = match datetime.get_tzinfo() {
        Some(zone) => {
            // A zone of pytz is that of the oldest time until it is asked to find the right one.
            let offset = if zone.hasattr("normalize")? {
                zone.call_method1("normalize", (datetime,))?.call_method0("utcoffset")?
            } else {
                datetime.call_method0("utcoffset")?
            };
            let delta = offset.cast::<PyDelta>().ok();
            delta.map(|delta| delta.get_days() * 86_400 + delta.get_seconds())
        }
        None => None,
    };
    Moment::of(datetime).push(out, offset, options);
    Ok(())
}

/// Appends a `time` with its quotes. Returns false if it has a time zone, which is not supported.
pub fn push_time_of_day(out: &mut Vec<u8>, time: &Bound<'_, PyTime>, options: u32) -> bool {
    if time.get_tzinfo().is_some() {
        return false;
    }
    let hour = u32::from(time.get_hour());
    let second = (hour * 60 + u32::from(time.get_minute())) * 60 + u32::from(time.get_second());
    out.push(b'"');
    push_time(out, second, time.get_microsecond(), options);
    out.push(b'"');
    true
}

/// Appends a date.
pub fn push_date(out: &mut Vec<u8>, year: i32, month: u32, day: u32) {
    let year = year.unsigned_abs();
    push_two(out, year / 100);
    push_two(out, year % 100);
    out.push(b'-');
    push_two(out, month);
    out.push(b'-');
    push_two(out, day);
}

fn push_time(out: &mut Vec<u8>, second_of_day: u32, microsecond: u32, options: u32) {
    push_two(out, second_of_day / 3600);
    out.push(b':');
    push_two(out, second_of_day / 60 % 60);
    out.push(b':');
    push_two(out, second_of_day % 60);
    if microsecond != 0 && options & OMIT_MICROSECONDS == 0 {
        out.push(b'.');
        push_two(out, microsecond / 10_000);
        push_two(out, microsecond / 100 % 100);
        push_two(out, microsecond % 100);
    }
}

/// Appends a number of two digits.
fn push_two(out: &mut Vec<u8>, number: u32) {
    for digit in [number / 10 % 10, number % 10] {
        out.push(b"0123456789"[digit as usize]);
    }
}
