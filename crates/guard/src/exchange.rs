//! A call of a model through the gateway: a request and its answer, evaluated one after the other, and logged as one.

use std::sync::Arc;

use guardengine_engine::Verdict;

use crate::{
    GuardRequest, Operation, PendingDecision, UpstreamCall, several, submission::Submission, timing::Stage,
};

impl PendingDecision {
    /// Returns the call that evaluates the answer of a model to this request.
    pub fn answer(&self, submission: Submission) -> GuardRequest {
        self.next(Operation::Validate, submission)
    }

    /// Returns the call that evaluates what came back for this request.
    pub fn next(&self, operation: Operation, submission: Submission) -> GuardRequest {
        let request = &self.call;
        GuardRequest {
            project_id: request.project_id,
            sender: request.sender.clone(),
            surface: request.surface,
            foreign_id: request.foreign_id.clone(),
            ..GuardRequest::new(
                request.now,
                request.caller.clone(),
                operation,
                submission,
                request.correlation_id.clone(),
            )
        }
    }

    /// Returns the decision on a request and its answer. It costs the price of both. It has the
    /// direction that decided: that of the answer if its outcome is more severe.
    #[must_use]
    pub fn followed_by(mut self, answer: Self, upstream: UpstreamCall) -> Self {
        let verdicts = [self.evaluation.verdict.clone(), answer.evaluation.verdict.clone()];
        let answer_decides = verdicts[1].outcome > verdicts[0].outcome;
        let answer_call = answer.call;
        several::merge(&mut self.evaluation, answer.evaluation);
        if let Some(verdict) = Verdict::combined(&verdicts) {
            self.evaluation.verdict = verdict;
        }
        self.cost = self.cost.saturating_add(answer.cost);
        self.units = self.units.saturating_add(answer.units);
        self.timings.include(&answer.timings);
        self = self.after(upstream);
        if answer_decides {
            // The entry has no texts of its own: those are in the evaluation.
            let texts = Submission::of(answer_call.submission.direction, String::new());
            let next = self.next(answer_call.operation, texts);
            self.call = Arc::new(GuardRequest { began: self.call.began, ..next });
        }
        self
    }

    /// Returns the decision after the call of a model.
    #[must_use]
    pub fn after(mut self, upstream: UpstreamCall) -> Self {
        self.timings.add(Stage::Upstream, upstream.model_time);
        self.waited = self.waited.saturating_add(upstream.model_time).saturating_add(upstream.client_time);
        self.upstream = Some(upstream);
        self
    }
}
