//! JSON form of an event, in responses, streams and webhook messages.

use guardengine_store::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

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
    /// Event payload. The fields depend on `type`.
    pub data: Map<String, Value>,
}

impl From<guardengine_store::Event> for Event {
    fn from(event: guardengine_store::Event) -> Self {
        Self {
            event_id: event.id,
            sequence: event.sequence,
            kind: event.kind,
            timestamp: event.created_at,
            project_id: event.project_id,
            data: serde_json::from_str(&event.payload).unwrap_or_default(),
        }
    }
}
