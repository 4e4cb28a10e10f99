//! Dry runs: evaluates a text under a policy without logging or charging.

use std::{sync::Arc, time::Instant};

use guardengine_classifiers::Classifier;
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
        let began = Instant::now();
        check_size(&submission)?;
        let keys = OrgKeys::from(self.vault.data_key(org_id).await?);
        let (deadline, bytes) = (Some(self.deadline), submission.bytes());
        let work = move |classifier: &dyn Classifier| {
            let (asked, log_content) = (RequestOptions::default(), LogContent::None);
            let options = EvaluationOptions {
                policy: &policy,
                shadow: None,
                asked,
                keys: &keys.mask,
                log_content,
                labels: None,
                deadline,
            };
            evaluate(classifier, &submission, &options)
        };
        let evaluation = self.run_on_cpu(org_id, bytes, work).await?.map_err(|error| unavailable(&error))?;
        let model_version = self.classifier.version().to_owned();
        Ok(DryRun { evaluation, processing_time_ms: began.elapsed().as_millis() as u64, model_version })
    }

    /// Returns the permit that a replay holds while it runs; an error while another replay runs.
    pub fn replay_turn(&self) -> Result<SemaphorePermit<'_>, Error> {
        let busy = |_| Error::unavailable("another replay is running, try again later");
        self.replays.try_acquire().map_err(busy)
    }
}
