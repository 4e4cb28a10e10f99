//! The guard: takes a call from the request to its durable log entry.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use guardengine_classifiers::{Classifier, TOO_LONG, Unavailable};
use guardengine_engine::{guardrail::Direction, pii::mask::Token};
use guardengine_integrations::{connectors::OpenConnector, events, tickets};
use guardengine_store::{Charge, DecisionRecord, NewTicket, PiiToken, SideEffects, StoreError as _};
use uuid::Uuid;

use crate::{
    Error, Guard, GuardRequest, Operation, PendingDecision, RecordedDecision,
    associated_data::token_aad,
    degraded::SpoolError,
    evaluate::{Evaluation, EvaluationOptions, evaluate},
    journal::JournalError,
    log_entry,
    org_keys::OrgKeys,
    outcome_counter,
    policy_context::PolicyContext,
    submission::Submission,
    timing::{Stage, StageTimings, Stopwatch},
};

// Size in UTF-8 of a million characters, the highest limit that a policy can set.
const MAX_SUBMISSION_BYTES: usize = 4_000_000;

/// Inputs of an evaluation, shared with the thread that runs it.
#[derive(Clone)]
pub(crate) struct Inputs {
    pub call: Arc<GuardRequest>,
    pub context: Arc<PolicyContext>,
    pub keys: Arc<OrgKeys>,
    pub deadline: Duration,
}

impl Inputs {
    /// Returns who asks, and the bytes to evaluate.
    pub fn size(&self) -> (Uuid, usize) {
        (self.call.caller.org_id, self.call.submission.bytes())
    }

    /// Returns the decision that an evaluation of these inputs makes, under a new id.
    pub fn pending(
        self,
        evaluation: Evaluation,
        cost: i64,
        units: i64,
        timings: StageTimings,
    ) -> PendingDecision {
        let log_id = guardengine_store::new_id(self.call.now);
        let Self { call, context, keys, .. } = self;
        let (waited, upstream) = (Duration::ZERO, None);
        PendingDecision { call, evaluation, log_id, keys, context, cost, units, timings, waited, upstream }
    }

    pub fn options(&self) -> EvaluationOptions<'_> {
        EvaluationOptions {
            policy: &self.context.compiled,
            shadow: self.context.shadow.as_deref(),
            asked: self.call.asked,
            keys: &self.keys.mask,
            log_content: self.context.log_content,
            labels: Some(&self.call.sender),
            deadline: Some(self.deadline),
        }
    }
}

/// A call that may be evaluated.
pub(crate) struct Admitted {
    pub context: PolicyContext,
    /// Language model for a second opinion.
    pub provider: Option<OpenConnector>,
    /// Connector that transcribes; `None` for the built-in speech engine.
    pub transcriber: Option<OpenConnector>,
    pub units: i64,
    pub cost: i64,
}

impl Guard {
    /// Evaluates a submission, writes its log entry and deducts its price. A call that fails costs nothing.
    pub async fn answer(&self, call: GuardRequest) -> Result<RecordedDecision, Error> {
        let pending = Box::pin(self.evaluate(call)).await?;
        self.record(pending, SideEffects::default()).await
    }

    /// Checks whether a call may be evaluated and is paid for, and loads its policy.
    pub(crate) async fn admit(&self, call: &mut GuardRequest) -> Result<Admitted, Error> {
        call.project_id = call.project();
        if call.project_id.is_none() && call.caller.requires_project {
            return Err(Error::ProjectRequired);
        }
        check_size(&call.submission)?;
        let context = self.load_context(call).await?.for_operation(call)?;
        let store = &self.health;
        // A second opinion reads one subject.
        let provider = if call.reasoning && call.submission.further.is_empty() {
            Some(store.run(self.opinion_provider(call, &context)).await?)
        } else {
            None
        };
        let has_audio = call.attached.audio.is_some();
        let transcriber = if has_audio { store.run(self.transcriber(call)).await? } else { None };
        let scope = (call.caller.org_id, call.project_id);
        self.evaluated_turns.mark(scope, &mut call.submission);
        let units = self.units(call, &context);
        let cost = call.prepaid.unwrap_or_else(|| self.cost(call, &context, units));
        let due = if call.prepaid.is_some() { 0 } else { cost };
        self.check_balance_or_spool(call, &context, due).await?;
        Ok(Admitted { context, provider, transcriber, units, cost })
    }

