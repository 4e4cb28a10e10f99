//! Policy templates, one JSON file each.

use std::sync::LazyLock;

use guardengine_engine::policy::document::Policy;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::policies::written::WrittenPolicy;

/// A policy template.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PolicyTemplate)]
pub struct Template {
    /// Identifier of the template.
    pub template_id: &'static str,
    /// Audience and effect of the policy.
    pub description: String,
    /// The policy with every field.
    #[schema(value_type = WrittenPolicy)]
    pub policy: Policy,
}

macro_rules! templates {
    ($($id:literal,)*) => {
        static ALL: LazyLock<Vec<Template>> =
            LazyLock::new(|| vec![$(template($id, include_str!(concat!($id, ".json")))),*]);
    };
}

templates! {
    "hipaa",
    "gdpr",
    "pci_dss",
    "childrens_services",
    "finance",
}

/// Returns every template.
pub fn all() -> &'static [Template] {
    &ALL
}

/// Parses a template file, which is a policy. The template has the description of its policy.
fn template(template_id: &'static str, text: &str) -> Template {
    let json: Value = serde_json::from_str(text).expect("the templates are ours; a test reads them");
    let policy = Policy::parse(&json).expect("the templates are ours; a test reads them");
    Template { template_id, description: policy.description.clone(), policy }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use guardengine_engine::{
        RequestOptions,
        guardrail::Direction,
        pii::mask::MaskKeys,
        policy::{CompiledPolicy, Outcome},
    };

    use super::*;
    use crate::policies::compliance::framework;
    use guardengine_guard::{
        evaluate::{EvaluationOptions, LogContent, evaluate},
        submission::Submission,
    };

    #[test]
    fn templates_have_unique_names_and_are_valid_policies() {
        let names: HashSet<_> = all().iter().map(|template| &template.policy.name).collect();
        assert_eq!((all().len(), names.len()), (5, 5));
        for template in all() {
            let json = serde_json::to_value(&template.policy).unwrap();
            assert_eq!(Policy::parse(&json).as_ref(), Ok(&template.policy), "{}", template.template_id);
            assert!(!template.description.is_empty());
            assert!(template.policy.compliance_frameworks.iter().any(|name| framework(name).is_some()));
        }
    }

    fn outcome(template_id: &str, text: &str) -> Outcome {
        let template = all().iter().find(|template| template.template_id == template_id).unwrap();
        let policy = CompiledPolicy::compile(&template.policy).unwrap();
        let (asked, log_content, keys) =
            (RequestOptions::default(), LogContent::None, MaskKeys::new(&[7; 32]));
        let options = EvaluationOptions {
            policy: &policy,
            shadow: None,
            asked,
            keys: &keys,
            log_content,
            labels: None,
            deadline: None,
        };
        let submission = Submission::of(Direction::Input, text.to_owned());
        evaluate(guardengine_classifiers::embedded(), &submission, &options).unwrap().verdict.outcome
    }

    #[test]
    fn each_template_serves_its_purpose() {
        let card = "The card is 4111 1111 1111 1111, please book the room.";
        assert_eq!(outcome("pci_dss", card), Outcome::Mask);
        assert_eq!(outcome("pci_dss", "The card's CVV is 123."), Outcome::Block);
        assert_eq!(outcome("pci_dss", "Track 2: ;4111111111111111=29121010000012345678?"), Outcome::Block);
        assert_eq!(outcome("hipaa", "Patient Jane Doe, MRN 00482913, was admitted."), Outcome::Mask);
        assert_eq!(outcome("gdpr", "Write to jane.doe@example.com about her order."), Outcome::Mask);
        assert_eq!(outcome("childrens_services", "Don't tell your parents about us."), Outcome::Block);
        assert_eq!(outcome("finance", "With this bond you cannot lose money."), Outcome::Escalate);
    }

    #[test]
    fn ordinary_questions_pass_every_template() {
        for template in all() {
            for text in
                ["How do I reset the date on my watch?", "Summarise the plot of a short story about a fox."]
            {
                assert_eq!(
                    outcome(template.template_id, text),
                    Outcome::Allow,
                    "{}: {text}",
                    template.template_id
                );
            }
        }
    }
}
