//! The forms of values.

use std::{fmt, num::NonZeroU32, str::FromStr, time::Duration};

/// A value that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Hides `value`.
    pub const fn new(value: String) -> Self {
        Self(value)
    }

    /// The value, for the one who needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// So many requests in a window, or no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// No limit.
    Off,
    /// At most `count` requests in `window`.
    Per {
        /// Requests.
        count: NonZeroU32,
        /// Whole seconds, at least one.
        window: Duration,
    },
}

/// What a limit looks like.
pub const LIMIT: &str = "must be COUNT/WINDOW, such as 100/60s, or off";

impl FromStr for Limit {
    type Err = ();

    fn from_str(written: &str) -> Result<Self, ()> {
        if written.trim().eq_ignore_ascii_case("off") {
            return Ok(Self::Off);
        }
        let (count, window) = written.split_once('/').ok_or(())?;
        let window = humantime::parse_duration(window.trim()).map_err(drop)?;
        if window < Duration::from_secs(1) {
            return Err(());
        }
        Ok(Self::Per { count: count.trim().parse().map_err(drop)?, window })
    }
}

/// Bytes from a size such as `2MiB`, `500 kB` or `1000`.
pub fn size(written: &str) -> Option<usize> {
    let written = written.trim();
    let digits = written.bytes().take_while(u8::is_ascii_digit).count();
    let number: usize = written[..digits].parse().ok()?;
    let unit = match written[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "kib" => 1 << 10,
        "mb" => 1_000_000,
        "mib" => 1 << 20,
        "gb" => 1_000_000_000,
        "gib" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(unit).filter(|bytes| *bytes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_counts_in_windows_or_off() {
        let per = |count, seconds| Limit::Per {
            count: NonZeroU32::new(count).unwrap(),
            window: Duration::from_secs(seconds),
        };
        assert_eq!("100/60s".parse(), Ok(per(100, 60)));
        assert_eq!("5 / 2m".parse(), Ok(per(5, 120)));
        assert_eq!("off".parse(), Ok(Limit::Off));
        for bad in ["", "0/60s", "100", "100/0s", "100/10ms", "many/60s", "-1/60s"] {
            assert_eq!(bad.parse::<Limit>(), Err(()), "{bad}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(
            ["2MiB", "500 kB", "1000", "0", "2 apples"].map(size),
            [Some(2 << 20), Some(500_000), Some(1000), None, None]
        );
    }
}
