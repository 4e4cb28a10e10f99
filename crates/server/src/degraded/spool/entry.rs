//! A row that waits, as it stands in the file.

use guardengine_store::{Aftermath, Decision, Log, LogDetail, NewEvent, NewTicket, PiiToken};
use serde::{Deserialize, Serialize};

/// A row with what belongs to it. What a challenge, a review or trust needs stands in the store alone, so that such
/// decisions are never spooled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    log: Log,
    detail: LogDetail,
    operation: String,
    tokens: Vec<PiiToken>,
    /// Not addressed yet.
    tickets: Vec<NewTicket>,
    event: Option<NewEvent>,
    low_credits: i64,
}

impl From<Decision> for Entry {
    fn from(decision: Decision) -> Self {
        let Decision { log, detail, operation, tokens, aftermath, low_credits } = decision;
        let Aftermath { tickets, event, .. } = aftermath;
        Self { log, detail, operation, tokens, tickets, event, low_credits }
    }
}

impl From<Entry> for Decision {
    fn from(entry: Entry) -> Self {
        let Entry { log, detail, operation, tokens, tickets, event, low_credits } = entry;
        let aftermath = Aftermath { tickets, event, ..Aftermath::default() };
        Self { log, detail, operation, tokens, aftermath, low_credits }
    }
}
