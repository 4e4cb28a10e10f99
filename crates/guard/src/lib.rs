//! The guard: one evaluation, from the request to its durable log entry.
//!
//! Steps: project, policy, credits, scores, verdict, log entry. [`Guard`] owns the policy cache, the classifier, the
//! workers that read images and audio, the journal that makes decisions durable, and the spool that holds them while the
//! database is unavailable. It never sees HTTP: a surface builds a [`GuardRequest`] and turns the decision into its answer.

mod answer_stream;
mod associated_data;
pub mod attachments;
mod audio_decision;
pub mod autonomous;
mod classifier;
mod degraded;
mod dry_run;
mod error;
pub mod evaluate;
mod evaluated_turns;
mod exchange;
mod fair_queue;
mod guard;
mod jobs;
mod journal;
mod labels;
mod log_entry;
mod operation;
mod org_keys;
pub mod outcome_counter;
mod pipeline;
mod policy_cache;
mod policy_context;
mod processors;
mod request;
mod scoring;
mod second_opinion;
mod settings;
mod several;
pub mod split_turns;
mod stage_history;
mod status;
pub mod submission;
mod timing;
mod traces;
mod unmask;

pub use answer_stream::{AnswerStream, SharedAnswer, TextForm, TextKey};
pub use associated_data::{text_aad, token_aad};
pub use audio_decision::AudioDecision;
pub use classifier::classifier;
pub use dry_run::DryRun;
pub use error::Error;
pub use guard::{Guard, GuardDeps};
pub use jobs::SealedFile;
pub use operation::Operation;
pub use org_keys::OrgKeys;
pub use policy_cache::PolicyCache;
pub use policy_context::PolicyContext;
pub use request::{
    ClientInfo, GuardRequest, NATIVE, PendingDecision, RecordedDecision, TokenUsage, UpstreamCall,
};
pub use settings::{Costs, GuardSettings, MediaSettings, ModelSettings, SpoolSettings};
pub use stage_history::StageLatency;
pub use status::{CacheState, QueueState};
pub use traces::Traces;
pub use unmask::Restored;
