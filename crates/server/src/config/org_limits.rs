//! Rate limits of single organizations, which override the configuration.

use std::collections::BTreeMap;

use super::Limit;

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
    fn missing_limits_are_not_overridden() {
        let own = OrgLimits::read(Some(r#"{"analyze": "500/60s", "default": "off"}"#));
        assert_eq!(own.analyze, "500/60s".parse().ok());
        assert_eq!((own.autonomous, own.default), (None, Some(Limit::Off)));
        assert_eq!(OrgLimits::read(None), OrgLimits::default());
    }
}