    /// Evaluates a submission without recording the decision.
    pub async fn evaluate(&self, mut call: GuardRequest) -> Result<PendingDecision, Error> {
        let mut stopwatch = Stopwatch::since(call.began, StageTimings::default());
        let Admitted { context, provider, transcriber, mut units, mut cost } =
            Box::pin(self.admit(&mut call)).await?;
        let (store, scope) = (&self.health, (call.caller.org_id, call.project_id));
        let keys = self.keys(call.caller.org_id).await?;
        stopwatch.lap(Stage::Policy);
        let (call, of_files) = self.read_documents(call, &context).await?;
        if !call.submission.files.is_empty() {
            // The price of a file is known once it is read.
            units = self.units(&call, &context);
            cost = self.cost(&call, &context, units);
            self.check_balance_or_spool(&call, &context, cost).await?;
        }
        let call = self.read(call, &context, transcriber, of_files).await?;
        if !call.submission.media.is_empty() || !call.submission.files.is_empty() {
            stopwatch.lap(Stage::Media);
        }
        let deadline = self.deadline;
        let inputs = Inputs { call: Arc::new(call), context: Arc::new(context), keys, deadline };
        let mut evaluation = match provider {
            Some(provider) => store.run(Box::pin(self.evaluate_with_opinion(&inputs, &provider))).await?,
            None => self.evaluate_on_cpu(inputs.clone()).await?,
        };
        evaluation.add_pages(&inputs.call.submission);
        let verdict = &evaluation.verdict;
        // A text that was not read completely is evaluated again.
        if verdict.evaluated && verdict.coverage.complete && !inputs.call.operation.only_masks() {
            self.evaluated_turns.remember(scope, &inputs.call.submission, &evaluation.suspicions);
        }
        stopwatch.lap_around(Stage::Waiting, &evaluation.spent);
        let took = inputs.call.began.elapsed();
        let decision = inputs.pending(evaluation, cost, units, stopwatch.spent);
        self.traces.evaluated(&decision, took);
        Ok(decision)
    }

    /// Makes a decision durable: its log entry, its price and its side effects.
    pub async fn record(
        &self,
        pending: PendingDecision,
        side_effects: SideEffects,
    ) -> Result<RecordedDecision, Error> {
        self.record_with(pending, |_| Ok(side_effects)).await
    }

    /// As [`Guard::record`], with side effects that depend on the decision.
    pub(crate) async fn record_with(
        &self,
        pending: PendingDecision,
        side_effects: impl FnOnce(&RecordedDecision) -> Result<SideEffects, Error>,
    ) -> Result<RecordedDecision, Error> {
        let PendingDecision {
            call,
            evaluation,
            log_id,
            keys,
            context,
            cost,
            units,
            timings,
            waited,
            upstream,
        } = pending;
        let elapsed = call.began.elapsed().saturating_sub(waited);
        let provider = evaluation.advised_by.as_ref().map(|provider| format!("+{provider}"));
        let mut recorded = RecordedDecision {
            evaluation,
            log_id,
            processing_time_ms: elapsed.as_millis() as u64,
            model_version: format!("{}{}", self.classifier.version(), provider.unwrap_or_default()),
            units,
            policy: Arc::clone(&context.compiled),
            policy_id: context.policy.map(|(id, _)| id),
            tickets: Vec::new(),
        };
        let tokens =
            recorded.evaluation.tokens.iter().map(|token| seal(token, call.caller.org_id, &keys)).collect();
        let log = log_entry::log(&call, &context, &recorded, (cost, upstream));
        let detail = log_entry::detail(&log, &recorded.evaluation, &timings, &keys.data);
        let deduplication = tickets::Deduplication {
            key: &keys.data,
            window: self.ticket_window,
            username: call.sender.username.as_deref(),
        };
        let mut side_effects = side_effects(&recorded)?;
        let triggered = &recorded.evaluation.verdict.triggered;
        side_effects.tickets =
            tickets::plan_tickets(&recorded.policy, triggered, &log, &deduplication, &self.base_url);
        side_effects.event =
            events::of_decision(&log, &recorded.evaluation.verdict, side_effects.review.as_ref());
        let (operation, low_credits) = (call.operation.priced_as(), self.low_credits);
        let decision = DecisionRecord {
            detail,
            tokens,
            side_effects,
            low_credits,
            ..DecisionRecord::of(log, operation)
        };
        let spools = context.spools() && Operation::is_spoolable(operation);
        let writes = Instant::now();
        recorded.tickets = Box::pin(self.write(decision, spools)).await?;
        self.traces.recorded(writes.elapsed());
        self.stage_history.remember(timings);
        let tokens = upstream.unwrap_or_default().tokens;
        log_entry::count(&call, &recorded, call.began.elapsed().saturating_sub(waited), tokens);
        Ok(recorded)
    }

