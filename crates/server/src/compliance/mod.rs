//! Which guardrail serves which control of which compliance framework.
//!
//! `catalogue.json` names controls by the frameworks' own identifiers. To serve a control means to give technical
//! support for it; no guardrail fulfils one alone.

mod coverage;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use coverage::{Coverage, coverage};

/// A framework and those of its controls that are mapped.
#[derive(Debug, Deserialize)]
pub struct Framework {
    #[serde(flatten)]
    named: FrameworkName,
    /// Other ways to write its name.
    aliases: Vec<String>,
    controls: Vec<Control>,
}

/// A framework by name.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct FrameworkName {
    /// Its id, `pci_dss` for example.
    framework: String,
    /// Its name for people.
    name: String,
    /// The document that defines the identifiers.
    source: String,
}

/// A control.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
pub struct Control {
    /// The framework's own identifier.
    control: String,
    /// What it is about.
    title: String,
    /// Guardrails that serve it, by wire name.
    guardrails: Vec<String>,
}

/// A control that a guardrail serves.
#[derive(Debug, Serialize, ToSchema)]
pub struct Mapping {
    /// The framework's id.
    framework: &'static str,
    /// The framework's own identifier.
    control: &'static str,
    /// What the control is about.
    title: &'static str,
}

static CATALOGUE: LazyLock<Vec<Framework>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("catalogue.json")).expect("the catalogue is ours; a test reads it")
});

/// Every framework.
pub fn frameworks() -> Vec<FrameworkName> {
    CATALOGUE.iter().map(|framework| framework.named.clone()).collect()
}

/// The controls that a guardrail serves, by framework.
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

/// The framework of that name, however it is written: `PCI DSS`, `pci-dss` and `PCI DSS v4.0.1` are one.
pub fn framework(written: &str) -> Option<&'static Framework> {
    let wanted = plain(written);
    CATALOGUE.iter().find(|framework| framework.names().any(|name| plain(name) == wanted))
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

fn plain(name: &str) -> String {
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
    fn every_framework_is_there_with_its_source_and_controls() {
        let ids: Vec<_> = CATALOGUE.iter().map(|framework| framework.named.framework.as_str()).collect();
        assert_eq!(ids, FRAMEWORKS);
        for framework in CATALOGUE.iter() {
            assert!(!framework.named.source.is_empty() && !framework.controls.is_empty());
        }
    }

    #[test]
    fn a_control_is_named_once_and_by_guardrails_that_exist() {
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
    fn every_guardrail_serves_something() {
        for detector in detectors::ALL {
            let name = detector.guardrail().name;
            assert!(!served_by(name).is_empty(), "{name}");
        }
    }

    #[test]
    fn a_name_means_one_framework_however_it_is_written() {
        let id = |written| framework(written).map(|framework| framework.named.framework.as_str());
        assert_eq!(id("PCI DSS"), Some("pci_dss"));
        assert_eq!(id("pci-dss v4.0.1"), Some("pci_dss"));
        assert_eq!(id("SOC 2"), Some("soc2"));
        assert_eq!(id("ISO/IEC 42001:2023"), Some("iso_42001"));
        assert_eq!(id("our own rules"), None);
        let names = CATALOGUE.iter().flat_map(Framework::names).map(plain);
        let own = CATALOGUE.iter().flat_map(|framework| framework.names().map(plain).collect::<HashSet<_>>());
        assert_eq!(names.collect::<HashSet<_>>().len(), own.count());
    }
}
