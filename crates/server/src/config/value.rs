//! Value types of the configuration: secrets, rate limits and sizes.

use std::{fmt, num::NonZeroU32, str::FromStr, time::Duration};

/// A secret value. Its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps `value`.
    pub const fn new(value: String) -> Self {
        Self(value)
    }

    /// Returns the secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// Rate limit: a number of requests per window, or no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// No limit.
    Off,
    /// At most `count` requests in `window`.
    Per {
        /// Number of requests.
        count: NonZeroU32,
        /// Window of at least one second.
        window: Duration,
    },
}

/// Error text for a value that is not a limit.
pub const LIMIT: &str = "must be COUNT/WINDOW, such as 100/60s, or off";

impl FromStr for Limit {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text.trim().eq_ignore_ascii_case("off") {
            return Ok(Self::Off);
        }
        let (count, window) = text.split_once('/').ok_or(())?;
        let window = humantime::parse_duration(window.trim()).map_err(drop)?;
        if window < Duration::from_secs(1) {
            return Err(());
        }
        Ok(Self::Per { count: count.trim().parse().map_err(drop)?, window })
    }
}

/// Parses a size such as `2MiB`, `500 kB` or `1000` into bytes. Returns `None` for zero and for anything else.
pub fn size(text: &str) -> Option<usize> {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let number: usize = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim().to_ascii_lowercase().as_str() {
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
    fn parses_limits() {
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
    fn parses_sizes_with_units() {
        assert_eq!(
            ["2MiB", "500 kB", "1000", "0", "2 apples"].map(size),
            [Some(2 << 20), Some(500_000), Some(1000), None, None]
        );
    }
}
