//! A log entry as an export message: the JSON of `GET /api/logs`, identified by the entry's id.

use guardengine_api_types::LogRecord;
use guardengine_store::{SequencedLogEntry, Timestamp};

use crate::status::Outcome;

/// Header with the entry's sequence number in its organization. Consumers can use it to detect gaps.
pub const SEQUENCE: &str = "Guardengine-Sequence";
/// Header with the number of text bytes that were left out.
pub const TEXT_LEFT_OUT: &str = "Guardengine-Text-Left-Out";

/// A log entry to publish.
pub struct Message {
    /// Id of the log entry and of the message.
    pub id: String,
    /// Sequence number in the organization.
    pub sequence: String,
    /// Time of the request.
    pub created_at: Timestamp,
    /// The log entry as JSON.
    pub body: Vec<u8>,
    /// Number of text bytes left out, if any.
    pub left_out: Option<usize>,
    /// Bytes of the text.
    text_bytes: usize,
    record: LogRecord,
}

impl Message {
    /// Creates a message with the complete log entry.
    pub fn of(entry: SequencedLogEntry) -> serde_json::Result<Self> {
        let (id, created_at) = (entry.log.id.to_string(), entry.log.created_at);
        let text_bytes = entry.log.text.as_ref().map_or(0, String::len);
        let record = LogRecord::from(entry.log);
        let body = serde_json::to_vec(&record)?;
        Ok(Self {
            id,
            sequence: entry.sequence.to_string(),
            created_at,
            body,
            left_out: None,
            text_bytes,
            record,
        })
    }

    /// Removes the text, for entries that are too large.
    pub fn leave_text_out(&mut self) -> serde_json::Result<()> {
        self.record.leave_text_out();
        self.body = serde_json::to_vec(&self.record)?;
        self.left_out = Some(self.text_bytes);
        Ok(())
    }

    /// Returns the outcome of a successful publication.
    pub const fn outcome(&self) -> Outcome {
        if self.left_out.is_some() { Outcome::WithoutText } else { Outcome::Exported }
    }
}

#[cfg(test)]
impl Message {
    /// Creates a message with this sequence number and text.
    pub fn with_text(sequence: i64, text: &str) -> Self {
        let log = guardengine_store::LogEntry {
            org_id: uuid::Uuid::nil(),
            id: uuid::Uuid::from_u128(sequence as u128),
            created_at: Timestamp::from_micros(sequence * 1_000_999),
            endpoint: "analyze".into(),
            direction: "input".into(),
            project_id: None,
            project_name: None,
            policy_id: None,
            policy_version: None,
            decision: "allow".into(),
            shadow_decision: None,
            outcome: "allowed".into(),
            triggered_guardrails: "[]".into(),
            confidence: 1.0,
            safety_score: 100,
            risk_level: "no_risk".into(),
            reason: None,
            source_app: None,
            context: None,
            device_id: None,
            username: None,
            principal: "user:admin".into(),
            user_id: None,
            conversation_id: None,
            text: Some(text.into()),
            lang_code: None,
            processing_time_ms: 1,
            credits: 1,
            correlation_id: "c".into(),
            model_version: "m".into(),
            feedback: None,
            surface: "native".into(),
            foreign_id: None,
            prompt_tokens: None,
            completion_tokens: None,
            upstream_time_ms: None,
        };
        Self::of(SequencedLogEntry { sequence, log }).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_out_the_text_and_reports_its_length() {
        let mut message = Message::with_text(7, "Grüße");
        let read = |message: &Message| serde_json::from_slice::<serde_json::Value>(&message.body).unwrap();
        let complete = read(&message);
        assert_eq!((message.outcome(), &complete["text"]), (Outcome::Exported, &"Grüße".into()));
        message.leave_text_out().unwrap();
        let without_text = read(&message);
        assert_eq!((message.outcome(), message.left_out), (Outcome::WithoutText, Some(7)));
        assert!(without_text["text"].is_null() && without_text["log_id"] == complete["log_id"]);
    }
}
