//! Parses a policy document, field by field in documented order.

use serde_json::Value;

use super::{CoverageRule, GuardrailConfig, LlmReasoning, Mode, Policy};
use crate::{
    detectors,
    fields::{FieldError, Fields},
    guardrail::{Action, Guardrail},
    settings::Settings,
    sources::{Source, Sources},
};

const MOST_KEYWORDS: usize = 10_000;
const LONGEST_KEYWORD: usize = 500;
const MOST_EXCEPTIONS: usize = 1_000;
const LONGEST_DESCRIPTION: usize = 5_000;

pub(super) fn policy(json: &Value) -> Result<Policy, FieldError> {
    let fields = Fields::of(json, "body")?;
    let name = fields.required_text("policyName", 100)?.to_owned();
    let description =
        fields.short_string("policyDescription", LONGEST_DESCRIPTION)?.unwrap_or_default().to_owned();
    let modes = [("input", Mode::Input), ("output", Mode::Output), ("unified", Mode::Unified)];
    let mode = fields.choice("policyMode", &modes)?.unwrap_or_default();
    let guardrails = items(fields)?;
    let max_prompt_length = fields
        .integer("max_prompt_length", 1..=1_000_000)?
        .map_or(Policy::MAX_PROMPT_LENGTH, |length| length as u32);
    let list = |field| fields.strings(field, MOST_KEYWORDS, LONGEST_KEYWORD).map(Option::unwrap_or_default);
    Ok(Policy {
        name,
        description,
        mode,
        guardrails,
        max_prompt_length,
        allowed_keywords: list("allowed_keywords")?,
        blocked_keywords: list("blocked_keywords")?,
        false_positive_budget: fields.number("false_positive_budget", 0.0005..=0.1)?,
        compliance_region: fields.short_string("compliance_region", 100)?.map(str::to_owned),
        compliance_frameworks: fields.strings("compliance_frameworks", 100, 100)?.unwrap_or_default(),
        llm_reasoning: llm_reasoning(fields)?,
        incomplete_coverage: incomplete_coverage(fields)?,
    })
}

fn incomplete_coverage(fields: Fields<'_>) -> Result<CoverageRule, FieldError> {
    let Some(json) = fields.get("incomplete_coverage") else { return Ok(CoverageRule::default()) };
    let action = Fields::of(json, "incomplete_coverage")?.choice("action", &Action::ALL);
    let action = action.map_err(|error| error.under("incomplete_coverage"))?.unwrap_or_default();
    Ok(CoverageRule { action })
}

fn llm_reasoning(fields: Fields<'_>) -> Result<Option<LlmReasoning>, FieldError> {
    let Some(json) = fields.get("llm_reasoning") else { return Ok(None) };
    let fields = Fields::of(json, "llm_reasoning")?;
    let read = || {
        let connector_id = fields.string("connector_id")?.map(str::to_owned);
        if connector_id.as_deref().is_some_and(|id| !is_uuid(id)) {
            return Err(FieldError::uuid("connector_id"));
        }
        let may_lower = fields.probability("may_lower")?.unwrap_or_default();
        if may_lower > LlmReasoning::WIDEST {
            return Err(FieldError::value("may_lower", "must be a number from 0 to 0.2"));
        }
        Ok(LlmReasoning { connector_id, may_lower })
    };
    read().map(Some).map_err(|fault: FieldError| fault.under("llm_reasoning"))
}

fn items(fields: Fields<'_>) -> Result<Vec<GuardrailConfig>, FieldError> {
    let mut items: Vec<GuardrailConfig> = Vec::new();
    for (at, json) in fields.array("guardrails", 100)?.unwrap_or_default().iter().enumerate() {
        let path = format!("guardrails.{at}");
        let item =
            Fields::of(json, &path).and_then(|fields| item(fields).map_err(|fault| fault.under(&path)))?;
        if items.iter().any(|earlier| earlier.guardrail == item.guardrail) {
            return Err(FieldError::value(
                format!("{path}.guardrail"),
                "must not repeat a guardrail of this policy",
            ));
        }
        items.push(item);
    }
    Ok(items)
}

fn item(fields: Fields<'_>) -> Result<GuardrailConfig, FieldError> {
    let name = fields.required_string("guardrail")?;
    let guardrail = detectors::detector(name).ok_or_else(unknown_guardrail)?.guardrail();
    let mut item = GuardrailConfig::of(guardrail);
    fields
        .short_string("description", LONGEST_DESCRIPTION)?
        .unwrap_or_default()
        .clone_into(&mut item.description);
    let threshold = fields.probability("threshold")?;
    item.enabled = fields.boolean("enabled")?.unwrap_or(true);
    item.action = fields.choice("action", &Action::ALL)?.unwrap_or(guardrail.default_action);
    item.ticket = ticket(fields)?;
    item.applies_to = applies_to(fields)?;
    item.exceptions = exceptions(fields, guardrail)?;
    item.settings = Settings::read(fields, guardrail.settings)?;
    let masking = guardrail.masks.filter(|masking| item.settings.is_on(masking.switch));
    let default = masking.map_or(guardrail.default_threshold, |masking| masking.default_threshold);
    item.threshold = threshold.unwrap_or(default);
    Ok(item)
}

fn applies_to(fields: Fields<'_>) -> Result<Option<Sources>, FieldError> {
    let Some(names) = fields.strings("applies_to", Source::ALL.len(), 20)? else { return Ok(None) };
    let all = || Source::ALL.map(|(name, _)| name).join(", ");
    let source = |(at, name): (usize, &String)| {
        let known = Source::ALL.iter().find(|(known, _)| known == name);
        let error = || FieldError::value(format!("applies_to.{at}"), format!("must be one of {}", all()));
        known.map(|(_, source)| *source).ok_or_else(error)
    };
    if names.is_empty() {
        return Err(FieldError::value("applies_to", format!("must have at least one of {}", all())));
    }
    names
        .iter()
        .enumerate()
        .map(source)
        .collect::<Result<Vec<_>, _>>()
        .map(|sources| Some(Sources::of(sources)))
}

