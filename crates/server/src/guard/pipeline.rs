//! The guard: a call from the door to the durable row.

use std::{sync::Arc, time::Duration};

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{pii::mask::Token, rehearse};
use guardengine_store::{Aftermath, Charge, Db, Decision, NewTicket, PiiToken};
use tokio::{sync::Semaphore, task::spawn_blocking};
use uuid::Uuid;

use super::{
    GuardRequest, Operation, PendingDecision, PolicyCache, RecordedDecision,
    evaluate::{Evaluation, EvaluationOptions, evaluate},
    log_entry,
    policy_context::PolicyContext,
    submission::Submission,
    timing::{Stage, StageTimings, Stopwatch},
};
use crate::{
    config::{Costs, Settings},
    degraded::{DegradedMode, spool::SpoolError},
    events,
    http::Error,
    journal::{Journal, JournalError},
    media::{MediaWorkers, Transcriber},
    outcome_counter,
    reasoning::Reasoning,
    tickets,
    vault::{OrgKeys, Vault},
};

// Requests that may wait for a processor; beyond, callers are told to come back later.
const QUEUE: usize = 512;
// Replays take turns, so that live requests wait for one replayed row at most.
const REPLAYS: usize = 1;
// A million characters, the most that any policy admits, have at most that many bytes.
const LARGEST: usize = 4_000_000;

/// Whom a guard asks beside the store.
pub struct GuardDeps {
    /// Language models, where a call wants a second opinion.
    pub reasoning: Reasoning,
    /// Who reads pictures and recordings.
    pub media_workers: Arc<MediaWorkers>,
    /// Who chooses who transcribes recordings.
    pub transcriber: Transcriber,
    /// What goes on while the store does not answer.
    pub degraded: DegradedMode,
}

/// The guard.
pub struct Guard {
    pub(super) db: Db,
    pub(super) vault: Vault,
    journal: Journal,
    pub(super) policies: PolicyCache,
    pub(super) classifier: Arc<dyn Classifier>,
    permits: Semaphore,
    queue: Semaphore,
    pub(super) replays: Semaphore,
    costs: Costs,
    pub(super) reasoning: Reasoning,
    pub(super) media_workers: Arc<MediaWorkers>,
    pub(super) transcriber: Transcriber,
    ticket_window: Duration,
    low_credits: i64,
    pub(super) degraded: DegradedMode,
}

