//! The guard: evaluates a call under its policy and records the decision.
//!
//! Steps: project, policy, credits, scores, verdict, durable log entry.

pub mod classifier;
pub mod decision;
mod dry_run;
pub mod evaluate;
mod log_entry;
mod operation;
mod org_keys;
mod pipeline;
mod policy_cache;
mod policy_context;
mod read_attachments;
mod request;
mod second_opinion;
pub mod submission;
mod timing;

pub use dry_run::DryRun;
pub use operation::Operation;
pub use org_keys::OrgKeys;
pub use pipeline::{Guard, GuardDeps, text_aad, token_aad};
pub use policy_cache::PolicyCache;
pub use policy_context::PolicyContext;
pub use request::{ClientInfo, GuardRequest, PendingDecision, RecordedDecision};
