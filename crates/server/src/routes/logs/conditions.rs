//! Filters with several values, and filters that leave values out: `decision=block&decision=mask`, `not_decision=allow`.

use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{LogCondition, LogField};
use serde_json::{Value, json};
use utoipa::IntoParams;

use super::filter::{DECISIONS, FEEDBACK, MAX_TEXT_LENGTH, OUTCOMES, RISKS, guardrail};

/// Values of a filter.
const MAX_VALUES: usize = 50;

/// Filters that take several values, and may leave values out.
const FIELDS: [(&str, &str, LogField); 10] = [
    ("decision", "not_decision", LogField::Decision),
    ("outcome", "not_outcome", LogField::Outcome),
    ("mark", "not_mark", LogField::Feedback),
    ("guardrail", "not_guardrail", LogField::Guardrail),
    ("risk", "not_risk", LogField::RiskLevel),
    ("source_app", "not_source_app", LogField::SourceApp),
    ("username", "not_username", LogField::Username),
    ("surface", "not_surface", LogField::Surface),
    ("principal", "not_principal", LogField::Principal),
    ("conversation_id", "not_conversation_id", LogField::Conversation),
];

/// Parameters that may be given several times.
pub const REPEATABLE: [&str; 20] = {
    let mut names = [""; 20];
    let mut at = 0;
    while at < FIELDS.len() {
        names[2 * at] = FIELDS[at].0;
        names[2 * at + 1] = FIELDS[at].1;
        at += 1;
    }
    names
};

/// Values that log entries must not have. Each parameter may be given several times.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes parameters that are parsed by hand")]
pub struct LogExclusionQuery {
    /// Decisions to leave out.
    #[param(value_type = Option<Vec<guardengine_api_types::choices::Decision>>, inline)]
    not_decision: Option<Vec<String>>,
    /// Outcomes to leave out.
    #[param(value_type = Option<Vec<guardengine_api_types::choices::LogOutcome>>, inline)]
    not_outcome: Option<Vec<String>>,
    /// Feedback to leave out.
    #[param(value_type = Option<Vec<guardengine_api_types::choices::FeedbackMark>>, inline)]
    not_mark: Option<Vec<String>>,
    /// Guardrails and rules that must not have triggered.
    #[param(value_type = Option<Vec<crate::schemas::GuardrailOrRule>>, inline)]
    not_guardrail: Option<Vec<String>>,
    /// Risk levels to leave out.
    #[param(value_type = Option<Vec<guardengine_api_types::choices::RiskLevel>>, inline)]
    not_risk: Option<Vec<String>>,
    /// Source applications to leave out.
    not_source_app: Option<Vec<String>>,
    /// End users to leave out.
    not_username: Option<Vec<String>>,
    /// Interfaces to leave out.
    not_surface: Option<Vec<String>>,
    /// Callers to leave out.
    not_principal: Option<Vec<String>>,
    /// Conversations to leave out.
    not_conversation_id: Option<Vec<String>>,
}

/// Returns whether a parameter has several values.
pub fn is_repeated(fields: Fields<'_>, name: &str) -> bool {
    matches!(fields.get(name), Some(Value::Array(_)))
}

/// Reads the conditions of a query.
pub fn of(fields: Fields<'_>) -> Result<Vec<LogCondition>, FieldError> {
    let mut conditions = Vec::new();
    for (included, excluded, field) in FIELDS {
        if is_repeated(fields, included) {
            let values = values(fields, included, field)?;
            conditions.push(LogCondition { field, values, excludes: false });
        }
        if fields.get(excluded).is_some() {
            let values = values(fields, excluded, field)?;
            conditions.push(LogCondition { field, values, excludes: true });
        }
    }
    Ok(conditions)
}

fn values(fields: Fields<'_>, name: &str, field: LogField) -> Result<Vec<String>, FieldError> {
    let given = match fields.get(name) {
        Some(Value::Array(several)) => several.as_slice(),
        Some(one) => std::slice::from_ref(one),
        None => &[],
    };
    if given.len() > MAX_VALUES {
        return Err(FieldError::value(name, format!("must have at most {MAX_VALUES} values")));
    }
    given.iter().map(|value| checked(name, field, value)).collect()
}

/// Returns a value that the filter of its field accepts.
fn checked(name: &str, field: LogField, value: &Value) -> Result<String, FieldError> {
    if field == LogField::Guardrail {
        let one = json!({ "guardrail": value });
        let read = guardrail(Fields::of(&one, name)?)?;
        return read.ok_or_else(|| FieldError::required(name));
    }
    let one = json!({ name: value });
    let fields = Fields::of(&one, name)?;
    let read = match field {
        LogField::Decision => fields.choice(name, &DECISIONS)?,
        LogField::Outcome => fields.choice(name, &OUTCOMES)?,
        LogField::Feedback => fields.choice(name, &FEEDBACK)?,
        LogField::RiskLevel => fields.choice(name, &RISKS)?,
        _ => fields.short_string(name, MAX_TEXT_LENGTH)?,
    };
    read.map(str::to_owned).ok_or_else(|| FieldError::required(name))
}

/// Returns conditions for the audit trail, by the names of their parameters.
pub fn audited(conditions: &[LogCondition]) -> impl Iterator<Item = (String, Value)> {
    conditions.iter().filter_map(|condition| {
        let (included, excluded, _) = FIELDS.iter().find(|(.., field)| *field == condition.field)?;
        let name = if condition.excludes { excluded } else { included };
        Some(((*name).to_owned(), json!(condition.values)))
    })
}
