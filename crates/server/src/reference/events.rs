//! Event types and their payloads.

use serde_json::Value;
use utoipa::PartialSchema;

use super::markdown::{cell, code, table};
use guardengine_integrations::events::{
    AlertPayload, AuditHeadPayload, ConnectorPayload, DecisionPayload, JobPayload, KINDS, ReviewPayload,
    ToolsPayload,
};

/// Description of each event type.
const REPORTS: [(&str, &str); 14] = [
    ("decision.masked", "A text may proceed with its personal data masked."),
    ("decision.blocked", "A text was blocked."),
    ("decision.challenged", "A prompt waits for the confirmation of its user."),
    ("decision.escalated", "A prompt waits for a reviewer."),
    ("review.decided", "A reviewer approved or denied an escalated prompt."),
    ("review.expired", "Nobody decided in time, so the prompt is denied."),
    ("credits.low", "The balance dropped below the configured `credits.low`; once per drop."),
    ("connector.error", "A connector failed."),
    ("connector.recovered", "A connector works again."),
    (
        "connector.tools_changed",
        "Tools of an MCP server changed; they are refused until somebody accepts them.",
    ),
    ("audit.head", "The newest entry of the audit trail, every hour in which it changed."),
    ("job.finished", "A job is done or failed."),
    ("alert.fired", "The condition of an alert rule holds."),
    ("alert.resolved", "It holds no longer."),
];

/// Payload fields of `credits.low`, which the store writes with the balance.
const CREDITS_FIELDS: [(&str, &str); 2] =
    [("balance", "Balance after the drop, in credits."), ("mark", "The threshold, in credits.")];

/// Every event type.
pub fn types() -> String {
    assert_eq!(REPORTS.map(|(kind, _)| kind), KINDS, "an event type has no description");
    table(&["`type`", "reports"], REPORTS.map(|(kind, reports)| vec![code(kind), cell(reports)]))
}

/// Payload fields of every event type.
pub fn fields() -> String {
    let payloads = [
        ("decision.*", described(&DecisionPayload::schema())),
        ("review.*", described(&ReviewPayload::schema())),
        ("credits.low", CREDITS_FIELDS.map(|(name, meaning)| (name.to_owned(), meaning.to_owned())).to_vec()),
        ("connector.error, connector.recovered", described(&ConnectorPayload::schema())),
        ("connector.tools_changed", described(&ToolsPayload::schema())),
        ("audit.head", described(&AuditHeadPayload::schema())),
        ("job.finished", described(&JobPayload::schema())),
        ("alert.*", described(&AlertPayload::schema())),
    ];
    let rows = payloads.iter().flat_map(|(kinds, fields)| {
        fields.iter().map(|(name, meaning)| vec![code(kinds), code(name), cell(meaning)])
    });
    table(&["`type`", "field of `data`", "meaning"], rows)
}

/// Names and descriptions of the fields of a schema.
fn described(schema: &impl serde::Serialize) -> Vec<(String, String)> {
    let schema = serde_json::to_value(schema).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    properties.iter().map(|(name, property)| (name.clone(), description(name, property))).collect()
}

fn description(name: &str, property: &Value) -> String {
    let description = property["description"].as_str();
    description.unwrap_or_else(|| panic!("the payload field {name} has no description")).to_owned()
}
