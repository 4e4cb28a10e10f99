//! A guard call, its pending decision and its recorded decision.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use guardengine_auth::Principal;
use guardengine_engine::{RequestOptions, policy::CompiledPolicy};
use guardengine_store::{NewTicket, Timestamp};
use opentelemetry::KeyValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    Operation, attachments::Attachments, evaluate::Evaluation, org_keys::OrgKeys,
    policy_context::PolicyContext, submission::Submission, timing::StageTimings,
};

/// Origin of the text as the caller reports it. Stored in the log; does not affect the decision.
#[derive(Clone, Debug, Default, ToSchema)]
pub struct ClientInfo {
    /// Name of the calling application.
    pub source_app: Option<String>,
    /// Place within the application.
    pub context: Option<String>,
    /// Identifier of the end user's device.
    pub device_id: Option<String>,
    /// Name of the end user.
    pub username: Option<String>,
    /// Identifier of the conversation.
    pub conversation_id: Option<String>,
}

/// Surface of the service's own endpoints.
pub const NATIVE: &str = "native";

/// A guard call.
pub struct GuardRequest {
    /// The operation.
    pub operation: Operation,
    /// The authenticated caller.
    pub caller: Principal,
    /// Project that the request names.
    pub project_id: Option<Uuid>,
    /// The texts to evaluate.
    pub submission: Submission,
    /// Images and audio that are not read yet.
    pub attached: Attachments,
    /// Options of the request beyond the policy.
    pub asked: RequestOptions,
    /// True if the request enables a second opinion.
    pub reasoning: bool,
    /// Origin of the text.
    pub sender: ClientInfo,
    /// Interface that took the call: [`NATIVE`], or the name of a foreign one.
    pub surface: &'static str,
    /// Identifier that the caller gave the call in a foreign interface.
    pub foreign_id: Option<String>,
    /// Units of text that the caller paid for with earlier calls about the same texts.
    pub units_paid: i64,
    /// Price, if it was paid when the call was accepted as a job.
    pub prepaid: Option<i64>,
    /// Correlation id of the request.
    pub correlation_id: String,
    /// Wall-clock time of arrival.
    pub now: Timestamp,
    /// Monotonic time of arrival, for durations.
    pub began: Instant,
}

impl GuardRequest {
    /// Returns the project whose policy applies: the request's, else the one that the API key is bound to.
    pub fn project(&self) -> Option<Uuid> {
        self.project_id.or(self.caller.project_id)
    }

    /// Creates a call that arrives at `now`, under the built-in policy.
    pub fn new(
        now: Timestamp,
        caller: Principal,
        operation: Operation,
        submission: Submission,
        correlation_id: String,
    ) -> Self {
        Self {
            operation,
            caller,
            project_id: None,
            submission,
            attached: Attachments::default(),
            asked: RequestOptions::default(),
            reasoning: false,
            sender: ClientInfo::default(),
            surface: NATIVE,
            foreign_id: None,
            units_paid: 0,
            prepaid: None,
            correlation_id,
            now,
            began: Instant::now(),
        }
    }
}

/// A decision that is neither written nor charged until [`Guard::record`](super::Guard::record).
pub struct PendingDecision {
    /// The call.
    pub call: Arc<GuardRequest>,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The id of its log entry.
    pub log_id: Uuid,
    /// The organization's keys.
    pub keys: Arc<OrgKeys>,
    pub(crate) context: Arc<PolicyContext>,
    pub(crate) cost: i64,
    pub(crate) units: i64,
    pub(crate) timings: StageTimings,
    /// Time between arrival and decision that was spent elsewhere.
    pub(crate) waited: Duration,
    /// The call of a model that it led to.
    pub(crate) upstream: Option<UpstreamCall>,
}

/// A call of a model behind the gateway.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpstreamCall {
    /// Time spent waiting for the model.
    pub model_time: Duration,
    /// Time spent waiting for the client to take the answer.
    pub client_time: Duration,
    /// Tokens, as the provider counted them.
    pub tokens: TokenUsage,
}

/// Tokens of a call, as far as the provider reported them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenUsage {
    /// Tokens of the request, with those that the provider had cached.
    pub prompt: Option<i64>,
    /// Tokens of the answer.
    pub completion: Option<i64>,
}

impl TokenUsage {
    /// Returns the attributes of the span of a call, as OpenTelemetry's conventions for generative models name them.
    pub fn attributes(self) -> impl Iterator<Item = KeyValue> {
        let prompt = self.prompt.map(|tokens| KeyValue::new("gen_ai.usage.input_tokens", tokens));
        let completion = self.completion.map(|tokens| KeyValue::new("gen_ai.usage.output_tokens", tokens));
        prompt.into_iter().chain(completion)
    }
}

/// A decision with a durable log entry.
pub struct RecordedDecision {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The id of its log entry.
    pub log_id: Uuid,
    /// Processing time in milliseconds.
    pub processing_time_ms: u64,
    /// Version of the models that scored the text.
    pub model_version: String,
    /// Units of text that were evaluated, whoever paid for them.
    pub units: i64,
    /// The policy that decided.
    pub policy: Arc<CompiledPolicy>,
    /// Its id; `None` for the built-in policy.
    pub policy_id: Option<Uuid>,
    /// The queued tickets.
    pub tickets: Vec<NewTicket>,
}
