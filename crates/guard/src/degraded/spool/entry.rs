//! A spooled decision, as stored in the spool file.

use guardengine_store::{
    DecisionRecord, LogEntry, LogEntryDetails, NewEvent, NewTicket, PiiToken, SideEffects,
};
use serde::{Deserialize, Serialize};

/// A spooled decision. Decisions with challenges, reviews or trust updates are never spooled, because these exist only
/// in the store.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Entry {
    log: LogEntry,
    detail: LogEntryDetails,
    operation: String,
    tokens: Vec<PiiToken>,
    /// Tickets without a connector yet; the connector is looked up on replay.
    tickets: Vec<NewTicket>,
    event: Option<NewEvent>,
    low_credits: i64,
}

impl From<DecisionRecord> for Entry {
    fn from(decision: DecisionRecord) -> Self {
        let DecisionRecord { log, detail, operation, tokens, side_effects, low_credits } = decision;
        let SideEffects { tickets, event, .. } = side_effects;
        Self { log, detail, operation, tokens, tickets, event, low_credits }
    }
}

impl From<Entry> for DecisionRecord {
    fn from(entry: Entry) -> Self {
        let Entry { log, detail, operation, tokens, tickets, event, low_credits } = entry;
        let side_effects = SideEffects { tickets, event, ..SideEffects::default() };
        Self { log, detail, operation, tokens, side_effects, low_credits }
    }
}
