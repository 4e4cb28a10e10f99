//! The job object of responses, and its visibility.

use guardengine_auth::Principal;
use guardengine_guard::AudioDecision;
use guardengine_store::{Job, JobScope, Timestamp};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::Tenants, http::Error};

/// A job.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobRecord {
    job_id: Uuid,
    /// `audio`.
    kind: String,
    #[schema(value_type = guardengine_api_types::choices::JobStatus)]
    status: String,
    /// Share of the audio that is transcribed, 0 to 1.
    progress: f64,
    /// Length of the audio, seconds.
    duration_seconds: f64,
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Time at which it was done or failed. It is deleted 24 hours later.
    #[schema(value_type = Option<String>, format = DateTime)]
    finished_at: Option<Timestamp>,
    /// Reason why it failed.
    error: Option<String>,
}

/// A job with its result.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobWithResult {
    #[serde(flatten)]
    job: JobRecord,
    /// The decision, as the synchronous call answers it; null before the job is done.
    #[schema(value_type = Option<AudioDecision>)]
    result: Option<Box<RawValue>>,
}

impl From<Job> for JobRecord {
    fn from(job: Job) -> Self {
        Self {
            job_id: job.id,
            kind: job.kind,
            status: job.state,
            progress: guardengine_api_types::rounded(job.progress),
            duration_seconds: guardengine_api_types::rounded(job.duration),
            project_id: job.project_id,
            created_at: job.created_at,
            finished_at: job.finished_at,
            error: job.error,
        }
    }
}

impl JobWithResult {
    /// Adds the result, as JSON, to a job.
    pub fn of(job: Job, result: Option<String>) -> Result<Self, Error> {
        let result = result.map(RawValue::from_string).transpose().map_err(Error::internal)?;
        Ok(Self { job: job.into(), result })
    }
}

/// Returns the jobs that the caller sees: owners and admins see all, others those that they or their API keys created.
pub fn scope(caller: &Principal) -> Option<JobScope> {
    let scope = JobScope { user_id: caller.user_id, project_id: caller.project_id };
    (!caller.sees_all_projects()).then_some(scope)
}

/// Returns a job that the caller may see, or 404.
pub async fn seen_by(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<Job, Error> {
    let job = tenants.db.job(caller.org_id, id).await?;
    let visible = job.filter(|job| scope(caller).is_none_or(|scope| scope.includes(job)));
    visible.ok_or_else(|| Error::not_found("job"))
}
