//! The runner of jobs: one at a time, in workers that leave the processor to live calls.

use std::{sync::Arc, time::Duration};

use guardengine_integrations::events;
use guardengine_media::{Excerpt, TimeSpan, wav};
use guardengine_store::{Clock, FinishedJob, Job, SideEffects, StoreError as _};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{
    FileId, FileKind, MAX_ATTEMPTS, Progress, StoredAudio, request::StoredRequest, request_aad, result_aad,
};
use crate::{AudioDecision, Error, Guard, PendingDecision, attachments::Audio, audio_decision::muted_spans};

/// Time for which a runner has a job unless it renews its lease.
const LEASE: Duration = Duration::from_secs(30);
/// Time after which a lease is renewed without progress.
const RENEW: Duration = Duration::from_secs(10);
/// Time between two looks at the progress.
const TICK: Duration = Duration::from_secs(1);
/// Progress that is written.
const STEP: f32 = 0.02;
/// Time between two looks at the queue.
const POLL: Duration = Duration::from_secs(5);
/// Time before another attempt, for each attempt before.
const RETRY_AFTER: Duration = Duration::from_secs(5);
/// Samples of muted audio in memory at once: ten minutes.
const PART: u64 = wav::RATE as u64 * 600;
/// Largest result in bytes.
const MAX_RESULT: usize = 64 << 20;

/// The end of an attempt.
enum Attempt {
    Ended(Result<(), Error>),
    /// The service stops.
    Stopped,
    /// Another runner has the job, or it is gone.
    Lost,
}

