//! The guardrails, one file each, named by their wire names.
//!
//! To add one, write its file and add its line to `guardrails!`.

mod scored;

use std::sync::LazyLock;

use crate::{
    evidence::Evidence,
    fields::FieldError,
    finding::Finding,
    guardrail::Guardrail,
    rules::{Rule, RuleSet},
    settings::Settings,
    sources::Sources,
    topics::Topics,
};

/// A guardrail that a policy can enable.
pub trait Detector: Sync {
    /// Returns the declaration.
    fn guardrail(&self) -> &'static Guardrail;

    /// Returns the rules, which are searched for together with those of all guardrails.
    fn rules(&self) -> &'static [Rule] {
        &[]
    }

    /// Checks a policy's settings of the guardrail and prepares them to run. Called once for each version of a policy.
    fn parse(&self, settings: &Settings) -> Result<Box<dyn Inspector>, FieldError>;

    /// Like [`Detector::parse`] for a guardrail with this threshold, for detectors whose settings refine it.
    fn parse_at(&self, settings: &Settings, _threshold: f32) -> Result<Box<dyn Inspector>, FieldError> {
        self.parse(settings)
    }

    /// Checks what is accepted in new and changed policies only. Stored policies keep running without it.
    fn check(&self, _: &Settings) -> Result<(), FieldError> {
        Ok(())
    }
}

/// A detector with the settings of one policy.
pub trait Inspector: Send + Sync {
    /// Adds the findings in evaluated parts from `sources`. Confidences below 0.002 may be omitted.
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>);

    /// Returns the bytes that the prepared settings take.
    fn memory_usage(&self) -> usize {
        0
    }

    /// Returns whether it reads what images show, not only the text in them.
    fn looks_at_images(&self) -> bool {
        false
    }

    /// Returns the topics that it finds, which have to be fitted.
    fn topics(&self) -> Option<&Topics> {
        None
    }

    /// Returns the topics that it finds, to fit them.
    fn topics_mut(&mut self) -> Option<&mut Topics> {
        None
    }
}

/// Declares the modules and lists their guardrails, so that one line registers a guardrail.
macro_rules! guardrails {
    ($($module:ident::$guardrail:ident,)*) => {
        $(pub(crate) mod $module;)*

        /// Every guardrail.
        pub static DETECTORS: &[&dyn Detector] = &[$(&$module::$guardrail),*];
    };
}

guardrails! {
    prompt_injection::PROMPT_INJECTION,
    model_jailbreak::MODEL_JAILBREAK,
    model_denial::MODEL_DENIAL,
    toxicity::TOXICITY,
    hate_speech::HATE_SPEECH,
    nsfw::Nsfw,
    violence::VIOLENCE,
    self_harm::SELF_HARM,
    religious_content::RELIGIOUS_CONTENT,
    pii::Pii,
    confidential_terms::ConfidentialTerms,
    copyright_infringement::CopyrightInfringement,
    fraud::FRAUD,
    spam::SPAM,
    bias::BIAS,
    impersonation::IMPERSONATION,
    custom_regex::CustomRegex,
    illicit::ILLICIT,
    custom_topics::CustomTopics,
}

/// The rules of every guardrail, so that one pass over a text finds the words of all.
static RULE_SET: LazyLock<RuleSet> = LazyLock::new(|| {
    RuleSet::new(DETECTORS.iter().map(|detector| (detector.guardrail().name, detector.rules())))
});

/// Returns the guardrail with this wire name.
pub fn detector(name: &str) -> Option<&'static dyn Detector> {
    DETECTORS.iter().copied().find(|detector| detector.guardrail().name == name)
}

#[cfg(test)]
mod tests;