    /// Returns the organization's keys; keys used before are available without the store.
    pub(crate) async fn keys(&self, org: Uuid) -> Result<Arc<OrgKeys>, Error> {
        let data = match self.vault.cached_data_key(org).await {
            Some(key) => key,
            None => self.health.run(self.vault.data_key(org)).await?,
        };
        Ok(Arc::new(data.into()))
    }

    /// Returns the started units of text of a call.
    fn units(&self, call: &GuardRequest, context: &PolicyContext) -> i64 {
        self.costs.units(call.submission.characters(context.compiled.guards(Direction::Output)))
    }

    /// Returns the price in credits: that of the operation for each unit of text that is not paid yet, and that of the
    /// images. A direction that the policy does not guard is free.
    pub(crate) fn cost(&self, call: &GuardRequest, context: &PolicyContext, units: i64) -> i64 {
        if !context.compiled.guards(call.submission.direction) {
            return 0;
        }
        let units = units.saturating_sub(call.units_paid).max(0);
        let in_files: usize = call.submission.files.iter().map(|file| file.extracted.images.len()).sum();
        let images = (call.attached.images.len() + in_files) as i64;
        let images = images.saturating_mul(self.costs.image);
        call.operation.cost(&self.costs).saturating_mul(units).saturating_add(images)
    }

    pub(crate) async fn check_balance(&self, call: &GuardRequest, cost: i64) -> Result<(), Error> {
        if cost == 0 {
            return Ok(());
        }
        let balance = self.db.balance(call.caller.org_id).await?.unwrap_or(0);
        if balance >= cost {
            Ok(())
        } else {
            Err(insufficient_credits(call.operation.priced_as(), cost, balance))
        }
    }

    /// Checks the balance, unless the decision is spooled: it is charged when it is replayed.
    async fn check_balance_or_spool(
        &self,
        call: &GuardRequest,
        context: &PolicyContext,
        cost: i64,
    ) -> Result<(), Error> {
        match self.health.run(self.check_balance(call, cost)).await {
            Err(error) if error.is_store_unavailable() && context.spools() => Ok(()),
            checked => checked,
        }
    }

    async fn evaluate_on_cpu(&self, inputs: Inputs) -> Result<Evaluation, Error> {
        let (org, bytes) = inputs.size();
        let work = move |classifier: &dyn Classifier| {
            evaluate(classifier, &inputs.call.submission, &inputs.options())
        };
        self.run_on_cpu(org, bytes, work).await?.map_err(|error| unavailable(&error))
    }

