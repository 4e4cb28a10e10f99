//! Mapping of guardrails to controls of compliance frameworks.
//!
//! `catalogue.json` lists controls by the frameworks' own identifiers. A guardrail serves a control if it gives technical
//! support for it; no guardrail fulfils a control alone.

mod coverage;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use coverage::{Coverage, coverage};

/// A framework with its mapped controls.
#[derive(Debug, Deserialize)]
pub struct Framework {
    #[serde(flatten)]
    named: FrameworkName,
    /// Other spellings of its name.
    aliases: Vec<String>,
    controls: Vec<Control>,
}

/// Names and source of a framework.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct FrameworkName {
    /// Identifier, such as `pci_dss`.
    framework: String,
    /// Display name.
    name: String,
    /// The document that defines the identifiers.
    source: String,
}

/// A framework with the other names by which policies may name it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct KnownFramework {
    #[serde(flatten)]
    named: FrameworkName,
    /// Other spellings of its name. Case and punctuation do not matter.
    aliases: Vec<String>,
}

/// A control of a framework.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Control {
    /// The framework's own identifier.
    control: String,
    /// Subject of the control.
    title: String,
    /// Wire names of the guardrails that serve the control.
    guardrails: Vec<String>,
}

/// A control that a guardrail serves.
#[derive(Debug, Serialize, ToSchema)]
pub struct Mapping {
    /// Identifier of the framework.
    framework: &'static str,
    /// The framework's own identifier.
    control: &'static str,
    /// Subject of the control.
    title: &'static str,
}

static CATALOGUE: LazyLock<Vec<Framework>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("catalogue.json"))
        .expect("the catalogue is compiled in; a test reads it")
});

/// Returns every framework.
pub fn frameworks() -> Vec<KnownFramework> {
    let known = |framework: &Framework| KnownFramework {
        named: framework.named.clone(),
        aliases: framework.aliases.clone(),
    };
    CATALOGUE.iter().map(known).collect()
}

/// Returns the controls that a guardrail serves, by framework.
pub fn served_by(guardrail: &str) -> Vec<Mapping> {
    let of_framework = |framework: &'static Framework| {
        let served = framework.controls.iter().filter(|control| control.is_served_by(guardrail));
        served.map(|control| Mapping {
            framework: &framework.named.framework,
            control: &control.control,
            title: &control.title,
        })
    };
    CATALOGUE.iter().flat_map(of_framework).collect()
}

/// Returns the framework with this name. Case, punctuation and known aliases do not matter: `PCI DSS`, `pci-dss` and
/// `PCI DSS v4.0.1` are the same.
pub fn framework(name: &str) -> Option<&'static Framework> {
    let normalized = normalize(name);
    CATALOGUE.iter().find(|framework| framework.names().any(|known| normalize(known) == normalized))
}

impl Framework {
    fn names(&self) -> impl Iterator<Item = &str> {
        let own = [self.named.framework.as_str(), self.named.name.as_str()];
        own.into_iter().chain(self.aliases.iter().map(String::as_str))
    }
}

impl Control {
    fn is_served_by(&self, guardrail: &str) -> bool {
        self.guardrails.iter().any(|serving| serving == guardrail)
    }
}

fn normalize(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use guardengine_engine::detectors;

    use super::*;

    const FRAMEWORKS: [&str; 9] = [
        "gdpr",
        "hipaa",
        "pci_dss",
        "soc2",
        "iso_42001",
        "eu_ai_act",
        "nist_ai_rmf",
        "owasp_llm_top_10",
        "mitre_atlas",
    ];

    #[test]
    fn every_framework_has_a_source_and_controls() {
        let ids: Vec<_> = CATALOGUE.iter().map(|framework| framework.named.framework.as_str()).collect();
        assert_eq!(ids, FRAMEWORKS);
        for framework in CATALOGUE.iter() {
            assert!(!framework.named.source.is_empty() && !framework.controls.is_empty());
        }
    }

    #[test]
    fn controls_are_unique_and_name_existing_guardrails() {
        for framework in CATALOGUE.iter() {
            let mut seen = HashSet::new();
            for control in &framework.controls {
                assert!(seen.insert(&control.control), "{} twice", control.control);
                assert!(!control.title.is_empty(), "{}", control.control);
                for guardrail in &control.guardrails {
                    assert!(detectors::detector(guardrail).is_some(), "{}: {guardrail}", control.control);
                }
            }
        }
    }

    #[test]
    fn every_guardrail_serves_a_control() {
        for detector in detectors::DETECTORS {
            let name = detector.guardrail().name;
            assert!(!served_by(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn finds_a_framework_by_any_spelling() {
        let id = |written| framework(written).map(|framework| framework.named.framework.as_str());
        assert_eq!(id("PCI DSS"), Some("pci_dss"));
        assert_eq!(id("pci-dss v4.0.1"), Some("pci_dss"));
        assert_eq!(id("SOC 2"), Some("soc2"));
        assert_eq!(id("ISO/IEC 42001:2023"), Some("iso_42001"));
        assert_eq!(id("our own rules"), None);
        let names = CATALOGUE.iter().flat_map(Framework::names).map(normalize);
        let own =
            CATALOGUE.iter().flat_map(|framework| framework.names().map(normalize).collect::<HashSet<_>>());
        assert_eq!(names.collect::<HashSet<_>>().len(), own.count());
    }
}
