//! The runner of runs: one case at a time, while no request needs the processor. The position is kept, so that a run
//! continues after a restart, on any replica.

use std::{sync::Arc, time::Duration};

use guardengine_engine::policy::{CompiledPolicy, document};
use guardengine_guard::Guard;
use guardengine_store::{Clock, Db, EvaluationDataset, EvaluationRun, Policy, StoreError as _, Timestamp};
use guardengine_vault::{DataKey, Vault};
use tokio::{
    sync::Notify,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{
    cases::{open, submission},
    report::report,
    result::CaseResult,
};
use crate::http::Error;

/// Time for which a replica has a run unless it renews its lease.
const LEASE: Duration = Duration::from_mins(1);
/// Time after which results are written and the lease is renewed.
const WRITE_EVERY: Duration = Duration::from_secs(2);
/// Cases in memory at a time.
const BATCH: i64 = 25;
/// Time between two looks at the queue.
const POLL: Duration = Duration::from_secs(5);
/// Time before another attempt.
const RETRY_AFTER: Duration = Duration::from_secs(10);
/// Attempts without progress before a run fails.
const MAX_ATTEMPTS: i64 = 3;

/// Runs policy versions over datasets in the background; cheap to clone.
#[derive(Clone)]
pub struct Evaluations {
    db: Db,
    vault: Vault,
    guard: Guard,
    clock: Clock,
    /// This process, as the holder of leases.
    runner: Uuid,
    /// Wakes the runner.
    queued: Arc<Notify>,
}

/// The end of an attempt.
enum Attempt {
    /// All cases are evaluated, and the report is written.
    Done,
    /// The run was canceled, or another replica has it.
    Lost,
}

/// A policy version and the cases that it is run over.
struct Work {
    policy: Arc<CompiledPolicy>,
    thresholds: Vec<(String, f32)>,
    dataset: EvaluationDataset,
    key: Arc<DataKey>,
}

impl Evaluations {
    /// Creates the runner of this process.
    pub fn new(db: Db, vault: Vault, guard: Guard, clock: Clock) -> Self {
        Self { db, vault, guard, clock, runner: Uuid::now_v7(), queued: Arc::default() }
    }

    /// Wakes the runner after a run was queued.
    pub fn notify(&self) {
        self.queued.notify_one();
    }

    /// Runs what is queued, one run at a time, until `stop`.
    pub async fn run_until(self, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Some(run) = self.claim().await {
                self.run(run, &stop).await;
                continue;
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.queued.notified() => {}
                () = sleep(POLL) => {}
            }
        }
    }

    fn lease(&self) -> Timestamp {
        self.clock.now() + LEASE
    }

    async fn claim(&self) -> Option<EvaluationRun> {
        match self.db.claim_evaluation_run(self.runner, self.clock.now(), self.lease()).await {
            Ok(run) => run,
            Err(error) => {
                if !error.is_unavailable() {
                    tracing::error!(%error, "could not claim an evaluation run");
                }
                None
            }
        }
    }

    async fn run(&self, run: EvaluationRun, stop: &CancellationToken) {
        let attempt = stop.run_until_cancelled(Box::pin(self.attempt(&run))).await;
        let settled = match attempt {
            Some(Ok(Attempt::Done | Attempt::Lost)) => Ok(()),
            // Cases since the last write are evaluated again.
            None => self.db.release_evaluation_run(&run, run.attempts - 1, self.clock.now()).await,
            Some(Err(error)) => self.retry_or_fail(&run, error).await,
        };
        if let Err(error) = settled {
            // The lease ends, and then somebody takes over.
            tracing::warn!(%error, run = %run.id, "could not write the end of an attempt of an evaluation run");
        }
    }

    async fn retry_or_fail(&self, run: &EvaluationRun, error: Error) -> guardengine_store::Result<()> {
        tracing::warn!(status = %error.status(), run = %run.id, attempt = run.attempts, "an evaluation run failed");
        let is_temporary = error.status().is_server_error() || error.is_store_unavailable();
        if is_temporary && run.attempts < MAX_ATTEMPTS {
            let after = self.clock.now() + RETRY_AFTER;
            return self.db.release_evaluation_run(run, run.attempts, after).await;
        }
        self.db.finish_evaluation_run(run, Err(error.message()), self.clock.now()).await.map(drop)
    }

    async fn attempt(&self, run: &EvaluationRun) -> Result<Attempt, Error> {
        if run.attempts > MAX_ATTEMPTS {
            return Err(Error::conflict(format!("interrupted {MAX_ATTEMPTS} times without progress")));
        }
        let work = self.work(run).await?;
        let mut position = run.position;
        while position < run.cases {
            let Some(next) = self.evaluate_batch(run, &work, position).await? else {
                return Ok(Attempt::Lost);
            };
            position = next;
        }
        self.finish(run, work).await
    }

    async fn work(&self, run: &EvaluationRun) -> Result<Work, Error> {
        let not_found = |thing: &'static str| move || Error::not_found(thing);
        let dataset = self.db.evaluation_dataset(run.org_id, run.dataset_id).await?;
        let policy = self.db.policy(run.org_id, run.policy_id).await?.ok_or_else(not_found("policy"))?;
        let version = self.db.policy_version(run.org_id, run.policy_id, run.policy_version).await?;
        let version = version.ok_or_else(not_found("policy version"))?;
        let written: document::Policy = serde_json::from_str(&version.content).map_err(Error::internal)?;
        let enabled = written.guardrails.iter().filter(|one| one.enabled);
        let policy = Policy { version: version.version, content: version.content, ..policy };
        Ok(Work {
            thresholds: enabled.map(|one| (one.guardrail.clone(), one.threshold)).collect(),
            policy: self.guard.compiled(&policy).await?,
            dataset: dataset.ok_or_else(not_found("dataset"))?,
            key: self.vault.data_key(run.org_id).await?,
        })
    }

    /// Evaluates some cases and writes their results. Returns the next position, or `None` if the run is no longer ours.
    async fn evaluate_batch(
        &self,
        run: &EvaluationRun,
        work: &Work,
        from: i64,
    ) -> Result<Option<i64>, Error> {
        let cases = open(&self.db, &work.key, &work.dataset, from, BATCH).await?;
        if cases.is_empty() {
            return Err(Error::not_found("case"));
        }
        let (mut results, mut position, mut written) = (Vec::new(), from, Instant::now());
        for (_, case) in &cases {
            let submission = submission(&case.role, case.text.clone());
            let policy = Arc::clone(&work.policy);
            let dry_run = self.guard.background_dry_run(run.org_id, policy, submission).await?;
            let result = CaseResult::new(case, &dry_run.evaluation.verdict);
            results.push(serde_json::to_string(&result).map_err(Error::internal)?);
            if written.elapsed() >= WRITE_EVERY {
                if !self.add(run, &mut position, &mut results).await? {
                    return Ok(None);
                }
                written = Instant::now();
            }
        }
        let is_ours = self.add(run, &mut position, &mut results).await?;
        Ok(is_ours.then_some(position))
    }

    /// Writes results and moves the position behind them. Returns false if the run is no longer ours.
    async fn add(
        &self,
        run: &EvaluationRun,
        position: &mut i64,
        results: &mut Vec<String>,
    ) -> Result<bool, Error> {
        let is_ours = self.db.add_evaluation_results(run, *position, results, self.lease()).await?;
        *position += results.len() as i64;
        results.clear();
        Ok(is_ours)
    }

    async fn finish(&self, run: &EvaluationRun, work: Work) -> Result<Attempt, Error> {
        let results = results(&self.db, run).await?;
        let model_version = self.guard.model_version().to_owned();
        let build = move || report(&results, &work.thresholds, model_version);
        let report = self.guard.run_idle(build).await?;
        let report = serde_json::to_string(&report).map_err(Error::internal)?;
        let is_ours = self.db.finish_evaluation_run(run, Ok(&report), self.clock.now()).await?;
        Ok(if is_ours { Attempt::Done } else { Attempt::Lost })
    }
}

/// Returns the results of a run, in the order of the cases.
pub async fn results(db: &Db, run: &EvaluationRun) -> Result<Vec<CaseResult>, Error> {
    let stored = db.evaluation_results(run.org_id, run.id).await?;
    let parsed = stored.iter().map(|result| serde_json::from_str(result)).collect::<Result<_, _>>();
    parsed.map_err(Error::internal)
}