impl Guard {
    /// A guard that asks `classifier`, and `peers` where a call wants them.
    pub fn new(
        db: Db,
        vault: Vault,
        journal: Journal,
        settings: &Settings,
        classifier: Arc<dyn Classifier>,
        GuardDeps { reasoning, media_workers, transcriber, degraded }: GuardDeps,
    ) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        rehearse(&PolicyCache::built_in());
        Self {
            db,
            vault,
            journal,
            policies: PolicyCache::default(),
            classifier,
            permits: Semaphore::new(threads),
            queue: Semaphore::new(QUEUE),
            replays: Semaphore::new(REPLAYS),
            costs: settings.costs,
            ticket_window: settings.tickets.window,
            low_credits: settings.low_credits,
            reasoning,
            media_workers,
            transcriber,
            degraded,
        }
    }

    /// Judges a submission, writes its row and deducts its price. Whatever fails, charges nothing.
    pub async fn answer(&self, call: GuardRequest) -> Result<RecordedDecision, Error> {
        let decided = Box::pin(self.evaluate(call)).await?;
        self.record(decided, Aftermath::default()).await
    }

    /// Judges a submission.
    pub async fn evaluate(&self, call: GuardRequest) -> Result<PendingDecision, Error> {
        bounded(&call.submission)?;
        let mut watch = Stopwatch::since(call.began, StageTimings::default());
        let standing = self.load_context(&call).await?.for_operation(&call)?;
        let store = &self.degraded.watch;
        let provider =
            if call.reasoning { store.run(self.opinion_provider(&call, &standing)).await? } else { None };
        let is_heard = call.attached.recording.is_some();
        let transcriber = if is_heard { store.run(self.transcriber(&call)).await? } else { None };
        let cost = self.cost(&call, &standing);
        match store.run(self.afford(&call, cost)).await {
            // It is charged when it is replayed.
            Err(gone) if gone.is_store_unavailable() && standing.spools() => {}
            afforded => afforded?,
        }
        let keys = self.keys(call.caller.org_id).await?;
        watch.lap(Stage::Policy);
        let call = self.read(call, &standing, transcriber).await?;
        if !call.submission.media.is_empty() {
            watch.lap(Stage::Media);
        }
        let (call, standing, judged) = match provider {
            Some(provider) => {
                let advised = self.evaluate_with_opinion(call, standing, Arc::clone(&keys), provider);
                store.run(Box::pin(advised)).await?
            }
            None => self.evaluate_on_cpu(call, standing, Arc::clone(&keys)).await?,
        };
        watch.lap_around(Stage::Waiting, &judged.spent);
        let (log_id, spent) = (guardengine_store::new_id(call.now), watch.spent);
        Ok(PendingDecision { call, judged, log_id, keys, standing, cost, spent })
    }

    /// Makes a decision durable: its row, its price, and what else it leaves behind.
    pub async fn record(
        &self,
        decided: PendingDecision,
        mut aftermath: Aftermath,
    ) -> Result<RecordedDecision, Error> {
        let PendingDecision { call, judged, log_id, keys, standing, cost, spent } = decided;
        let provider = judged.advised_by.as_ref().map(|provider| format!("+{provider}"));
        let mut answered = RecordedDecision {
            judged,
            log_id,
            processing_time_ms: call.began.elapsed().as_millis() as u64,
            model_version: format!("{}{}", self.classifier.version(), provider.unwrap_or_default()),
            policy: Arc::clone(&standing.compiled),
            tickets: Vec::new(),
        };
        let tokens =
            answered.judged.tokens.iter().map(|token| seal(token, call.caller.org_id, &keys)).collect();
        let log = log_entry::log(&call, &standing, &answered, cost);
        let detail = log_entry::detail(&log, &answered.judged, &spent, &keys.data);
        let alike = tickets::Deduplication { key: &keys.data, window: self.ticket_window };
        let triggered = &answered.judged.verdict.triggered;
        aftermath.tickets = tickets::plan_tickets(&answered.policy, triggered, &log, &alike);
        aftermath.event = events::of_decision(&log, &answered.judged.verdict, aftermath.review.as_ref());
        let (operation, low_credits) = (call.operation.priced_as(), self.low_credits);
        let decision = Decision { detail, tokens, aftermath, low_credits, ..Decision::of(log, operation) };
        let spools = standing.spools() && Operation::is_spoolable(operation);
        answered.tickets = Box::pin(self.write(decision, spools)).await?;
        log_entry::count(&call, &answered);
        Ok(answered)
    }

    /// The organisation's keys, also without the store where they were needed before.
    async fn keys(&self, org: Uuid) -> Result<Arc<OrgKeys>, Error> {
        match self.vault.known(org).await {
            Some(keys) => Ok(keys),
            None => self.degraded.watch.run(async { Ok(self.vault.org(org).await?) }).await,
        }
    }

    // A direction that the policy does not guard costs nothing.
    fn cost(&self, call: &GuardRequest, standing: &PolicyContext) -> i64 {
        let pictures = call.attached.pictures.len() as i64 * self.costs.image;
        let price = call.operation.cost(&self.costs) + pictures;
        if standing.compiled.guards(call.submission.direction) { price } else { 0 }
    }

    async fn afford(&self, call: &GuardRequest, cost: i64) -> Result<(), Error> {
        if cost == 0 {
            return Ok(());
        }
        let balance = self.db.balance(call.caller.org_id).await?.unwrap_or(0);
        if balance >= cost {
            Ok(())
        } else {
            Err(Error::insufficient_credits(call.operation.priced_as(), cost, balance))
        }
    }

    async fn evaluate_on_cpu(
        &self,
        call: GuardRequest,
        standing: PolicyContext,
        keys: Arc<OrgKeys>,
    ) -> Result<(GuardRequest, PolicyContext, Evaluation), Error> {
        let work = move |classifier: &dyn Classifier| {
            let judged = evaluate(classifier, &call.submission, &terms(&call, &standing, &keys));
            (call, standing, judged)
        };
        let (call, standing, judged) = self.run_on_cpu(work).await?;
        Ok((call, standing, judged.map_err(|fault| unavailable(&fault))?))
    }

    /// Waits for a processor and works there, on a thread of its own: the encoder takes milliseconds, in which those that
    /// serve connections serve others.
    pub(super) async fn run_on_cpu<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Classifier) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let busy = || Error::unavailable("the detection engine is busy, try again later");
        let _place = self.queue.try_acquire().map_err(|_| busy())?;
        let _permit = self.permits.acquire().await.map_err(|_| busy())?;
        let classifier = Arc::clone(&self.classifier);
        spawn_blocking(move || work(&*classifier)).await.map_err(Error::internal)
    }

    /// Makes a decision durable; answers the tickets that wait with it.
    async fn write(&self, decision: Decision, spools: bool) -> Result<Vec<NewTicket>, Error> {
        let watch = &self.degraded.watch;
        let spooled = (spools && self.degraded.spool.is_some()).then(|| decision.clone());
        let written = watch.run(self.write_to_store(decision, spooled.is_some())).await;
        match (written, spooled) {
            (Err(gone), Some(decision)) if gone.is_store_unavailable() => self.spool(decision).await,
            (written, _) => written,
        }
    }

    async fn write_to_store(
        &self,
        mut decision: Decision,
        is_spooled_else: bool,
    ) -> Result<Vec<NewTicket>, Error> {
        let tickets = std::mem::take(&mut decision.aftermath.tickets);
        let tickets = tickets::addressed(&self.db, &decision.log, tickets).await?;
        decision.aftermath.tickets.clone_from(&tickets);
        let (operation, cost) = (decision.operation.clone(), decision.log.credits);
        match self.journal.write(decision, is_spooled_else).await {
            Ok(Charge::Paid { .. }) => Ok(tickets),
            Ok(Charge::Insufficient { balance }) => {
                Err(Error::insufficient_credits(&operation, cost, balance))
            }
            Ok(Charge::AnsweredBefore) => Err(Error::conflict("challenge already answered")),
            Err(JournalError::Full) => Err(Error::unavailable("the journal is busy, try again later")),
            Err(JournalError::Gone) => Err(Error::store_unavailable()),
            Err(JournalError::Failed) => {
                Err(Error::unavailable("the store does not answer, try again later"))
            }
        }
    }

    /// Keeps a decision until the store is back. That it may be there already does no harm: its id tells.
    async fn spool(&self, decision: Decision) -> Result<Vec<NewTicket>, Error> {
        let Some(spool) = &self.degraded.spool else { return Err(Error::store_unavailable()) };
        let (operation, outcome) = (decision.operation.clone(), decision.log.outcome.clone());
        spool.keep(decision.into()).await.map_err(|fault| match fault {
            SpoolError::Full => Error::unavailable("the spool is full, try again later"),
            SpoolError::Failed => Error::store_unavailable(),
        })?;
        outcome_counter::mark_recorded();
        outcome_counter::count(&operation, &outcome);
        // Which of them are raised is known when they are written.
        Ok(Vec::new())
    }
}

