//! The rate limits that an organisation has for itself, above the configuration's.

use std::collections::BTreeMap;

use super::Limit;

/// An organisation's own limits by name, as they are stored.
pub type WrittenLimits = BTreeMap<String, String>;

/// The limits that count callers, and so may be an organisation's own; the others count addresses, before it is known
/// who calls.
pub const ORG_LIMITS: [&str; 3] = ["analyze", "autonomous", "default"];

/// An organisation's own limits; `None` where the configuration's holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrgLimits {
    /// Instead of `limits.analyze`.
    pub analyze: Option<Limit>,
    /// Instead of `limits.autonomous`.
    pub autonomous: Option<Limit>,
    /// Instead of `limits.default`.
    pub default: Option<Limit>,
}

impl OrgLimits {
    /// From the JSON object that is stored, [`WrittenLimits`].
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
    fn what_is_not_stored_is_not_ones_own() {
        let own = OrgLimits::read(Some(r#"{"analyze": "500/60s", "default": "off"}"#));
        assert_eq!(own.analyze, "500/60s".parse().ok());
        assert_eq!((own.autonomous, own.default), (None, Some(Limit::Off)));
        assert_eq!(OrgLimits::read(None), OrgLimits::default());
    }
}
