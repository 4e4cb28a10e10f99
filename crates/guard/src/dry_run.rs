//! Dry runs: evaluates a text under a policy without logging or charging.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use guardengine_classifiers::{Classifier, Unavailable};
use guardengine_engine::{RequestOptions, policy::CompiledPolicy};
use tokio::sync::SemaphorePermit;
use uuid::Uuid;

use crate::{
    Error, Guard,
    evaluate::{Evaluation, EvaluationOptions, LogContent, evaluate},
    org_keys::OrgKeys,
    pipeline::{check_size, unavailable},
    submission::Submission,
};

/// The outcome of a dry run.
pub struct DryRun {
    /// The evaluation.
    pub evaluation: Evaluation,
    /// Processing time in milliseconds.
    pub processing_time_ms: u64,
    /// Version of the models that scored the text.
    pub model_version: String,
}

impl Guard {
    /// Evaluates `submission` under `policy` on a blocking thread. Values are masked with the organization's keys.
    pub async fn dry_run(
        &self,
        org_id: Uuid,
        policy: Arc<CompiledPolicy>,
        submission: Submission,
    ) -> Result<DryRun, Error> {
        let (began, bytes) = (Instant::now(), submission.bytes());
        check_size(&submission)?;
        let keys = OrgKeys::from(self.vault.data_key(org_id).await?);
        let work = work(policy, submission, keys, self.deadline);
        let evaluated = self.run_on_cpu(org_id, bytes, work).await?;
        self.dry_run_of(evaluated, began)
    }

    /// As [`Self::dry_run`], at the lowest priority: waits until no request does and another processor is free.
    pub async fn background_dry_run(
        &self,
        org_id: Uuid,
        policy: Arc<CompiledPolicy>,
        submission: Submission,
    ) -> Result<DryRun, Error> {
        let began = Instant::now();
        check_size(&submission)?;
        let keys = OrgKeys::from(self.vault.data_key(org_id).await?);
        let work = work(policy, submission, keys, self.deadline);
        let classifier = Arc::clone(&self.classifier);
        let evaluated = self.processors.run_idle(move || work(&*classifier)).await?;
        self.dry_run_of(evaluated, began)
    }

    /// Runs background work on a processor that no request needs.
    pub async fn run_idle<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        self.processors.run_idle(work).await
    }

    fn dry_run_of(
        &self,
        evaluated: Result<Evaluation, Unavailable>,
        began: Instant,
    ) -> Result<DryRun, Error> {
        let evaluation = evaluated.map_err(|error| unavailable(&error))?;
        let model_version = self.classifier.version().to_owned();
        Ok(DryRun { evaluation, processing_time_ms: began.elapsed().as_millis() as u64, model_version })
    }

    /// Returns the permit that a replay holds while it runs; an error while another replay runs.
    pub fn replay_turn(&self) -> Result<SemaphorePermit<'_>, Error> {
        let busy = |_| Error::unavailable("another replay is running, try again later");
        self.replays.try_acquire().map_err(busy)
    }
}

/// Returns the work of a dry run, for a thread that has the classifier.
fn work(
    policy: Arc<CompiledPolicy>,
    submission: Submission,
    keys: OrgKeys,
    deadline: Duration,
) -> impl FnOnce(&dyn Classifier) -> Result<Evaluation, Unavailable> + Send + 'static {
    move |classifier| {
        let options = EvaluationOptions {
            policy: &policy,
            shadow: None,
            asked: RequestOptions::default(),
            keys: &keys.mask,
            log_content: LogContent::None,
            labels: None,
            deadline: Some(deadline),
        };
        evaluate(classifier, &submission, &options)
    }
}