    /// Waits for a processor and runs `work` for so many bytes of an organization on a blocking thread, since the encoder
    /// takes milliseconds that would stall other connections. Returns an error when the queue is full.
    pub(crate) async fn run_on_cpu<T: Send + 'static>(
        &self,
        org: Uuid,
        bytes: usize,
        work: impl FnOnce(&dyn Classifier) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let classifier = Arc::clone(&self.classifier);
        self.processors.run(org, bytes, move || work(&*classifier)).await
    }

    /// Makes a decision durable and returns its queued tickets.
    async fn write(&self, decision: DecisionRecord, spools: bool) -> Result<Vec<NewTicket>, Error> {
        let store = &self.health;
        let to_spool = (spools && self.spool.is_some()).then(|| decision.clone());
        let written = Box::pin(store.run(self.write_to_store(decision, to_spool.is_some()))).await;
        match (written, to_spool) {
            (Err(error), Some(decision)) if error.is_store_unavailable() => self.spool(decision).await,
            (written, _) => written,
        }
    }

    async fn write_to_store(
        &self,
        mut decision: DecisionRecord,
        has_spool_fallback: bool,
    ) -> Result<Vec<NewTicket>, Error> {
        let tickets = std::mem::take(&mut decision.side_effects.tickets);
        let tickets = tickets::addressed(&self.db, &decision.log, tickets).await?;
        decision.side_effects.tickets.clone_from(&tickets);
        let (operation, cost) = (decision.operation.clone(), decision.log.credits);
        match self.journal.write(decision, has_spool_fallback).await {
            Ok(Charge::Paid { .. }) => Ok(tickets),
            Ok(Charge::Insufficient { balance }) => Err(insufficient_credits(&operation, cost, balance)),
            Ok(Charge::ChallengeClosed) => Err(Error::Challenge("already answered")),
            Ok(Charge::JobLost) => Err(Error::JobLost),
            Err(JournalError::Full) => Err(Error::unavailable("the journal is busy, try again later")),
            Err(JournalError::Gone) => Err(store_unavailable()),
            Err(JournalError::Failed) => {
                Err(Error::unavailable("the store does not answer, try again later"))
            }
        }
    }

    /// Spools a decision until the store is back. A decision that the store already has is recognized by its id on
    /// replay.
    async fn spool(&self, decision: DecisionRecord) -> Result<Vec<NewTicket>, Error> {
        let Some(spool) = &self.spool else { return Err(store_unavailable()) };
        let (operation, outcome) = (decision.operation.clone(), decision.log.outcome.clone());
        spool.write(decision.into()).await.map_err(|error| match error {
            SpoolError::Full => Error::unavailable("the spool is full, try again later"),
            SpoolError::Failed => store_unavailable(),
        })?;
        outcome_counter::mark_recorded();
        outcome_counter::count(&operation, &outcome);
        // The tickets to raise are known only when the decision is replayed.
        Ok(Vec::new())
    }
}

/// Returns an error when the submission is longer than any policy allows.
pub(crate) fn check_size(submission: &Submission) -> Result<(), Error> {
    if submission.bytes() > MAX_SUBMISSION_BYTES {
        Err(Error::TooLarge(MAX_SUBMISSION_BYTES))
    } else {
        Ok(())
    }
}

/// Logs that the classifier failed or the time was over, and returns the error for the caller.
pub(crate) fn unavailable(error: &Unavailable) -> Error {
    tracing::error!(%error, "could not evaluate the text");
    if error.0 == TOO_LONG {
        return Error::unavailable("the evaluation took too long, try again later");
    }
    Error::unavailable("the detection engine is unavailable")
}

pub(crate) fn insufficient_credits(operation: &str, needs: i64, balance: i64) -> Error {
    Error::InsufficientCredits { operation: operation.to_owned(), needs, balance }
}

const fn store_unavailable() -> Error {
    Error::Store(guardengine_store::Error::Unavailable)
}

fn seal(token: &Token, org: Uuid, keys: &OrgKeys) -> PiiToken {
    let sealed = keys.data.seal(&token_aad(org, &token.id), token.value.as_bytes());
    PiiToken { token: token.id.clone(), kind: token.kind.clone(), sealed }
}
