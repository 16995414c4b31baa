//! The formats of C's `strptime` in the locale `C`, as the GNU library reads them.

#![forbid(unsafe_code)]

use crate::builtins::dates::civil::Civil;
use crate::builtins::dates::civil::is_leap;
use crate::builtins::dates::print::MONTHS;
use crate::builtins::dates::print::WEEKDAYS;

/// The day of the week or of the year if it is not known, as in jq.
const UNKNOWN_WEEKDAY: i64 = 8;
const UNKNOWN_DAY: i64 = 367;

pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r')
}

/// What has been read so far.
#[expect(clippy::struct_excessive_bools, reason = "any set of fields may have been read")]
struct Parser<'t> {
    rest: &'t str,
    civil: Civil,
    has_weekday: bool,
    has_day_of_year: bool,
    has_month: bool,
    has_day: bool,
    /// A part of the date was read, so the days of the week and year are computed.
    has_date: bool,
    is_twelve_hours: bool,
    is_afternoon: bool,
    century: Option<i64>,
    year_of_century: Option<i64>,
    /// A week of the year and the day on which weeks begin.
    week: Option<(i64, i64)>,
}

/// Reads a time. Returns it and the text after it; `None` if the text does not have this format.
pub(super) fn parse<'t>(text: &'t str, format: &str) -> Option<(Civil, &'t str)> {
    let mut parser = Parser {
        rest: text,
        civil: Civil { year: 1900, weekday: UNKNOWN_WEEKDAY, day_of_year: UNKNOWN_DAY, ..Civil::default() },
        has_weekday: false,
        has_day_of_year: false,
        has_month: false,
        has_day: false,
        has_date: false,
        is_twelve_hours: false,
        is_afternoon: false,
        century: None,
        year_of_century: None,
        week: None,
    };
    parser.read(format)?;
    let rest = parser.rest;
    Some((parser.finish()?, rest))
}