/// More text than any policy admits is refused.
pub(super) fn bounded(submission: &Submission) -> Result<(), Error> {
    if submission.bytes() > LARGEST { Err(Error::too_large(LARGEST)) } else { Ok(()) }
}

/// Nothing was judged.
pub(super) fn unavailable(fault: &Unavailable) -> Error {
    tracing::error!(%fault, "not judged");
    Error::unavailable("the detection engine is unavailable")
}

/// On which terms a call is judged.
pub(super) fn terms<'a>(
    call: &GuardRequest,
    standing: &'a PolicyContext,
    keys: &'a OrgKeys,
) -> EvaluationOptions<'a> {
    EvaluationOptions {
        policy: &standing.compiled,
        shadow: standing.shadow.as_deref(),
        asked: call.asked,
        keys: &keys.mask,
        log_content: standing.log_content,
    }
}

/// What a sealed token value belongs to.
pub fn token_aad(org: Uuid, token: &str) -> String {
    format!("organization {org} token {token} value")
}

/// What a sealed text belongs to.
pub fn text_aad(org: Uuid, log: Uuid) -> String {
    format!("organization {org} log {log} text")
}

fn seal(token: &Token, org: Uuid, keys: &OrgKeys) -> PiiToken {
    let sealed = keys.data.seal(&token_aad(org, &token.id), token.value.as_bytes());
    PiiToken { token: token.id.clone(), kind: token.kind.to_owned(), sealed }
}
