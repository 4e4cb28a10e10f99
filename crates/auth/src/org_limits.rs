//! Rate limits, and those of single organizations, which override the configuration.

use std::{collections::BTreeMap, num::NonZeroU32, str::FromStr, time::Duration};

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

impl Limit {
    /// Returns the limit with `factor` times as many requests.
    #[must_use]
    pub fn times(self, factor: u32) -> Self {
        match self {
            Self::Off => Self::Off,
            Self::Per { count, window } => {
                let factor = NonZeroU32::new(factor).unwrap_or(NonZeroU32::MIN);
                Self::Per { count: count.saturating_mul(factor), window }
            }
        }
    }
}

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

/// Limits of an organization by name, as stored.
pub type WrittenLimits = BTreeMap<String, String>;

/// Limits that an organization can override. The others count client addresses, before the organization is known.
pub const ORG_LIMITS: [&str; 3] = ["analyze", "autonomous", "default"];

/// Limits of an organization. `None` means that the configured limit applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrgLimits {
    /// Overrides `limits.analyze`.
    pub analyze: Option<Limit>,
    /// Overrides `limits.autonomous`.
    pub autonomous: Option<Limit>,
    /// Overrides `limits.default`.
    pub default: Option<Limit>,
}

impl OrgLimits {
    /// Parses the stored JSON object, [`WrittenLimits`]. Ignores unknown names and invalid values.
    pub fn read(stored: Option<&str>) -> Self {
        let written = stored.and_then(|stored| serde_json::from_str::<WrittenLimits>(stored).ok());
        let written = written.unwrap_or_default();
        let [analyze, autonomous, default] = ORG_LIMITS.map(|name| written.get(name)?.parse().ok());
        Self { analyze, autonomous, default }
    }
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
    fn missing_limits_are_not_overridden() {
        let own = OrgLimits::read(Some(r#"{"analyze": "500/60s", "default": "off"}"#));
        assert_eq!(own.analyze, "500/60s".parse().ok());
        assert_eq!((own.autonomous, own.default), (None, Some(Limit::Off)));
        assert_eq!(OrgLimits::read(None), OrgLimits::default());
    }
}
