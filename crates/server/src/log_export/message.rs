//! A row as a message: the JSON that `GET /api/logs` answers, under the row's id.

use guardengine_store::{NumberedLog, Timestamp};

use super::status::Outcome;
use crate::routes::logs::response::LogRecord;

/// The header of the row's number in its organisation, for those who look for gaps.
pub const SEQUENCE: &str = "Guardengine-Sequence";
/// The header of how many bytes of text were left out.
pub const TEXT_LEFT_OUT: &str = "Guardengine-Text-Left-Out";

/// A row to be published.
pub struct Message {
    /// The row's id, which is its message's too.
    pub id: String,
    /// The row's number in its organisation.
    pub sequence: String,
    /// When the request came.
    pub made: Timestamp,
    /// The row in JSON.
    pub body: Vec<u8>,
    /// How many bytes of text were left out, where that was done.
    pub left_out: Option<usize>,
    /// Bytes of its text.
    text: usize,
    record: LogRecord,
}

impl Message {
    /// The row as it is.
    pub fn of(row: NumberedLog) -> serde_json::Result<Self> {
        let (id, made) = (row.log.id.to_string(), row.log.created_at);
        let text = row.log.text.as_ref().map_or(0, String::len);
        let record = LogRecord::from(row.log);
        let body = serde_json::to_vec(&record)?;
        Ok(Self { id, sequence: row.sequence.to_string(), made, body, left_out: None, text, record })
    }

    /// The row without what it keeps of the text.
    pub fn leave_text_out(&mut self) -> serde_json::Result<()> {
        self.record.leave_text_out();
        self.body = serde_json::to_vec(&self.record)?;
        self.left_out = Some(self.text);
        Ok(())
    }

    /// What becomes of the row when this arrives.
    pub const fn outcome(&self) -> Outcome {
        if self.left_out.is_some() { Outcome::WithoutText } else { Outcome::Exported }
    }
}

#[cfg(test)]
impl Message {
    /// A row of this number with this text.
    pub fn with_text(sequence: i64, text: &str) -> Self {
        let log = guardengine_store::Log {
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
            conversation_id: None,
            text: Some(text.into()),
            lang_code: None,
            processing_time_ms: 1,
            credits: 1,
            correlation_id: "c".into(),
            model_version: "m".into(),
            mark: None,
        };
        Self::of(NumberedLog { sequence, log }).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_how_much_text_was_left_out_and_keeps_the_rest() {
        let mut message = Message::with_text(7, "Grüße");
        let read = |message: &Message| serde_json::from_slice::<serde_json::Value>(&message.body).unwrap();
        let whole = read(&message);
        assert_eq!((message.outcome(), &whole["text"]), (Outcome::Exported, &"Grüße".into()));
        message.leave_text_out().unwrap();
        let rest = read(&message);
        assert_eq!((message.outcome(), message.left_out), (Outcome::WithoutText, Some(7)));
        assert!(rest["text"].is_null() && rest["log_id"] == whole["log_id"]);
    }
}
