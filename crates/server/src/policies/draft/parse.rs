//! Parser of drafts: validates them like submitted policies, and refuses fields outside the draft schema.

use guardengine_engine::policy::document::Policy;
use serde_json::Value;

use super::prompt::schema;

/// Parses the draft of a model. Returns the validation error as the API would return it.
pub fn parse(answer: &str) -> Result<Policy, String> {
    let draft: Value = serde_json::from_str(answer).map_err(|error| format!("invalid JSON: {error}"))?;
    check_fields(&draft, &schema(), "")?;
    Policy::parse(&draft).map_err(|error| error.to_string())
}

/// Returns an error for the first field outside the schema.
fn check_fields(value: &Value, schema: &Value, path: &str) -> Result<(), String> {
    match value {
        Value::Object(fields) => fields.iter().try_for_each(|(name, value)| {
            let path = format!("{path}{name}");
            let schema =
                schema["properties"].get(name).ok_or_else(|| format!("{path}: not a field of a draft"))?;
            check_fields(value, schema, &format!("{path}."))
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(at, item)| check_fields(item, &schema["items"], &format!("{path}{at}."))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn accepts_valid_policies_with_fields_of_the_schema_only() {
        let item = |more: Value| {
            let mut item = json!({ "guardrail": "pii", "threshold": 0.7, "terms": [], "patterns": [] });
            item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({ "policyName": "a", "guardrails": [item] }).to_string()
        };
        assert_eq!(parse(&item(json!({}))).unwrap().guardrails[0].threshold, 0.7);
        for (draft, error) in [
            ("allow", "invalid JSON: expected value at line 1 column 1"),
            ("[]", "body: must be an object"),
            ("{}", "field required: policyName"),
            (r#"{"policyName":"a","llm_reasoning":{}}"#, "llm_reasoning: not a field of a draft"),
            (&item(json!({ "ticket": {} })), "guardrails.0.ticket: not a field of a draft"),
            (&item(json!({ "threshold": 7 })), "guardrails.0.threshold: must be a number from 0 to 1"),
            (
                &item(json!({ "patterns": [{ "name": "a", "flags": "i" }] })),
                "guardrails.0.patterns.0.flags: not a field of a draft",
            ),
        ] {
            assert_eq!(parse(draft).unwrap_err(), error, "{draft}");
        }
    }
}
