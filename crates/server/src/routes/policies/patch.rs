//! A change to a policy: its fields replace those of the stored policy.

use guardengine_engine::{
    fields::{FieldError, Fields},
    policy::{CompiledPolicy, document::Policy},
};
use serde_json::{Map, Value};

use crate::{http::changed_name, policies::measured_thresholds::false_positive_budget};

const NAME: &str = "policyName";
const BUDGET: &str = "false_positive_budget";
/// Fields that null clears; elsewhere null means absent.
const NULLABLE: [&str; 2] = ["compliance_region", BUDGET];

/// Fields of a policy. Each replaces the stored field entirely.
#[derive(Clone, Debug)]
pub struct PolicyPatch(Map<String, Value>);

impl PolicyPatch {
    /// Reads a change and checks each field.
    pub fn read(body: &Value) -> Result<Self, FieldError> {
        Fields::of(body, "body")?;
        let fields = body.as_object().into_iter().flatten();
        let carried = fields.filter(|(name, value)| !value.is_null() || NULLABLE.contains(&name.as_str()));
        let change = Self(carried.map(|(name, value)| (name.clone(), value.clone())).collect());
        Policy::read(&change.merged(&Policy::built_in()))?;
        Ok(change)
    }

    /// Returns the change with its name as it is stored. The current one may stay, whatever it contains.
    pub fn with_prepared_name(mut self, current: &str) -> Result<Self, FieldError> {
        if let Some(Value::String(name)) = self.0.get_mut(NAME) {
            *name = changed_name(NAME, name, current)?;
        }
        Ok(self)
    }

    /// Checks that the change compiles, so that errors are returned before any lookup. Takes long for large policies.
    pub fn check(&self) -> Result<(), FieldError> {
        self.over(&Policy::built_in()).map(|_| ())
    }

    /// Returns `written` with the change applied, after checking the whole policy. Takes long for large policies.
    pub fn over(&self, written: &Policy) -> Result<Policy, FieldError> {
        Policy::parse(&self.merged(written))
    }

    /// Returns `written` with the change applied, compiled. Takes long for large policies.
    pub fn compiled_over(&self, written: &Policy) -> Result<CompiledPolicy, FieldError> {
        CompiledPolicy::compile_new(&Policy::read(&self.merged(written))?)
    }

    fn merged(&self, written: &Policy) -> Value {
        // A policy consists of strings, numbers and lists: serialization cannot fail.
        let mut merged = serde_json::to_value(written).unwrap_or_default();
        let is_new_budget = self.0.get(BUDGET).is_some_and(|budget| !budget.is_null());
        if is_new_budget && !self.0.contains_key("guardrails") {
            false_positive_budget::reopen(&mut merged);
        }
        if let Some(fields) = merged.as_object_mut() {
            fields.extend(self.0.clone());
        }
        false_positive_budget::pick(&mut merged);
        merged
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changed(change: &Value, written: &Value) -> Policy {
        PolicyPatch::read(change).unwrap().over(&Policy::parse(written).unwrap()).unwrap()
    }

    #[test]
    fn a_change_without_fields_changes_nothing() {
        let nothing = PolicyPatch::read(&json!({})).unwrap();
        for policy in crate::policies::templates::all().iter().map(|template| &template.policy) {
            assert_eq!(nothing.over(policy).as_ref(), Ok(policy));
        }
        assert_eq!(nothing.over(&Policy::built_in()), Ok(Policy::built_in()));
    }

    #[test]
    fn an_old_version_can_be_restored() {
        let old = json!({ "policyName": "a", "blocked_keywords": ["x"] });
        let new =
            json!({ "policyName": "b", "compliance_region": "EU", "guardrails": [{ "guardrail": "pii" }] });
        let old = Policy::parse(&old).unwrap();
        let back = serde_json::to_value(&old).unwrap();
        assert_eq!(changed(&back, &new), old);
    }

    #[test]
    fn a_new_budget_picks_thresholds_anew_but_not_those_that_come_with_it() {
        let strict = json!({ "guardrail": "bias", "threshold": 1.0 });
        let written = json!({ "policyName": "a", "guardrails": [strict] });
        let lax = changed(&json!({ "false_positive_budget": 0.1 }), &written);
        assert!(lax.guardrails[0].threshold < 1.0);
        let named = changed(&json!({ "false_positive_budget": 0.1, "guardrails": [strict] }), &written);
        assert_eq!(named.guardrails[0].threshold, 1.0);
        let without =
            changed(&json!({ "false_positive_budget": null }), &serde_json::to_value(&lax).unwrap());
        assert_eq!((without.false_positive_budget, &without.guardrails), (None, &lax.guardrails));
    }

    #[test]
    fn null_empties_the_region_and_counts_as_absent_elsewhere() {
        let written = json!({ "policyName": "a", "compliance_region": "EU", "max_prompt_length": 7 });
        let change = json!({ "compliance_region": null, "max_prompt_length": null, "policyName": null });
        let changed = changed(&change, &written);
        assert_eq!((changed.compliance_region, changed.max_prompt_length), (None, 7));
        assert_eq!(changed.name, "a");
    }
}
