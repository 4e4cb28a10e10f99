//! JSON form of an event, in responses, streams and webhook messages.

use guardengine_store::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::BaseUrl;

/// An event, in the message format of Standard Webhooks.
#[derive(Debug, Serialize, ToSchema)]
pub struct Event {
    /// Event id. Repeated deliveries carry the same id.
    pub event_id: Uuid,
    /// Position in the organization's event feed, in commit order. Use it as a cursor.
    pub sequence: i64,
    /// Event type, such as `decision.blocked`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Time of the event.
    #[schema(value_type = String, format = DateTime)]
    pub timestamp: Timestamp,
    /// Project of the event. Null if it concerns no project.
    #[serde(rename = "projectId")]
    pub project_id: Option<Uuid>,
    /// Link to the subject of the event in the web console. Absent if `base_url` is not configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, nullable = false)]
    pub url: Option<String>,
    /// Event payload. The fields depend on `type`.
    pub data: Map<String, Value>,
}

impl Event {
    /// Converts a stored event, with a link that begins with `base`.
    pub fn new(event: guardengine_store::Event, base: &BaseUrl) -> Self {
        let data: Map<String, Value> = serde_json::from_str(&event.payload).unwrap_or_default();
        Self {
            event_id: event.id,
            sequence: event.sequence,
            url: page(&event.kind, &data).and_then(|page| base.page(&page)),
            kind: event.kind,
            timestamp: event.created_at,
            project_id: event.project_id,
            data,
        }
    }
}

/// Returns the page of the console that shows the subject of an event.
fn page(kind: &str, data: &Map<String, Value>) -> Option<String> {
    let entry = data.get("log_id").and_then(Value::as_str);
    match kind.split('.').next()? {
        "review" => Some("/reviews".to_owned()),
        "alert" => Some("/alerts".to_owned()),
        "connector" => Some("/connectors".to_owned()),
        "credits" => Some("/credits".to_owned()),
        _ => entry.map(|id| format!("/logs?entry={id}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_link_to_their_subject() {
        let base = BaseUrl::parse("https://host.example/guard").unwrap();
        let link = |kind: &str, payload: &str| {
            let event = guardengine_store::Event {
                sequence: 1,
                id: Uuid::nil(),
                created_at: Timestamp::default(),
                kind: kind.to_owned(),
                project_id: None,
                payload: payload.to_owned(),
            };
            serde_json::to_value(Event::new(event, &base)).unwrap()["url"].clone()
        };
        assert_eq!(link("decision.blocked", r#"{"log_id":"7"}"#), "https://host.example/guard/logs?entry=7");
        assert_eq!(link("review.decided", r#"{"log_id":"7"}"#), "https://host.example/guard/reviews");
        assert_eq!(link("credits.low", "{}"), "https://host.example/guard/credits");
        assert_eq!(link("alert.fired", "{}"), "https://host.example/guard/alerts");
        assert_eq!(link("other", "{}"), Value::Null);
    }
}