fn exceptions(fields: Fields<'_>, guardrail: &Guardrail) -> Result<Vec<String>, FieldError> {
    let words = fields.strings("exceptions", MOST_EXCEPTIONS, LONGEST_KEYWORD)?.unwrap_or_default();
    if guardrail.masks.is_some() && !words.is_empty() {
        let accepted = format!("must be empty for {}: policies are kept in clear", guardrail.name);
        return Err(FieldError::value("exceptions", accepted));
    }
    Ok(words)
}

fn ticket(fields: Fields<'_>) -> Result<Option<Value>, FieldError> {
    let Some(ticket) = fields.get("ticket") else { return Ok(None) };
    let connector = Fields::of(ticket, "ticket")?.required_string("connector_id");
    let check = |id| if is_uuid(id) { Ok(()) } else { Err(FieldError::uuid("connector_id")) };
    connector.and_then(check).map_err(|fault| fault.under("ticket"))?;
    Ok(Some(ticket.clone()))
}

/// Groups of 8, 4, 4, 4 and 12 hexadecimal digits (RFC 9562, section 4).
fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12] && groups.concat().bytes().all(|digit| digit.is_ascii_hexdigit())
}

fn unknown_guardrail() -> FieldError {
    let names: Vec<_> = detectors::DETECTORS.iter().map(|detector| detector.guardrail().name).collect();
    FieldError::value("guardrail", format!("must be one of {}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn told(ticket: &Value) -> Option<String> {
        let item = json!({ "guardrail": "pii", "ticket": ticket });
        let read = policy(&json!({ "policyName": "a", "guardrails": [item] }));
        read.err().map(|fault| fault.to_string())
    }

    #[test]
    fn a_language_model_may_lower_by_a_little_at_most() {
        let told = |reasoning: Value| {
            let read = policy(&json!({ "policyName": "a", "llm_reasoning": reasoning }));
            read.map(|policy| policy.llm_reasoning).map_err(|fault| fault.to_string())
        };
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        let read = |connector_id: Option<&str>, may_lower| {
            Ok(Some(LlmReasoning { connector_id: connector_id.map(str::to_owned), may_lower }))
        };
        assert_eq!(told(json!(null)), Ok(None));
        assert_eq!(told(json!({})), read(None, 0.0));
        assert_eq!(told(json!({ "may_lower": 0.2, "connector_id": id })), read(Some(id), 0.2));
        for may_lower in [json!(0.21), json!(1)] {
            let told = told(json!({ "may_lower": may_lower })).unwrap_err();
            assert_eq!(told, "llm_reasoning.may_lower: must be a number from 0 to 0.2");
        }
        let told = told(json!({ "connector_id": "7" })).unwrap_err();
        assert_eq!(told, "invalid UUID format: llm_reasoning.connector_id");
    }

    #[test]
    fn what_was_not_read_is_blocked_unless_a_policy_says_otherwise() {
        let action_of = |rule: Value| {
            let read = policy(&json!({ "policyName": "a", "incomplete_coverage": rule }));
            read.map(|policy| policy.incomplete_coverage.action).map_err(|error| error.to_string())
        };
        for rule in [json!(null), json!({}), json!({ "action": "block" })] {
            assert_eq!(action_of(rule), Ok(Action::Block));
        }
        assert_eq!(action_of(json!({ "action": "Escalate" })), Ok(Action::Escalate));
        assert!(
            action_of(json!({ "action": "mask" })).unwrap_err().starts_with("incomplete_coverage.action: ")
        );
        assert_eq!(action_of(json!("Block")).unwrap_err(), "incomplete_coverage: must be an object");
        let mut earlier = serde_json::to_value(Policy::built_in()).unwrap();
        earlier.as_object_mut().unwrap().remove("incomplete_coverage");
        let earlier: Policy = serde_json::from_value(earlier).unwrap();
        assert_eq!(earlier.incomplete_coverage.action, Action::Allow);
    }

    #[test]
    fn personal_data_has_no_exceptions_that_would_be_kept_in_clear() {
        let told = |guardrail: &str, words: Value| {
            let item = json!({ "guardrail": guardrail, "exceptions": words });
            let read = policy(&json!({ "policyName": "a", "guardrails": [item] }));
            read.map(|policy| policy.guardrails[0].exceptions.clone()).map_err(|fault| fault.to_string())
        };
        assert_eq!(told("spam", json!(["free seats"])), Ok(vec!["free seats".to_owned()]));
        assert_eq!(told("pii", json!([])), Ok(Vec::new()));
        let refused = "guardrails.0.exceptions: must be empty for pii: policies are kept in clear";
        assert_eq!(told("pii", json!(["jane@example.com"])).unwrap_err(), refused);
    }

    #[test]
    fn a_ticket_names_its_connector_by_id() {
        assert_eq!(
            told(&json!({ "connector_id": "01890a5d-ac96-774b-bcce-b302099a8057", "priority": 1 })),
            None
        );
        assert_eq!(told(&json!(null)), None);
        let wrong = "invalid UUID format: guardrails.0.ticket.connector_id";
        assert_eq!(told(&json!({ "connector_id": "7" })).as_deref(), Some(wrong));
        let missing = "field required: guardrails.0.ticket.connector_id";
        assert_eq!(told(&json!({})).as_deref(), Some(missing));
        assert_eq!(told(&json!("x")).as_deref(), Some("guardrails.0.ticket: must be an object"));
    }
}
