//! An event as it is answered, streamed and sent.

use guardengine_store::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

/// Something that happened; as a message, it is of the form that Standard Webhooks describes.
#[derive(Debug, Serialize, ToSchema)]
pub struct Event {
    /// Its id, the same however often it is told.
    pub event_id: Uuid,
    /// Its number in the organisation, in the order in which things became durable: a cursor.
    pub sequence: i64,
    /// Its kind: `decision.blocked`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    pub timestamp: Timestamp,
    /// For which project; null where it is for none.
    #[serde(rename = "projectId")]
    pub project_id: Option<Uuid>,
    /// What else there is to be told of its kind.
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
