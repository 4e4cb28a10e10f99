//! A row as a message: the JSON that `GET /api/logs` answers, under the row's id.

use async_nats::jetstream::message::PublishMessage;
use guardengine_store::NumberedLog;

use super::standing::Outcome;
use crate::routes::logs::record::LogRecord;

/// The row's number in its organisation, for those who look for gaps.
pub const SEQUENCE: &str = "Guardengine-Sequence";
/// How many bytes of text were left out.
pub const TEXT_LEFT_OUT: &str = "Guardengine-Text-Left-Out";
/// More than headers and subject take.
const ENVELOPE: usize = 1024;

/// A row to be published.
pub struct Message {
    /// The row's id, which JetStream knows it by.
    pub id: String,
    /// The message.
    pub publish: PublishMessage,
    /// What becomes of the row when this arrives.
    pub outcome: Outcome,
}

impl Message {
    /// The row as a message of at most so many bytes, without its text where that is too long; `None` where it is too large
    /// even so.
    pub fn of(row: NumberedLog, largest: usize) -> serde_json::Result<Option<Self>> {
        let (id, number) = (row.log.id.to_string(), row.sequence.to_string());
        let length = row.log.text.as_ref().map_or(0, String::len);
        let publish = PublishMessage::build().message_id(&id).header(SEQUENCE, number);
        let record = LogRecord::from(row.log);
        let whole = serde_json::to_vec(&record)?;
        let fits = |body: &[u8]| body.len() + ENVELOPE <= largest;
        if fits(&whole) {
            return Ok(Some(Self { id, publish: publish.payload(whole.into()), outcome: Outcome::Exported }));
        }
        let rest = serde_json::to_vec(&record.without_text())?;
        let publish = publish.header(TEXT_LEFT_OUT, length.to_string());
        Ok(fits(&rest).then(|| Self {
            id,
            publish: publish.payload(rest.into()),
            outcome: Outcome::WithoutText,
        }))
    }
}