impl Guard {
    /// Runs jobs, one at a time, until `stop`.
    pub async fn run_jobs_until(self, clock: Clock, stop: CancellationToken) {
        while !stop.is_cancelled() {
            if let Some(job) = Box::pin(self.claim(&clock)).await {
                Box::pin(self.run_job(job, &clock, &stop)).await;
                continue;
            }
            // Jobs may come after hours: their workers take memory meanwhile.
            self.media_workers.end_job_workers();
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.jobs.queued.notified() => {}
                () = sleep(POLL) => {}
            }
        }
    }

    async fn claim(&self, clock: &Clock) -> Option<Job> {
        let (place, runner, now) = (self.jobs.files.place, self.jobs.runner, clock.now());
        match self.health.write(self.db.claim_job(place, runner, now, now + LEASE)).await {
            Ok(job) => job,
            Err(error) => {
                if !error.is_unavailable() {
                    tracing::error!(%error, "could not claim a job");
                }
                None
            }
        }
    }

    async fn run_job(&self, job: Job, clock: &Clock, stop: &CancellationToken) {
        let progress = Progress::default();
        let attempt = tokio::select! {
            () = stop.cancelled() => Attempt::Stopped,
            () = Box::pin(self.keep_lease(&job, &progress, clock)) => Attempt::Lost,
            ended = Box::pin(self.attempt(&job, &progress, clock)) => Attempt::Ended(ended),
        };
        let settled = match attempt {
            Attempt::Ended(Ok(())) => {
                self.jobs.files.delete(upload_of(&job));
                Ok(())
            }
            Attempt::Lost | Attempt::Ended(Err(Error::JobLost)) => Ok(()),
            Attempt::Stopped => self.db.release_job(&job, job.attempts - 1, clock.now()).await,
            Attempt::Ended(Err(error)) => Box::pin(self.retry_or_fail(&job, &error, clock)).await,
        };
        if let Err(error) = settled {
            // The lease ends, and then somebody takes over.
            tracing::warn!(%error, job = %job.id, "could not write the end of an attempt of a job");
        }
    }

    async fn retry_or_fail(&self, job: &Job, error: &Error, clock: &Clock) -> guardengine_store::Result<()> {
        tracing::warn!(%error, job = %job.id, attempt = job.attempts, "a job failed");
        if is_temporary(error) && job.attempts < MAX_ATTEMPTS {
            let after = clock.now() + RETRY_AFTER * u32::try_from(job.attempts).unwrap_or(1);
            return self.db.release_job(job, job.attempts, after).await;
        }
        Box::pin(self.fail_job(job, &described(error), clock)).await
    }

    /// Ends a job that failed: its price is returned, and its files are deleted.
    pub(super) async fn fail_job(
        &self,
        job: &Job,
        error: &str,
        clock: &Clock,
    ) -> guardengine_store::Result<()> {
        let now = clock.now();
        let event = events::of_job(job, false, now);
        if Box::pin(self.health.write(self.db.fail_job(job, error, event, now))).await? {
            self.unevaluated.note("audio", job.org_id, job.project_id, now);
            self.jobs.files.delete(upload_of(job));
            self.jobs.files.delete(muted_of(job));
        }
        Ok(())
    }

    /// Writes the progress and renews the lease. Returns when another runner has the job.
    async fn keep_lease(&self, job: &Job, progress: &Progress, clock: &Clock) {
        let (mut written, mut renewed) = (0.0, Instant::now());
        loop {
            sleep(TICK).await;
            let share = progress.get();
            if share - written < STEP && renewed.elapsed() < RENEW {
                continue;
            }
            match self.db.renew_job(job, f64::from(share), clock.now() + LEASE).await {
                Ok(true) => (written, renewed) = (share, Instant::now()),
                Ok(false) => return,
                // Whoever takes over meanwhile is noticed when the job ends.
                Err(error) => tracing::warn!(%error, job = %job.id, "could not renew the lease of a job"),
            }
        }
    }

    async fn attempt(&self, job: &Job, progress: &Progress, clock: &Clock) -> Result<(), Error> {
        if job.attempts > MAX_ATTEMPTS {
            return Err(Error::Interrupted(MAX_ATTEMPTS));
        }
        let keys = self.keys(job.org_id).await?;
        let request = keys.data.open(&request_aad(job.org_id, job.id), &job.sealed_request)?;
        let request: StoredRequest = serde_json::from_slice(&request).map_err(Error::internal)?;
        let audio = StoredAudio {
            files: self.jobs.files.clone(),
            id: upload_of(job),
            key: Arc::clone(&keys.data),
            seconds: job.duration as f32,
            progress: progress.clone(),
        };
        let mutes = request.mutes;
        let mut pending = Box::pin(self.evaluate(request.call(job, audio.clone()))).await?;
        pending.log_id = job.log_id;
        let is_muted = match muted_spans(&pending)?.filter(|_| mutes) {
            Some(muted) => {
                self.write_muted(job, audio, muted).await?;
                true
            }
            None => false,
        };
        self.finish_job(job, pending, is_muted, clock).await
    }

    /// Writes the log entry, the result and the end of a job at once.
    async fn finish_job(
        &self,
        job: &Job,
        pending: PendingDecision,
        is_muted: bool,
        clock: &Clock,
    ) -> Result<(), Error> {
        let (call, key) = (Arc::clone(&pending.call), Arc::clone(&pending.keys.data));
        let side_effects = |recorded: &crate::RecordedDecision| {
            let mut decision = AudioDecision::of(&call, recorded)?;
            decision.audio_url = is_muted.then(|| self.address(&format!("/api/jobs/{}/audio", job.id)));
            let result = serde_json::to_vec(&decision).map_err(Error::internal)?;
            if result.len() > MAX_RESULT {
                return Err(Error::TooLarge(MAX_RESULT));
            }
            let finished_at = clock.now();
            let end = FinishedJob {
                id: job.id,
                runner: job.runner,
                finished_at,
                sealed_result: key.seal(&result_aad(job.org_id, job.id), &result),
                event: events::of_job(job, true, finished_at),
            };
            Ok(SideEffects { job: Some(end), ..SideEffects::default() })
        };
        Box::pin(self.record_with(pending, side_effects)).await.map(drop)
    }

    /// Writes the audio with these time spans muted, part by part.
    async fn write_muted(&self, job: &Job, audio: StoredAudio, muted: Vec<TimeSpan>) -> Result<(), Error> {
        let failed = |error: std::io::Error| {
            tracing::error!(%error, job = %job.id, "could not write the muted audio of a job");
            Error::unavailable("the muted audio could not be stored")
        };
        let key = Arc::clone(&audio.key);
        let mut writer = self.jobs.files.create(muted_of(job), key).map_err(failed)?;
        let (audio, mut from) = (Audio::Stored(audio), 0);
        loop {
            let part = Excerpt { from, max_samples: PART, muted: muted.clone() };
            let part = self.media_workers.excerpt(job.org_id, &audio, part).await?;
            if from == 0 {
                let samples = u32::try_from(part.samples).unwrap_or(u32::MAX);
                writer.push(&wav::header(samples)).map_err(failed)?;
            }
            let (is_last, end) = (part.end >= part.samples, part.end);
            let write = move || {
                let samples = part.wav.get(wav::HEADER_BYTES..).unwrap_or_default();
                writer.push(samples).map(|()| writer)
            };
            let written = tokio::task::spawn_blocking(write).await.map_err(Error::internal)?;
            writer = written.map_err(failed)?;
            if is_last || end <= from {
                return writer.finish().map_err(failed);
            }
            from = end;
        }
    }
}

const fn upload_of(job: &Job) -> FileId {
    FileId { org: job.org_id, job: job.id, kind: FileKind::Upload }
}

const fn muted_of(job: &Job) -> FileId {
    FileId { org: job.org_id, job: job.id, kind: FileKind::Muted }
}

/// Returns true if another attempt may succeed.
fn is_temporary(error: &Error) -> bool {
    matches!(error, Error::Unavailable(_) | Error::Internal(_)) || error.is_store_unavailable()
}

/// Returns the error for the caller.
fn described(error: &Error) -> String {
    match error {
        Error::Internal(_) | Error::Store(_) | Error::Vault(_) => "internal error".to_owned(),
        error => error.to_string(),
    }
}
