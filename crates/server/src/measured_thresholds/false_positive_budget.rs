//! `false_positive_budget` of a policy: thresholds picked by what they cost.

use guardengine_evaluation::budget::within;
use serde_json::{Value, json};

use super::costs;

/// Gives each guardrail of a policy that has a budget and names no threshold the lowest one whose share of plain texts
/// is within the budget. What cannot be read is left to who reads the policy.
pub fn pick(policy: &mut Value) {
    let Some(budget) = policy.get("false_positive_budget").and_then(Value::as_f64) else { return };
    let items = policy.get_mut("guardrails").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten().filter_map(Value::as_object_mut) {
        let is_open = item.get("threshold").is_none_or(Value::is_null);
        let costs = item.get("guardrail").and_then(Value::as_str).map_or(&[][..], costs);
        if is_open && !costs.is_empty() {
            // More than the budget, whatever the threshold: only certainty triggers.
            item.insert("threshold".to_owned(), json!(within(costs, budget).unwrap_or(1.0).min(1.0)));
        }
    }
}

/// Opens every threshold, so that a new budget picks them all anew.
pub fn reopen(policy: &mut Value) {
    let items = policy.get_mut("guardrails").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten().filter_map(Value::as_object_mut) {
        item.remove("threshold");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(budget: f64) -> f64 {
        let item = json!({ "guardrail": "prompt_injection" });
        let mut policy = json!({ "false_positive_budget": budget, "guardrails": [item] });
        pick(&mut policy);
        policy["guardrails"][0]["threshold"].as_f64().unwrap()
    }

    #[test]
    fn a_larger_budget_picks_a_lower_threshold() {
        assert!(picked(0.0005) > picked(0.01));
        assert!(picked(0.01) > picked(0.1));
    }

    #[test]
    fn what_names_its_threshold_or_has_no_budget_stays() {
        let named = json!({ "guardrail": "prompt_injection", "threshold": 0.9 });
        let unmeasured = json!({ "guardrail": "custom_regex" });
        for policy in [
            json!({ "false_positive_budget": 0.01, "guardrails": [named, unmeasured, 7] }),
            json!({ "guardrails": [{ "guardrail": "prompt_injection" }] }),
            json!({ "false_positive_budget": 0.01, "guardrails": "all" }),
        ] {
            let mut same = policy.clone();
            pick(&mut same);
            assert_eq!(same, policy);
        }
    }

    #[test]
    fn a_new_budget_picks_every_threshold_anew() {
        let mut policy = json!({ "false_positive_budget": 0.1, "guardrails": [{ "guardrail": "bias", "threshold": 1.0 }] });
        reopen(&mut policy);
        pick(&mut policy);
        assert!(policy["guardrails"][0]["threshold"].as_f64().unwrap() < 1.0);
    }
}
