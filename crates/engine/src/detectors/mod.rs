//! The guardrails, one file each, named by their wire names.
//!
//! To add one: write its file, and add its line to `guardrails!`.

mod learned;

use std::sync::LazyLock;

use crate::{
    evidence::Evidence,
    fields::Invalid,
    finding::Finding,
    guardrail::Guardrail,
    rules::{Rule, RuleSet},
    settings::Settings,
};

/// A guardrail that can be put into a policy.
pub trait Detector: Sync {
    /// What it is.
    fn guardrail(&self) -> &'static Guardrail;

    /// The wordings it looks for; those of all guardrails are looked for together.
    fn rules(&self) -> &'static [Rule] {
        &[]
    }

    /// Checks a policy's settings of the guardrail and prepares them to run. Called once for each version of a policy.
    fn parse(&self, settings: &Settings) -> Result<Box<dyn Inspector>, Invalid>;
}

/// A detector with one policy's settings.
pub trait Inspector: Send + Sync {
    /// Adds what it finds in the judged parts; confidences below any threshold may be left out when below 0.002.
    fn inspect(&self, evidence: &Evidence<'_>, findings: &mut Vec<Finding>);
}

/// Declares each module and puts its guardrail on the list, so that to register one is one line.
macro_rules! guardrails {
    ($($module:ident::$guardrail:ident,)*) => {
        $(pub(crate) mod $module;)*

        /// Every guardrail.
        pub static ALL: &[&dyn Detector] = &[$(&$module::$guardrail),*];
    };
}

guardrails! {
    prompt_injection::PROMPT_INJECTION,
    model_jailbreak::MODEL_JAILBREAK,
    model_denial::MODEL_DENIAL,
    toxicity::TOXICITY,
    hate_speech::HATE_SPEECH,
    nsfw::NSFW,
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
}

/// The rules of every guardrail, so that one pass over a text finds the words of all.
static RULE_SET: LazyLock<RuleSet> =
    LazyLock::new(|| RuleSet::new(ALL.iter().map(|detector| (detector.guardrail().name, detector.rules()))));

/// The guardrail with that wire name.
pub fn detector(name: &str) -> Option<&'static dyn Detector> {
    ALL.iter().copied().find(|detector| detector.guardrail().name == name)
}

#[cfg(test)]
mod tests;
