//! Limits on what a policy compiles to.

use guardengine_engine::policy::{CompiledPolicy, document::Policy};
use serde_json::{Value, json};

fn with_patterns(patterns: &[String]) -> Value {
    let patterns: Vec<_> =
        patterns.iter().map(|pattern| json!({ "name": "a", "pattern": pattern })).collect();
    json!({ "policyName": "a", "guardrails": [{ "guardrail": "custom_regex", "patterns": patterns }] })
}

#[test]
fn a_policy_that_compiles_too_large_is_refused_with_the_limit() {
    let patterns: Vec<String> = (0..100).map(|number| format!(r"{number}\w{{20}}")).collect();
    let error = Policy::parse(&with_patterns(&patterns)).unwrap_err().to_string();
    assert!(error.starts_with("guardrails: must compile to at most 64 MiB"), "{error}");
    assert!(Policy::parse(&with_patterns(&patterns[..2])).is_ok());
}

#[test]
fn a_pattern_that_matches_the_empty_text_is_refused_in_new_policies_alone() {
    let written = with_patterns(&[".*Z|".to_owned()]);
    let error = Policy::parse(&written).unwrap_err().to_string();
    assert!(error.starts_with("guardrails.0.patterns.0.pattern: must not match the empty text"), "{error}");
    let mut stored = serde_json::to_value(Policy::parse(&with_patterns(&["Z".to_owned()])).unwrap()).unwrap();
    stored["guardrails"][0]["patterns"][0]["pattern"] = json!(".*Z|");
    let stored: Policy = serde_json::from_value(stored).unwrap();
    assert!(CompiledPolicy::compile(&stored).is_ok());
}

#[test]
fn the_size_grows_with_what_a_policy_holds() {
    let size =
        |policy: Value| CompiledPolicy::compile(&Policy::parse(&policy).unwrap()).unwrap().memory_usage();
    let words: Vec<String> = (0..5_000).map(|number| format!("keyword number {number}")).collect();
    let empty = size(json!({ "policyName": "a" }));
    assert!(size(json!({ "policyName": "a", "blocked_keywords": words })) > empty + 100_000);
    let terms =
        json!({ "policyName": "a", "guardrails": [{ "guardrail": "confidential_terms", "terms": words }] });
    assert!(size(terms) > empty + 100_000);
}