impl Parser<'_> {
    fn read(&mut self, format: &str) -> Option<()> {
        let mut format = format.chars();
        while let Some(character) = format.next() {
            if is_space(character) {
                self.spaces();
            } else if character == '%' {
                // Modifiers have no meaning in this locale.
                let directive = format.find(|modifier| !matches!(modifier, 'E' | 'O' | '_' | '-' | '0' | '^' | '#'))?;
                self.directive(directive)?;
            } else {
                self.rest = self.rest.strip_prefix(character)?;
            }
        }
        Some(())
    }

    fn spaces(&mut self) {
        self.rest = self.rest.trim_start_matches(is_space);
    }

    fn directive(&mut self, directive: char) -> Option<()> {
        match directive {
            'n' | 't' => self.spaces(),
            '%' => self.rest = self.rest.strip_prefix('%')?,
            'a' | 'A' => {
                self.civil.weekday = self.name(&WEEKDAYS)?;
                self.has_weekday = true;
            }
            'b' | 'B' | 'h' => {
                self.civil.month = self.name(&MONTHS)?;
                (self.has_month, self.has_date) = (true, true);
            }
            'c' => self.read("%a %b %e %H:%M:%S %Y")?,
            'D' | 'x' => self.read("%m/%d/%y")?,
            'F' => self.read("%Y-%m-%d")?,
            'r' => self.read("%I:%M:%S %p")?,
            'R' => self.read("%H:%M")?,
            'T' | 'X' => self.read("%H:%M:%S")?,
            'H' | 'k' => {
                self.civil.hour = self.number(0, 23, 2)?;
                self.is_twelve_hours = false;
            }
            'I' | 'l' => {
                self.civil.hour = self.number(1, 12, 2)? % 12;
                self.is_twelve_hours = true;
            }
            'M' => self.civil.minute = self.number(0, 59, 2)?,
            'S' => self.civil.second = self.number(0, 61, 2)?,
            'p' | 'P' => self.is_afternoon = self.name(&["AM", "PM"])? == 1,
            's' => self.seconds()?,
            'z' => self.offset()?,
            'Z' => {
                self.spaces();
                self.rest = self.rest.trim_start_matches(|character| !is_space(character));
            }
            _ => self.date(directive)?,
        }
        Some(())
    }

    /// Reads a numeric part of a date.
    fn date(&mut self, directive: char) -> Option<()> {
        match directive {
            'C' => {
                self.century = Some(self.number(0, 99, 2)?);
                self.has_date = true;
            }
            'd' | 'e' => {
                self.civil.day = self.number(1, 31, 2)?;
                (self.has_day, self.has_date) = (true, true);
            }
            'j' => {
                self.civil.day_of_year = self.number(1, 366, 3)? - 1;
                self.has_day_of_year = true;
            }
            'm' => {
                self.civil.month = self.number(1, 12, 2)? - 1;
                (self.has_month, self.has_date) = (true, true);
            }
            'u' => {
                self.civil.weekday = self.number(1, 7, 1)? % 7;
                self.has_weekday = true;
            }
            'w' => {
                self.civil.weekday = self.number(0, 6, 1)?;
                self.has_weekday = true;
            }
            'U' => self.week = Some((self.number(0, 53, 2)?, 0)),
            'W' => self.week = Some((self.number(0, 53, 2)?, 1)),
            // The library of C reads these and does nothing with them.
            'g' => drop(self.number(0, 99, 2)?),
            'G' => drop(self.number(0, 9999, 4)?),
            'V' => drop(self.number(0, 53, 2)?),
            'y' => {
                let year = self.number(0, 99, 2)?;
                self.civil.year = if year >= 69 { 1900 + year } else { 2000 + year };
                self.year_of_century = Some(year);
                self.has_date = true;
            }
            'Y' => {
                self.civil.year = self.number(0, 9999, 4)?;
                (self.century, self.year_of_century) = (None, None);
                self.has_date = true;
            }
            _ => return None,
        }
        Some(())
    }

    /// Reads a number of so many digits.
    fn number(&mut self, least: i64, greatest: i64, digits: usize) -> Option<i64> {
        self.rest = self.rest.trim_start_matches(' ');
        let mut number = 0;
        let mut count = 0;
        for digit in self.rest.bytes().take(digits).take_while(u8::is_ascii_digit) {
            if count > 0 && number * 10 > greatest {
                break;
            }
            number = number * 10 + i64::from(digit - b'0');
            count += 1;
        }
        self.rest = &self.rest[count..];
        (count > 0 && (least..=greatest).contains(&number)).then_some(number)
    }

    /// Reads a name or its first three letters, in capital or small letters. Returns its index.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let starts = |name: &str| self.rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        for (index, name) in (0..).zip(names) {
            for name in [name, name.get(..3).unwrap_or(name)] {
                if starts(name) {
                    self.rest = &self.rest[name.len()..];
                    return Some(index);
                }
            }
        }
        None
    }

    /// Reads seconds since 1970.
    fn seconds(&mut self) -> Option<()> {
        let count = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.rest.split_at(count);
        self.civil = Civil::from_seconds(digits.parse().ok()?)?;
        (self.has_weekday, self.has_day_of_year) = (true, true);
        self.rest = rest;
        Some(())
    }

    /// Reads the offset of a time zone, which does not change the result.
    fn offset(&mut self) -> Option<()> {
        self.spaces();
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some(());
        }
        let rest = self.rest.strip_prefix(['+', '-'])?;
        let digits = |text: &str| text.bytes().take(2).take_while(u8::is_ascii_digit).count() == 2;
        if !digits(rest) {
            return None;
        }
        self.rest = &rest[2..];
        let minutes = self.rest.strip_prefix(':').unwrap_or(self.rest);
        if digits(minutes) {
            if minutes[..2].parse::<i64>().ok()? >= 60 {
                return None;
            }
            self.rest = &minutes[2..];
        }
        Some(())
    }

    /// Returns the time, with what can be computed from the parts that were read. `None` if its year has no such day.
    fn finish(mut self) -> Option<Civil> {
        if self.is_twelve_hours && self.is_afternoon {
            self.civil.hour += 12;
        }
        if let Some(century) = self.century {
            self.civil.year = century * 100 + self.year_of_century.unwrap_or(0);
        }
        let has_month_and_day = self.has_month && self.has_day;
        if self.has_day_of_year && !has_month_and_day {
            if self.civil.day_of_year > 364 + i64::from(is_leap(self.civil.year)) {
                return None;
            }
            self.date_from_day_of_year();
            self.has_date = true;
        }
        let (weekday, day_of_year) = (self.civil.weekday, self.civil.day_of_year);
        if self.has_date || self.civil.day != 0 {
            self.civil.count_days();
        }
        if self.has_weekday {
            self.civil.weekday = weekday;
        }
        if self.has_day_of_year {
            self.civil.day_of_year = day_of_year;
        }
        if let Some((week, first_day)) = self.week
            && self.has_weekday
            && !has_month_and_day
        {
            // The weekday of January 1, and from there to the day in the given week.
            let mut january = Civil { month: 0, day: 1, ..self.civil.clone() };
            january.count_days();
            let offset = (7 - (january.weekday - first_day)).rem_euclid(7);
            self.civil.day_of_year = offset + (week - 1) * 7 + (self.civil.weekday - first_day + 7) % 7;
            self.date_from_day_of_year();
        }
        Some(self.civil)
    }

    /// Sets month and day.
    fn date_from_day_of_year(&mut self) {
        let february = 28 + i64::from(is_leap(self.civil.year));
        let mut day = self.civil.day_of_year;
        for (month, length) in (0..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            if day < length {
                if !self.has_month {
                    self.civil.month = month;
                }
                if !self.has_day {
                    self.civil.day = day + 1;
                }
                return;
            }
            day -= length;
        }
    }
}
