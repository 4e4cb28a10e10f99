//! How a draft is read: as a policy that is sent in is, and no field that was not asked for.

use guardengine_engine::policy::written::Policy;
use serde_json::Value;

use super::prompt::schema;

/// The policy that a model wrote; else the fault, as clients are told.
pub fn read(answer: &str) -> Result<Policy, String> {
    let draft: Value = serde_json::from_str(answer).map_err(|fault| format!("invalid JSON: {fault}"))?;
    known(&draft, &schema(), "")?;
    Policy::parse(&draft).map_err(|fault| fault.to_string())
}

/// Refuses fields that the schema does not have.
fn known(value: &Value, schema: &Value, path: &str) -> Result<(), String> {
    match value {
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| {
            let path = format!("{path}{name}");
            let schema =
                schema["properties"].get(name).ok_or_else(|| format!("{path}: is no field of a draft"))?;
            known(value, schema, &format!("{path}."))
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(at, item)| known(item, &schema["items"], &format!("{path}{at}."))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_draft_is_a_policy_of_the_fields_that_were_asked_for() {
        let item = |more: Value| {
            let mut item = json!({ "guardrail": "pii", "threshold": 0.7, "terms": [], "patterns": [] });
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({ "policyName": "a", "guardrails": [item] }).to_string()
        };
        assert_eq!(read(&item(json!({}))).unwrap().guardrails[0].threshold, 0.7);
        for (draft, told) in [
            ("allow", "invalid JSON: expected value at line 1 column 1"),
            ("[]", "body: must be an object"),
            ("{}", "field required: policyName"),
            (r#"{"policyName":"a","llm_reasoning":{}}"#, "llm_reasoning: is no field of a draft"),
            (&item(json!({ "ticket": {} })), "guardrails.0.ticket: is no field of a draft"),
            (&item(json!({ "threshold": 7 })), "guardrails.0.threshold: must be a number from 0 to 1"),
            (
                &item(json!({ "patterns": [{ "name": "a", "flags": "i" }] })),
                "guardrails.0.patterns.0.flags: is no field of a draft",
            ),
        ] {
            assert_eq!(read(draft).unwrap_err(), told, "{draft}");
        }
    }
}
