//! Acceptance of jobs, and their results.

use std::sync::Arc;

use bytes::Bytes;
use guardengine_store::{AcceptedJob, Job, NewJob, new_id};
use guardengine_vault::DataKey;
use uuid::Uuid;

use super::{
    FileId, FileKind, JobFiles, MAX_OPEN, SealedFile, request::StoredRequest, request_aad, result_aad,
};
use crate::{
    Error, Guard, GuardRequest, attachments::Audio, outcome_counter, pipeline::insufficient_credits,
};

impl Guard {
    /// Returns the length in seconds of audio that is evaluated as a job, because it is longer than `media.async_above`;
    /// `None` for other calls.
    pub async fn long_audio(&self, call: &GuardRequest) -> Result<Option<f32>, Error> {
        let Some(Audio::Upload(audio)) = &call.attached.audio else { return Ok(None) };
        if self.async_above >= self.max_duration {
            return Ok(None);
        }
        let seconds = self.media_workers.measure(call.caller.org_id, audio).await?;
        Ok((seconds > self.async_above.as_secs_f32()).then_some(seconds))
    }

    /// Accepts a call with audio of that length as a job, deducts its price and returns the job's id. `mutes` keeps the
    /// audio with personal data muted.
    pub async fn accept_job(&self, mut call: GuardRequest, seconds: f32, mutes: bool) -> Result<Uuid, Error> {
        let admitted = Box::pin(self.admit(&mut call)).await?;
        let Some(Audio::Upload(audio)) = call.attached.audio.take() else {
            return Err(Error::internal("a job without audio"));
        };
        let (org_id, id) = (call.caller.org_id, new_id(call.now));
        let key = Arc::clone(&self.keys(org_id).await?.data);
        let request = serde_json::to_vec(&StoredRequest::of(&call, mutes)).map_err(Error::internal)?;
        let job = NewJob {
            org_id,
            id,
            created_at: call.now,
            kind: "audio",
            project_id: call.project_id,
            user_id: call.caller.user_id,
            principal: call.caller.principal_name(),
            place: self.jobs.files.place,
            log_id: new_id(call.now),
            operation: call.operation.priced_as(),
            credits: admitted.cost,
            duration: f64::from(seconds),
            sealed_request: key.seal(&request_aad(org_id, id), &request),
        };
        let file = FileId { org: org_id, job: id, kind: FileKind::Upload };
        write_upload(self.jobs.files.clone(), file, key, audio).await?;
        let accepting = self.db.accept_job(&job, MAX_OPEN, self.low_credits);
        let accepted = self.health.write(Box::pin(accepting)).await;
        if !matches!(accepted, Ok(AcceptedJob::Done)) {
            self.jobs.files.delete(file);
        }
        match accepted? {
            AcceptedJob::Done => {}
            AcceptedJob::TooMany => {
                return Err(Error::unavailable(format!(
                    "the organization has {MAX_OPEN} jobs that are not finished, try again later"
                )));
            }
            AcceptedJob::Insufficient { balance } => {
                return Err(insufficient_credits(job.operation, job.credits, balance));
            }
        }
        // Its outcome is counted when it ends.
        outcome_counter::mark_recorded();
        self.jobs.queued.notify_one();
        Ok(id)
    }

    /// Returns the result of a job, as JSON; `None` before it is done.
    pub async fn job_result(&self, job: &Job) -> Result<Option<String>, Error> {
        let Some(sealed) = &job.sealed_result else { return Ok(None) };
        let keys = self.keys(job.org_id).await?;
        let opened = keys.data.open(&result_aad(job.org_id, job.id), sealed)?;
        String::from_utf8(opened).map(Some).map_err(Error::internal)
    }

    /// Returns the muted audio of a job that is done; `None` if there is none here.
    pub async fn job_audio(&self, job: &Job) -> Result<Option<SealedFile>, Error> {
        if job.state != "done" {
            return Ok(None);
        }
        let keys = self.keys(job.org_id).await?;
        let file = FileId { org: job.org_id, job: job.id, kind: FileKind::Muted };
        self.jobs.files.read(file, Arc::clone(&keys.data)).map_err(Error::internal)
    }
}

async fn write_upload(files: JobFiles, id: FileId, key: Arc<DataKey>, audio: Bytes) -> Result<(), Error> {
    let write = move || {
        let mut writer = files.create(id, key)?;
        writer.push(&audio).and_then(|()| writer.finish()).inspect_err(|_| files.delete(id))
    };
    tokio::task::spawn_blocking(write).await.map_err(Error::internal)?.map_err(|error| {
        tracing::error!(%error, "could not write the file of a job");
        Error::unavailable("the file could not be stored, try again later")
    })
}
