//! A spooled decision, as stored in the spool file.

use guardengine_store::{Aftermath, Decision, Log, LogDetail, NewEvent, NewTicket, PiiToken};
use serde::{Deserialize, Serialize};

/// A spooled decision. Decisions with challenges, reviews or trust updates are never spooled, because these exist only
/// in the store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    log: Log,
    detail: LogDetail,
    operation: String,
    tokens: Vec<PiiToken>,
    /// Tickets without a connector yet; the connector is looked up on replay.
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
