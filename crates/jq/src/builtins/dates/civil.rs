//! The calendar: days since 1970 and back, in the proleptic Gregorian calendar.

#![forbid(unsafe_code)]

/// A broken-down time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Civil {
    pub(super) year: i64,
    /// From 0 for January.
    pub(super) month: i64,
    pub(super) day: i64,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    /// From 0 for Sunday.
    pub(super) weekday: i64,
    /// From 0 for January 1.
    pub(super) day_of_year: i64,
}

/// Seconds of a day.
const DAY: i64 = 86_400;

/// Days of 400 years, after which the calendar repeats.
const DAYS_OF_ERA: i64 = 146_097;

/// Days from March 1 of the year 0 to 1970.
const EPOCH: i64 = 719_468;

/// Years of C's broken-down time.
const YEARS: std::ops::RangeInclusive<i64> = i32::MIN as i64 + 1900..=i32::MAX as i64 + 1900;

/// Returns the days from 1970 to a day, whose month is from 0 to 11.
///
/// Years begin in March, so that the day after February 28 or 29 is the last one of a year. The month at index `m` from March begins
/// `(153 m + 2) / 5` days after March 1.
pub(super) fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let from_march = (month + 10) % 12;
    let of_year = (153 * from_march + 2) / 5 + day - 1;
    era * DAYS_OF_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH
}

pub(super) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

impl Civil {
    /// Returns the time of a number of seconds since 1970 in UTC; `None` if C has no such year.
    pub(super) fn from_seconds(seconds: i64) -> Option<Self> {
        let (days, of_day) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let since_march = days + EPOCH;
        let (era, of_era) = (since_march.div_euclid(DAYS_OF_ERA), since_march.rem_euclid(DAYS_OF_ERA));
        // Leap days are subtracted: one in 4 years, but not in 100, but in 400.
        let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let from_march = (5 * of_year + 2) / 153;
        let month = (from_march + 2) % 12;
        let mut civil = Self {
            year: era * 400 + year + i64::from(month < 2),
            month,
            day: of_year - (153 * from_march + 2) / 5 + 1,
            hour: of_day / 3_600,
            minute: of_day / 60 % 60,
            second: of_day % 60,
            ..Self::default()
        };
        civil.count_days();
        YEARS.contains(&civil.year).then_some(civil)
    }

    /// Returns the number of seconds since 1970 of a time in UTC. Fields may be out of their ranges.
    pub(super) fn seconds(&self) -> i64 {
        let year = self.year + self.month.div_euclid(12);
        let days = days(year, self.month.rem_euclid(12), 1) + self.day - 1;
        days * DAY + self.hour * 3_600 + self.minute * 60 + self.second
    }

    /// Returns the same time with all fields in their ranges.
    pub(super) fn normalized(&self) -> Self {
        Self::from_seconds(self.seconds()).unwrap_or_else(|| self.clone())
    }

    /// Sets the day of the week and of the year from the date.
    pub(super) fn count_days(&mut self) {
        let day = days(self.year, self.month, self.day);
        // 1970 began on a Thursday.
        self.weekday = (day + 4).rem_euclid(7);
        self.day_of_year = day - days(self.year, 0, 1);
    }

    /// Returns year and week of ISO 8601: weeks begin on Monday, and the first one of a year has its first Thursday.
    pub(super) fn iso_week(&self) -> (i64, i64) {
        let from_monday = (self.weekday + 6) % 7;
        // The Thursday of this week.
        let thursday = self.day_of_year - from_monday + 3;
        let length = |year: i64| 365 + i64::from(is_leap(year));
        if thursday < 0 {
            return (self.year - 1, (thursday + length(self.year - 1)) / 7 + 1);
        }
        if thursday >= length(self.year) {
            return (self.year + 1, 1);
        }
        (self.year, thursday / 7 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::Civil;

    /// Every day of 800 years follows the one before it.
    #[test]
    fn days_follow_each_other() {
        let mut last = Civil::from_seconds(-62_135_596_800).expect("the year 1");
        assert_eq!((last.year, last.month, last.day, last.weekday), (1, 0, 1, 1));
        for day in 1..292_194 {
            let civil = Civil::from_seconds(-62_135_596_800 + day * 86_400).expect("a day");
            assert_eq!(civil.seconds(), -62_135_596_800 + day * 86_400);
            assert_eq!(civil.weekday, (last.weekday + 1) % 7);
            let follows = if civil.day == 1 {
                let length = [31, 28 + i64::from(super::is_leap(last.year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
                last.day == length[usize::try_from(last.month).expect("a month")]
                    && civil.month == (last.month + 1) % 12
            } else {
                civil.day == last.day + 1 && civil.month == last.month
            };
            assert!(follows, "{last:?}, {civil:?}");
            last = civil;
        }
        assert_eq!((last.year, last.month, last.day), (800, 11, 31));
    }

    #[test]
    fn weeks_of_iso() {
        for (seconds, week) in
            [(1_104_537_600, (2004, 53)), (1_230_681_600, (2009, 1)), (1_262_476_800, (2009, 53)), (0, (1970, 1))]
        {
            assert_eq!(Civil::from_seconds(seconds).expect("a date").iso_week(), week, "{seconds}");
        }
    }
}
