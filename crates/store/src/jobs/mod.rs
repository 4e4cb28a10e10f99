//! Jobs: calls that are evaluated in the background, charged when they are accepted.

mod queue;
mod settle;

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::{Db, Page, Paged, Result, Timestamp};

pub use settle::{AcceptedJob, FinishedJob};

const DELETE_BATCH: i64 = 100;

/// A job to accept.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// Organization.
    pub org_id: Uuid,
    /// Identifier: see [`crate::new_id`].
    pub id: Uuid,
    /// Time of the call.
    pub created_at: Timestamp,
    /// Kind of the call: `audio`.
    pub kind: &'static str,
    /// Project of the call.
    pub project_id: Option<Uuid>,
    /// User behind the call, as in [`LogEntry::user_id`](crate::LogEntry::user_id).
    pub user_id: Uuid,
    /// Caller, as log entries name it.
    pub principal: String,
    /// Data directory that holds its file.
    pub place: Uuid,
    /// Identifier of the log entry that it will write.
    pub log_id: Uuid,
    /// Operation for the ledger.
    pub operation: &'static str,
    /// Price.
    pub credits: i64,
    /// Length in seconds.
    pub duration: f64,
    /// The call, sealed.
    pub sealed_request: Vec<u8>,
}

/// A job.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Job {
    /// Organization.
    pub org_id: Uuid,
    /// Identifier.
    pub id: Uuid,
    /// Time of the call.
    pub created_at: Timestamp,
    /// Kind of the call: `audio`.
    pub kind: String,
    /// Project of the call, possibly deleted.
    pub project_id: Option<Uuid>,
    /// User behind the call.
    pub user_id: Uuid,
    /// Caller, as log entries name it.
    pub principal: String,
    /// Identifier of the log entry that it writes before it is done.
    pub log_id: Uuid,
    /// Price, paid when it was accepted.
    pub credits: i64,
    /// Length in seconds.
    pub duration: f64,
    /// The call, sealed.
    pub sealed_request: Vec<u8>,
    /// `queued`, `running`, `done` or `failed`.
    pub state: String,
    /// 0 to 1.
    pub progress: f64,
    /// Number of attempts started.
    pub attempts: i64,
    /// Process that runs it.
    #[sqlx(rename = "runner_id")]
    pub runner: Option<Uuid>,
    /// Time at which it was done or failed.
    pub finished_at: Option<Timestamp>,
    /// The result, sealed.
    pub sealed_result: Option<Vec<u8>>,
    /// Reason why it failed, for the caller.
    pub error: Option<String>,
}

/// Jobs that a caller sees who does not see all.
#[derive(Clone, Copy, Debug)]
pub struct JobScope {
    /// The user who created them.
    pub user_id: Uuid,
    /// The only project, for an API key that is bound to one.
    pub project_id: Option<Uuid>,
}

macro_rules! job_columns {
    () => {
        "org_id, id, created_at, kind, project_id, user_id, principal, log_id, credits, duration, sealed_request, state,
         progress, attempts, runner_id, finished_at, sealed_result, error"
    };
}
pub(crate) use job_columns;

impl JobScope {
    /// Returns whether a job is visible.
    pub fn includes(&self, job: &Job) -> bool {
        job.user_id == self.user_id && (self.project_id.is_none() || self.project_id == job.project_id)
    }

    fn narrow<DB: Database>(&self, query: &mut QueryBuilder<DB>)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    {
        query.push(" AND user_id = ").push_bind(self.user_id);
        if let Some(project) = self.project_id {
            query.push(" AND project_id = ").push_bind(project);
        }
    }
}

impl Db {
    /// Returns the job with that identifier.
    pub async fn job(&self, org_id: Uuid, id: Uuid) -> Result<Option<Job>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!("SELECT ", job_columns!(), " FROM jobs WHERE org_id = $1 AND id = $2"))
                .bind(org_id)
                .bind(id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Lists jobs, newest first. `None` as scope does not restrict. Sealed values are left out.
    pub async fn jobs(&self, org_id: Uuid, scope: Option<JobScope>, page: Page) -> Result<Paged<Job>> {
        let rows = on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new(
                "SELECT org_id, id, created_at, kind, project_id, user_id, principal, log_id, credits, duration, state,
                 progress, attempts, runner_id, finished_at, error, substr(sealed_request, 1, 0) AS sealed_request,
                 NULL AS sealed_result
                 FROM jobs WHERE org_id = ",
            );
            query.push_bind(org_id).push(" AND id < ").push_bind(page.upper_bound());
            if let Some(scope) = scope {
                scope.narrow(&mut query);
            }
            query.push(" ORDER BY id DESC LIMIT ").push_bind(page.limit_plus_one());
            query.build_query_as().persistent(false).fetch_all(pool).await?
        });
        Ok(page.finish(rows, |job: &Job| job.id))
    }

    /// Returns those of `ids` that are jobs of any organization.
    pub async fn existing_jobs(&self, ids: &[Uuid]) -> Result<Vec<Uuid>> {
        let mut known = Vec::new();
        on!(self.reader(), |pool| {
            for chunk in crate::db::chunks(ids) {
                let mut query = QueryBuilder::new("SELECT id FROM jobs WHERE id IN (");
                let mut list = query.separated(", ");
                for id in chunk {
                    list.push_bind(*id);
                }
                query.push(")");
                known.extend(query.build_query_scalar::<Uuid>().persistent(false).fetch_all(pool).await?);
            }
        });
        Ok(known)
    }

    /// Returns some jobs that were accepted before that time, are not finished, and have no runner at `now`.
    pub async fn overdue_jobs(&self, before: Timestamp, now: Timestamp) -> Result<Vec<Job>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                job_columns!(),
                " FROM jobs WHERE finished_at IS NULL AND created_at < $1 AND leased_until < $2 LIMIT $3"
            ))
            .bind(before)
            .bind(now)
            .bind(DELETE_BATCH)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Deletes some jobs that finished before that time and returns how many. Works in small batches, so that others can
    /// write in between.
    pub async fn delete_jobs_before(&self, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM jobs WHERE id IN (SELECT id FROM jobs WHERE finished_at < $1 LIMIT $2)
                 AND finished_at < $1",
            )
            .bind(time)
            .bind(DELETE_BATCH)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
