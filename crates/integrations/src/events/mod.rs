//! Events: the feed of decisions, reviews, credits, connectors and audit trails.
//!
//! An event is written in the same transaction as the change that it reports (`payloads`).

mod payloads;
mod review_expiry;
mod types;

pub use payloads::{
    AlertPayload, AuditHeadPayload, ConnectorPayload, DecisionPayload, JobPayload, ReviewPayload,
    ToolsPayload, of_alert, of_audit_head, of_changed_tools, of_connector, of_decision, of_job, of_ruling,
};
pub use review_expiry::emit_expired;
pub use types::{KINDS, choices};
