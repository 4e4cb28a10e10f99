//! Timestamps: microseconds since the Unix epoch, formatted as ISO 8601 in UTC.

use std::fmt;
use std::ops::{Add, Sub};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

const MICROS: i64 = 1_000_000;
const DAY: i64 = 86_400;

/// Microseconds since 1970-01-01T00:00:00Z. The store never reads a clock: callers pass the time in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct Timestamp(i64);

/// Error for a text that is not a timestamp such as `2026-01-02T03:04:05.678901Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an RFC 3339 time, such as 2026-01-02T03:04:05Z")]
pub struct ParseTimestampError;

impl Timestamp {
    /// Creates a timestamp from microseconds since the Unix epoch.
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since the Unix epoch.
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Whole seconds since the Unix epoch, as in JSON Web Tokens.
    pub const fn seconds(self) -> i64 {
        self.0.div_euclid(MICROS)
    }

    /// Returns the start of its day in UTC.
    pub(crate) const fn start_of_day(self) -> Self {
        Self(self.0 - self.0.rem_euclid(DAY * MICROS))
    }

    /// Time since `earlier`; zero when `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl From<std::time::SystemTime> for Timestamp {
    fn from(time: std::time::SystemTime) -> Self {
        let since = time.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        Self(0) + since
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(whole_micros(span)))
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(whole_micros(span)))
    }
}

fn whole_micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

impl fmt::Display for Timestamp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds();
        let (year, month, day) = civil(seconds.div_euclid(DAY));
        let clock = seconds.rem_euclid(DAY);
        let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
        let micros = self.0.rem_euclid(MICROS);
        write!(out, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}Z")
    }
}

impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    /// Parses a time (RFC 3339), with any number of fractional digits and any offset, or a date, which is its midnight in
    /// UTC. Digits after the sixth are cut off.
    fn from_str(text: &str) -> Result<Self, ParseTimestampError> {
        let parsed = match text.split_once(['T', 't', ' ']) {
            Some((date, clock)) => parse_date(date).zip(parse_clock(clock)),
            None => parse_date(text).zip(Some(0)),
        };
        let micros = parsed.map(|(day, micros)| day * DAY * MICROS + micros);
        // An offset can lead out of the years that have four digits.
        let is_printable = |micros: &i64| (0..=9999).contains(&civil(micros.div_euclid(DAY * MICROS)).0);
        micros.filter(is_printable).map(Self).ok_or(ParseTimestampError)
    }
}

fn parse_date(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let year = digits(parts.next()?, 4)?;
    let month = digits(parts.next()?, 2)?;
    let day = digits(parts.next()?, 2)?;
    let days = days_from_civil(year, month, day);
    (civil(days) == (year, month, day)).then_some(days)
}

/// Returns the microseconds from the midnight of the date in UTC.
fn parse_clock(text: &str) -> Option<i64> {
    let (clock, offset) = split_offset(text)?;
    let (whole, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let mut parts = whole.splitn(3, ':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let second = digits(parts.next()?, 2)?;
    let minutes = hour * 60 + minute - offset;
    // A leap second ends a day in UTC (RFC 3339, section 5.7).
    let is_leap_second = second == 60 && minutes.rem_euclid(24 * 60) == 24 * 60 - 1;
    let exists = hour < 24 && minute < 60 && (second < 60 || is_leap_second);
    exists.then_some((minutes * 60 + second) * MICROS + parse_fraction(fraction)?)
}

/// Splits a time of day from its offset, which is in minutes.
fn split_offset(text: &str) -> Option<(&str, i64)> {
    if let Some(clock) = text.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    // A space is a plus sign that the decoder of a query string replaced.
    let at = text.rfind(['+', '-', ' '])?;
    let (clock, offset) = text.split_at(at);
    let (hours, minutes) = offset.get(1..)?.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    let minutes = (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)?;
    Some((clock, if offset.starts_with('-') { -minutes } else { minutes }))
}

/// Returns the microseconds of the digits after the point.
fn parse_fraction(text: &str) -> Option<i64> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let kept = text.get(..text.len().min(6)).filter(|_| is_plain)?;
    Some(digits(kept, kept.len())? * 10_i64.pow(6 - kept.len() as u32))
}

fn digits(text: &str, length: usize) -> Option<i64> {
    let plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

/// Converts days since the Unix epoch to (year, month, day) of the proleptic Gregorian calendar. Source: Howard
/// Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
pub(crate) fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// The inverse of [`civil`]. Source: Hinnant's `days_from_civil`.
pub(crate) fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year.div_euclid(400) * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        text.parse::<Timestamp>().map_or_else(|error| error.to_string(), |time| time.to_string())
    }

    #[test]
    fn a_time_is_written_with_microseconds() {
        assert_eq!(Timestamp::from_micros(0).to_string(), "1970-01-01T00:00:00.000000Z");
        assert_eq!(Timestamp::from_micros(-1).to_string(), "1969-12-31T23:59:59.999999Z");
        assert_eq!(Timestamp::from_micros(1_767_323_045_678_901).to_string(), "2026-01-02T03:04:05.678901Z");
    }

    #[test]
    fn parses_leap_days() {
        assert_eq!(shown("2024-02-29T23:59:59.5Z"), "2024-02-29T23:59:59.500000Z");
        assert_eq!(shown("2000-02-29"), "2000-02-29T00:00:00.000000Z");
    }

    #[test]
    fn rejects_times_that_do_not_exist() {
        for text in
            ["2023-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-01-02T24:00:00Z", "now", ""]
        {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn parses_fractions_of_any_length() {
        for (fraction, micros) in
            [(".1", "100000"), (".123", "123000"), (".1234567", "123456"), (".123456789", "123456")]
        {
            assert_eq!(
                shown(&format!("2026-01-02T03:04:05{fraction}Z")),
                format!("2026-01-02T03:04:05.{micros}Z")
            );
        }
        let long = format!("2026-01-02T03:04:05.{}Z", "9".repeat(100));
        assert_eq!(shown(&long), "2026-01-02T03:04:05.999999Z");
        for text in
            ["2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.5x7890Z", "2026-01-02T03:04:05.1234567\u{e9}Z"]
        {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn parses_any_offset() {
        for (text, utc) in [
            ("2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05.000000Z"),
            ("2026-01-02T03:04:05.5-05:30", "2026-01-02T08:34:05.500000Z"),
            ("2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000000Z"),
            ("2026-01-02t03:04:05z", "2026-01-02T03:04:05.000000Z"),
            ("2026-01-02 03:04:05-00:00", "2026-01-02T03:04:05.000000Z"),
            ("2026-01-02T03:04:05 02:00", "2026-01-02T01:04:05.000000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"),
            ("2017-01-01T08:59:60+09:00", "2017-01-01T00:00:00.000000Z"),
        ] {
            assert_eq!(shown(text), utc, "{text}");
        }
        for text in [
            "2026-01-02T03:04:05",
            "2026-01-02T03:04:05+2:00",
            "2026-01-02T03:04:05+24:00",
            "2026-01-02T03:04:05+02:60",
            "2026-01-02T03:04:05+0200",
            "2026-01-02T03:04:60Z",
            "0000-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn every_day_of_eight_centuries_survives_the_round_trip() {
        for day in -150_000..150_000 {
            let (year, month, date) = civil(day);
            assert_eq!(days_from_civil(year, month, date), day);
        }
    }
}
