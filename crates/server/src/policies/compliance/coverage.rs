//! Coverage of compliance frameworks by a policy.

use guardengine_engine::policy::{
    Action,
    document::{GuardrailConfig, Policy},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Control, Framework, FrameworkName, framework};

/// Coverage of the frameworks that a policy names.
#[derive(Debug, Serialize, ToSchema)]
pub struct Coverage {
    frameworks: Vec<FrameworkCoverage>,
    /// Names in the policy's `compliance_frameworks` that are not in the catalogue.
    unknown_frameworks: Vec<String>,
}

/// Coverage of one framework.
#[derive(Debug, Serialize, ToSchema)]
pub struct FrameworkCoverage {
    #[serde(flatten)]
    named: FrameworkName,
    /// Controls that the policy supports, with the guardrails that do so.
    served: Vec<Control>,
    /// Controls that the policy does not support, with the guardrails that would; empty if no guardrail can.
    unserved: Vec<Control>,
}

/// Returns the coverage of each framework that `policy` names.
pub fn coverage(policy: &Policy) -> Coverage {
    let guardrails: Vec<&str> =
        policy.guardrails.iter().filter(|item| is_effective(item)).map(name).collect();
    let (mut frameworks, mut unknown_frameworks) = (Vec::<FrameworkCoverage>::new(), Vec::new());
    for written in &policy.compliance_frameworks {
        match framework(written) {
            Some(known) if frameworks.iter().any(|seen| seen.named.framework == known.named.framework) => {}
            Some(known) => frameworks.push(cover(known, &guardrails)),
            None => unknown_frameworks.push(written.clone()),
        }
    }
    Coverage { frameworks, unknown_frameworks }
}

fn name(item: &GuardrailConfig) -> &str {
    &item.guardrail
}

/// Returns true if the guardrail affects texts: `Allow` only reports, unless PII is masked.
fn is_effective(item: &GuardrailConfig) -> bool {
    item.enabled && (item.action != Action::Allow || item.masks())
}

fn cover(framework: &Framework, guardrails: &[&str]) -> FrameworkCoverage {
    let (mut served, mut unserved) = (Vec::new(), Vec::new());
    for control in &framework.controls {
        let serving = control.guardrails.iter().filter(|name| guardrails.contains(&name.as_str()));
        let serving: Vec<_> = serving.cloned().collect();
        if serving.is_empty() {
            unserved.push(control.clone());
        } else {
            served.push(Control { guardrails: serving, ..control.clone() });
        }
    }
    FrameworkCoverage { named: framework.named.clone(), served, unserved }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn of(policy: &Value) -> Value {
        serde_json::to_value(coverage(&Policy::parse(policy).unwrap())).unwrap()
    }

    fn controls(list: &Value) -> Vec<&str> {
        list.as_array().unwrap().iter().map(|one| one["control"].as_str().unwrap()).collect()
    }

    #[test]
    fn every_control_is_either_served_or_unserved() {
        let policy = json!({
            "policyName": "a",
            "compliance_frameworks": ["OWASP LLM Top 10", "house rules", "owasp_llm_top_10"],
            "guardrails": [
                { "guardrail": "prompt_injection" },
                { "guardrail": "model_denial", "enabled": false },
                { "guardrail": "confidential_terms", "action": "Allow" },
                { "guardrail": "pii", "action": "Allow", "pii_masking_enabled": true },
            ],
        });
        let coverage = of(&policy);
        assert_eq!(coverage["unknown_frameworks"], json!(["house rules"]));
        assert_eq!(coverage["frameworks"].as_array().unwrap().len(), 1);
        let owasp = &coverage["frameworks"][0];
        assert_eq!(controls(&owasp["served"]), ["LLM01", "LLM02", "LLM07", "LLM08"]);
        assert_eq!(controls(&owasp["unserved"]), ["LLM03", "LLM04", "LLM05", "LLM06", "LLM09", "LLM10"]);
        assert_eq!(owasp["served"][1]["guardrails"], json!(["pii"]));
        assert_eq!(owasp["unserved"][5]["guardrails"], json!(["model_denial"]));
    }
}
