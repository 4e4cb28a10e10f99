//! Schemas of the policy for the API document. The engine, which defines the policy, does not depend on HTTP.

#![expect(dead_code, reason = "schemas for the API document, which are never constructed")]

use serde_json::Value;
use utoipa::ToSchema;

/// A policy. `docs/reference/policies.md` describes every field.
#[derive(Debug, ToSchema)]
#[expect(non_snake_case, reason = "wire names")]
pub struct WrittenPolicy {
    /// 1 to 100 characters, unique in the organization.
    pub policyName: String,
    pub policyDescription: String,
    pub policyMode: PolicyMode,
    pub guardrails: Vec<WrittenGuardrail>,
    /// Maximum prompt length, characters. Longer prompts are blocked.
    pub max_prompt_length: u32,
    /// A text with one of these skips guardrail blocks. Masking still applies.
    pub allowed_keywords: Vec<String>,
    /// A text with one of these is blocked.
    pub blocked_keywords: Vec<String>,
    /// Maximum share of harmless texts that a guardrail may flag, 0.0005 to 0.1. Thresholds that are not set are chosen
    /// to meet it.
    #[schema(required = false)]
    pub false_positive_budget: Option<f64>,
    #[schema(required)]
    pub compliance_region: Option<String>,
    pub compliance_frameworks: Vec<String>,
    #[schema(required = false)]
    pub llm_reasoning: Option<WrittenReasoning>,
}

/// Directions that a policy applies to.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum PolicyMode {
    Input,
    Output,
    Unified,
}

/// Action when a guardrail triggers.
#[derive(Debug, ToSchema)]
pub enum WrittenAction {
    Block,
    Allow,
    Challenge,
    Escalate,
}

/// A guardrail of a policy. Settings that do not apply to it are absent.
#[derive(Debug, ToSchema)]
pub struct WrittenGuardrail {
    /// Name in the API.
    pub guardrail: String,
    pub description: String,
    /// Minimum confidence that triggers, 0 to 1.
    pub threshold: f64,
    pub enabled: bool,
    pub action: WrittenAction,
    #[schema(required)]
    pub ticket: Option<WrittenTicket>,
    /// Keywords that exempt a text from this guardrail only. Not available for `pii`.
    #[schema(required = false, nullable = false)]
    pub exceptions: Option<Vec<String>>,
    /// `pii`: mask instead of `action`.
    #[schema(required = false, nullable = false)]
    pub pii_masking_enabled: Option<bool>,
    /// `pii`: `full`, `partial`, `format_preserving`, `hash` or `token`.
    #[schema(required = false, nullable = false)]
    pub pii_masking_strategy: Option<String>,
    /// `pii`: PII types to detect; all if absent.
    #[schema(required = false, nullable = false)]
    pub pii_kinds: Option<Vec<String>>,
    /// `custom_regex`: named patterns.
    #[schema(required = false, nullable = false)]
    pub patterns: Option<Vec<WrittenPattern>>,
    /// `confidential_terms`: terms to detect.
    #[schema(required = false, nullable = false)]
    pub terms: Option<Vec<String>>,
    /// `confidential_terms`, `copyright_infringement`: documents whose passages are detected.
    #[schema(required = false, nullable = false)]
    pub documents: Option<Vec<String>>,
}

/// A named pattern.
#[derive(Debug, ToSchema)]
pub struct WrittenPattern {
    /// Name of the finding.
    pub name: String,
    /// Regular expression in the syntax of the Rust `regex` crate.
    pub pattern: String,
}

/// The ticket that a guardrail creates. Texts can contain variables such as `{guardrail}`.
#[derive(Debug, ToSchema)]
pub struct WrittenTicket {
    /// Identifier of a ticket connector.
    pub connector_id: String,
    /// Title, at most 200 characters.
    #[schema(required = false, nullable = false)]
    pub title: Option<String>,
    /// Priority, as the ticket system names it.
    #[schema(required = false, nullable = false)]
    pub priority: Option<String>,
    /// Labels, at most 20, without spaces.
    #[schema(required = false, nullable = false)]
    pub labels: Option<Vec<String>>,
    /// Fields of the ticket system.
    #[schema(required = false, nullable = false, value_type = Option<Object>)]
    pub fields: Option<Value>,
}

/// Second opinion of a language model, for requests that ask for it.
#[derive(Debug, ToSchema)]
pub struct WrittenReasoning {
    /// AI connector; null for the oldest active one.
    #[schema(required)]
    pub connector_id: Option<String>,
    /// Maximum reduction of a confidence, 0 to 0.2.
    pub may_lower: f64,
}

#[cfg(test)]
mod tests {
    use guardengine_engine::policy::written::Policy;
    use serde_json::json;
    use utoipa::PartialSchema as _;

    use super::*;

    /// Property names of a schema.
    fn properties(schema: impl serde::Serialize) -> Vec<String> {
        let schema = serde_json::to_value(schema).unwrap();
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    }

    fn are_described(written: &Value, schema: impl serde::Serialize) {
        let known = properties(schema);
        let unknown = written.as_object().unwrap().keys().filter(|name| !known.contains(name));
        assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&String>::new());
    }

    #[test]
    fn every_field_that_a_policy_is_written_with_is_in_the_document() {
        let item = |guardrail: &str, more: Value| {
            let mut item = json!({ "guardrail": guardrail });
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            item
        };
        let policy = json!({
            "policyName": "a", "false_positive_budget": 0.01, "compliance_region": "EU",
            "llm_reasoning": { "may_lower": 0.1 },
            "guardrails": [
                item("spam", json!({ "exceptions": ["free seats"] })),
                item("pii", json!({ "pii_masking_enabled": true, "pii_masking_strategy": "hash", "pii_kinds": ["email"] })),
                item("custom_regex", json!({ "patterns": [{ "name": "a", "pattern": "b+" }] })),
                item("confidential_terms", json!({ "terms": ["aurora"], "documents": ["a passage of several words in a row"] })),
            ],
        });
        let written = serde_json::to_value(Policy::parse(&policy).unwrap()).unwrap();
        are_described(&written, WrittenPolicy::schema());
        for item in written["guardrails"].as_array().unwrap() {
            are_described(item, WrittenGuardrail::schema());
        }
        are_described(&written["llm_reasoning"], WrittenReasoning::schema());
    }
}
