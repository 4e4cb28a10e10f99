//! `false_positive_budget` of a policy: picks thresholds by their measured share of false positives.

use guardengine_evaluation::false_positive_cost::within;
use serde_json::{Value, json};

use super::costs;

/// Sets the threshold of each guardrail without one to the lowest threshold whose share of false positives is within the
/// budget. Does nothing without a budget. Invalid values are left for the validation of the policy.
pub fn pick(policy: &mut Value) {
    let Some(budget) = policy.get("false_positive_budget").and_then(Value::as_f64) else { return };
    let items = policy.get_mut("guardrails").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten().filter_map(Value::as_object_mut) {
        let is_unset = item.get("threshold").is_none_or(Value::is_null);
        let costs = item.get("guardrail").and_then(Value::as_str).map_or(&[][..], costs);
        if is_unset && !costs.is_empty() {
            // Every threshold exceeds the budget: trigger only at full confidence.
            item.insert("threshold".to_owned(), json!(within(costs, budget).unwrap_or(1.0).min(1.0)));
        }
    }
}

/// Removes every threshold, so that a new budget picks them again.
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
    fn keeps_explicit_thresholds_and_policies_without_budget() {
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
    fn a_new_budget_picks_every_threshold_again() {
        let mut policy = json!({ "false_positive_budget": 0.1, "guardrails": [{ "guardrail": "bias", "threshold": 1.0 }] });
        reopen(&mut policy);
        pick(&mut policy);
        assert!(policy["guardrails"][0]["threshold"].as_f64().unwrap() < 1.0);
    }
}
