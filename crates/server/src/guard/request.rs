//! A guard call, and what becomes of it.

use std::{sync::Arc, time::Instant};

use guardengine_engine::{Asked, policy::Compiled};
use guardengine_store::{NewTicket, Timestamp};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    Operation, evaluate::Evaluation, policy_context::PolicyContext, submission::Submission,
    timing::StageTimings,
};
use crate::{
    clock::Clock,
    http::{CorrelationId, Principal},
    media::Attachments,
    vault::OrgKeys,
};

/// What a caller tells of where the text comes from, for the log alone.
#[derive(Clone, Debug, Default, ToSchema)]
pub struct ClientInfo {
    /// The application.
    pub source_app: Option<String>,
    /// Where in it.
    pub context: Option<String>,
    /// The end user's device.
    pub device_id: Option<String>,
    /// The end user.
    pub username: Option<String>,
    /// The conversation.
    pub conversation_id: Option<String>,
}

/// A guard call.
pub struct GuardRequest {
    /// What is asked for.
    pub operation: Operation,
    /// Who asks.
    pub caller: Principal,
    /// Under which project's policy; the built-in one without.
    pub project_id: Option<Uuid>,
    /// What is judged.
    pub submission: Submission,
    /// Pictures and recordings that are not read yet.
    pub attached: Attachments,
    /// What the request asks for beyond the policy.
    pub asked: Asked,
    /// Whether a language model is asked for an opinion.
    pub reasoning: bool,
    /// Where it comes from.
    pub sender: ClientInfo,
    /// The request's id.
    pub correlation_id: String,
    /// When it came, by the clock.
    pub now: Timestamp,
    /// When it came, for the time it takes.
    pub began: Instant,
}

impl GuardRequest {
    /// A call that has just come in, under the built-in policy.
    pub fn new(clock: &Clock, caller: Principal, operation: Operation, submission: Submission) -> Self {
        Self {
            operation,
            caller,
            project_id: None,
            submission,
            attached: Attachments::default(),
            asked: Asked::default(),
            reasoning: false,
            sender: ClientInfo::default(),
            correlation_id: CorrelationId::current().as_str().to_owned(),
            now: clock.now(),
            began: Instant::now(),
        }
    }
}

/// A call decided. Nothing of it is written or charged until it is kept.
pub struct PendingDecision {
    /// The call.
    pub call: GuardRequest,
    /// The judgement.
    pub judged: Evaluation,
    /// The row that it will have.
    pub log_id: Uuid,
    /// The organisation's keys.
    pub keys: Arc<OrgKeys>,
    pub(super) standing: PolicyContext,
    pub(super) cost: i64,
    pub(super) spent: StageTimings,
}

/// A call answered, with its row durable.
pub struct RecordedDecision {
    /// The judgement.
    pub judged: Evaluation,
    /// The row.
    pub log_id: Uuid,
    /// How long it took, milliseconds.
    pub processing_time_ms: u64,
    /// The model that scored.
    pub model_version: String,
    /// The policy that decided.
    pub policy: Arc<Compiled>,
    /// The tickets that wait to be sent.
    pub tickets: Vec<NewTicket>,
}
