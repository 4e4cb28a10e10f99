//! A policy tried on a text: nothing is logged, nothing is charged.

use std::{sync::Arc, time::Instant};

use guardengine_classifiers::Classifier;
use guardengine_engine::{Asked, policy::Compiled};
use tokio::sync::SemaphorePermit;
use uuid::Uuid;

use super::{
    Guard,
    evaluate::{Evaluation, EvaluationOptions, LogContent, evaluate},
    pipeline::{bounded, unavailable},
    submission::Submission,
};
use crate::http::Error;

/// A submission judged for the answer alone.
pub struct DryRun {
    /// The judgement.
    pub judged: Evaluation,
    /// How long it took, milliseconds.
    pub processing_time_ms: u64,
    /// The model that scored.
    pub model_version: String,
}

impl Guard {
    /// Judges `submission` by `policy`, off the threads that answer. Masks are made with the organisation's keys.
    pub async fn dry_run(
        &self,
        org_id: Uuid,
        policy: Arc<Compiled>,
        submission: Submission,
    ) -> Result<DryRun, Error> {
        let began = Instant::now();
        bounded(&submission)?;
        let keys = self.vault.org(org_id).await?;
        let work = move |classifier: &dyn Classifier| {
            let (asked, log_content) = (Asked::default(), LogContent::None);
            let terms =
                EvaluationOptions { policy: &policy, shadow: None, asked, keys: &keys.mask, log_content };
            evaluate(classifier, &submission, &terms)
        };
        let judged = self.run_on_cpu(work).await?.map_err(|fault| unavailable(&fault))?;
        let model_version = self.classifier.version().to_owned();
        Ok(DryRun { judged, processing_time_ms: began.elapsed().as_millis() as u64, model_version })
    }

    /// The turn of a replay, for as long as it is held.
    pub fn replay_turn(&self) -> Result<SemaphorePermit<'_>, Error> {
        let busy = |_| Error::unavailable("another replay is running, try again later");
        self.replays.try_acquire().map_err(busy)
    }
}
