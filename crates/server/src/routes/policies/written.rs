//! The shape of a policy for the API's document: the engine, which writes it, knows nothing of HTTP.

#![expect(dead_code, reason = "shapes for the document, which nobody makes or reads")]

use serde_json::Value;
use utoipa::ToSchema;

/// What is written of a policy; `docs/reference/policies.md` describes every field.
#[derive(Debug, ToSchema)]
#[expect(non_snake_case, reason = "the names of the wire")]
pub struct WrittenPolicy {
    /// 1 to 100 characters, unique in the organisation.
    pub policyName: String,
    pub policyDescription: String,
    pub policyMode: PolicyMode,
    pub guardrails: Vec<WrittenGuardrail>,
    /// Longer prompts are blocked, characters.
    pub max_prompt_length: u32,
    /// What guardrails alone would stop passes with one of these; masking stays.
    pub allowed_keywords: Vec<String>,
    /// A text with one of these is blocked.
    pub blocked_keywords: Vec<String>,
    /// Share of plain texts that a guardrail may flag, 0.0005 to 0.1: thresholds that are not named are picked for it.
    #[schema(required = false)]
    pub false_positive_budget: Option<f64>,
    #[schema(required)]
    pub compliance_region: Option<String>,
    pub compliance_frameworks: Vec<String>,
    #[schema(required = false)]
    pub llm_reasoning: Option<WrittenReasoning>,
}

/// Which directions a policy guards.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum PolicyMode {
    Input,
    Output,
    Unified,
}

/// What happens when a guardrail triggers.
#[derive(Debug, ToSchema)]
pub enum WrittenAction {
    Block,
    Allow,
    Challenge,
    Escalate,
}

/// A guardrail of a policy. Settings that it does not read are absent.
#[derive(Debug, ToSchema)]
pub struct WrittenGuardrail {
    /// Wire name.
    pub guardrail: String,
    pub description: String,
    /// Confidences from here on trigger, 0 to 1.
    pub threshold: f64,
    pub enabled: bool,
    pub action: WrittenAction,
    #[schema(required)]
    pub ticket: Option<WrittenTicket>,
    /// Words with which a text passes this guardrail, and this one alone; `pii` has none.
    #[schema(required = false, nullable = false)]
    pub exceptions: Option<Vec<String>>,
    /// `pii`: mask instead of `action`.
    #[schema(required = false, nullable = false)]
    pub pii_masking_enabled: Option<bool>,
    /// `pii`: `full`, `partial`, `format_preserving`, `hash` or `token`.
    #[schema(required = false, nullable = false)]
    pub pii_masking_strategy: Option<String>,
    /// `pii`: which kinds; all where absent.
    #[schema(required = false, nullable = false)]
    pub pii_kinds: Option<Vec<String>>,
    /// `custom_regex`.
    #[schema(required = false, nullable = false)]
    pub patterns: Option<Vec<WrittenPattern>>,
    /// `confidential_terms`.
    #[schema(required = false, nullable = false)]
    pub terms: Option<Vec<String>>,
    /// `confidential_terms`, `copyright_infringement`: texts whose passages are recognised.
    #[schema(required = false, nullable = false)]
    pub documents: Option<Vec<String>>,
}

/// A named pattern.
#[derive(Debug, ToSchema)]
pub struct WrittenPattern {
    /// What a find is called.
    pub name: String,
    /// The syntax of the Rust `regex` crate.
    pub pattern: String,
}

/// The ticket that a guardrail raises. Texts may hold placeholders, as `{guardrail}`.
#[derive(Debug, ToSchema)]
pub struct WrittenTicket {
    /// A ticket connector of the organisation.
    pub connector_id: String,
    /// At most 200 characters.
    #[schema(required = false, nullable = false)]
    pub title: Option<String>,
    /// As the other system names it.
    #[schema(required = false, nullable = false)]
    pub priority: Option<String>,
    /// At most 20, without blanks.
    #[schema(required = false, nullable = false)]
    pub labels: Option<Vec<String>>,
    /// Fields of the other system.
    #[schema(required = false, nullable = false, value_type = Option<Object>)]
    pub fields: Option<Value>,
}

/// What a language model may say where a request asks for one.
#[derive(Debug, ToSchema)]
pub struct WrittenReasoning {
    /// Which AI connector is asked; the oldest active one where null.
    #[schema(required)]
    pub connector_id: Option<String>,
    /// By how much at most it may lower a confidence, 0 to 0.2.
    pub may_lower: f64,
}

#[cfg(test)]
mod tests {
    use guardengine_engine::policy::written::Policy;
    use serde_json::json;
    use utoipa::PartialSchema as _;

    use super::*;

    /// The names of a schema's properties.
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
