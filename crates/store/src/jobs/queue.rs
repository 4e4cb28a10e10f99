//! The queue of jobs: a runner leases a job and keeps the lease until the job ends.

use uuid::Uuid;

use super::{Job, job_columns};
use crate::{Db, Result, Timestamp};

impl Db {
    /// Leases the oldest job of a place that waits, or whose runner lost its lease, until that time. Counts an attempt.
    pub async fn claim_job(
        &self,
        place: Uuid,
        runner: Uuid,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<Job>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE jobs SET state = 'running', runner_id = $2, leased_until = $4, attempts = attempts + 1
                 WHERE id = (SELECT id FROM jobs WHERE place_id = $1 AND state IN ('queued', 'running')
                             AND leased_until <= $3 ORDER BY created_at, id LIMIT 1)
                 AND state IN ('queued', 'running') AND leased_until <= $3
                 RETURNING ",
                job_columns!()
            ))
            .bind(place)
            .bind(runner)
            .bind(now)
            .bind(until)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Writes the progress of a job and renews its lease. Returns false when another runner has it.
    pub async fn renew_job(&self, job: &Job, progress: f64, until: Timestamp) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE jobs SET progress = $4, leased_until = $5
                 WHERE org_id = $1 AND id = $2 AND runner_id = $3 AND state = 'running'",
            )
            .bind(job.org_id)
            .bind(job.id)
            .bind(job.runner)
            .bind(progress)
            .bind(until)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Gives a job back, to be claimed after that time. `attempts` is the new number of its attempts.
    pub async fn release_job(&self, job: &Job, attempts: i64, claimable_after: Timestamp) -> Result<()> {
        on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE jobs SET state = 'queued', progress = 0, runner_id = NULL, attempts = $4, leased_until = $5
                 WHERE org_id = $1 AND id = $2 AND runner_id = $3 AND state = 'running'",
            )
            .bind(job.org_id)
            .bind(job.id)
            .bind(job.runner)
            .bind(attempts)
            .bind(claimable_after)
            .execute(pool)
            .await?;
        });
        Ok(())
    }
}
