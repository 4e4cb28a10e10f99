//! The start and the end of a job, each with its ledger entry in one transaction.

use uuid::Uuid;

use super::{Job, NewJob};
use crate::db::Tx;
use crate::name::storable;
use crate::{CreditEntry, Db, DecisionRecord, NewEvent, Result, Timestamp, new_id};

/// Operation of the ledger entry that returns the price of a failed job.
const REFUND: &str = "refund";

/// Outcome of accepting a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AcceptedJob {
    /// Accepted and paid.
    Done,
    /// The organization has too many jobs that are not finished.
    TooMany,
    /// Not paid.
    Insufficient {
        /// Balance that was too low.
        balance: i64,
    },
}

/// The end of a job, written with the log entry of its decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinishedJob {
    /// Job.
    pub id: Uuid,
    /// Runner that holds its lease. If another one does, nothing of the decision is written.
    pub runner: Option<Uuid>,
    /// Time of the end.
    pub finished_at: Timestamp,
    /// Result.
    pub sealed_result: Vec<u8>,
    /// Event to emit.
    pub event: NewEvent,
}

impl Db {
    /// Accepts a job and deducts its price, unless the organization has `max_open` unfinished jobs.
    pub async fn accept_job(&self, job: &NewJob, max_open: i64, low_credits: i64) -> Result<AcceptedJob> {
        let mut tx = self.write().await?;
        let Some(balance) = tx.lock_balance(job.org_id).await? else {
            return Ok(AcceptedJob::Insufficient { balance: 0 });
        };
        if tx.open_jobs(job.org_id).await? >= max_open {
            return Ok(AcceptedJob::TooMany);
        }
        if balance < job.credits {
            return Ok(AcceptedJob::Insufficient { balance });
        }
        let charge = Posting { amount: -job.credits, operation: job.operation, log_id: Some(job.log_id) };
        let after = tx.post(job.org_id, charge, job.created_at).await?;
        let low = NewEvent::for_low_balance((balance, after), low_credits, job.created_at);
        tx.insert_events(job.org_id, low.as_slice()).await?;
        tx.insert_job(job).await?;
        tx.commit().await?;
        Ok(AcceptedJob::Done)
    }

    /// Ends a job that failed and returns its price. `error` is for the caller. Returns false when it is finished already,
    /// or was claimed since it was read.
    pub async fn fail_job(&self, job: &Job, error: &str, event: NewEvent, now: Timestamp) -> Result<bool> {
        let mut tx = self.write().await?;
        // The job before the organization, as commits do, so that two writers never deadlock.
        if !tx.fail(job, error, now).await? {
            return Ok(false);
        }
        let refund = Posting { amount: job.credits, operation: REFUND, log_id: None };
        tx.post(job.org_id, refund, now).await?;
        tx.insert_events(job.org_id, &[event]).await?;
        tx.commit().await?;
        Ok(true)
    }
}

/// A change of a balance.
struct Posting {
    amount: i64,
    operation: &'static str,
    log_id: Option<Uuid>,
}

impl Tx {
    /// Changes a balance, which must cover it, with a ledger entry. An amount of zero leaves no entry. Returns the balance.
    async fn post(&mut self, org_id: Uuid, posting: Posting, now: Timestamp) -> Result<i64> {
        let Posting { amount, operation, log_id } = posting;
        let (balance_after, sequence): (i64, i64) = on!(self.connection(), |c| {
            sqlx::query_as(
                "UPDATE orgs SET credits = credits + $2, entry_count = entry_count + $3 WHERE id = $1
                 RETURNING credits, entry_count",
            )
            .bind(org_id)
            .bind(amount)
            .bind(i64::from(amount != 0))
            .fetch_one(c)
            .await?
        });
        if amount != 0 {
            let entry_id = log_id.unwrap_or_else(|| new_id(now));
            let operation = operation.to_owned();
            let entry = CreditEntry {
                org_id,
                sequence,
                entry_id,
                created_at: now,
                operation,
                amount,
                balance_after,
                log_id,
                entries: 1,
            };
            self.insert_credit_entries(&[entry]).await?;
        }
        Ok(balance_after)
    }

    async fn open_jobs(&mut self, org_id: Uuid) -> Result<i64> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar("SELECT COUNT(*) FROM jobs WHERE org_id = $1 AND finished_at IS NULL")
                .bind(org_id)
                .fetch_one(c)
                .await?
        }))
    }

    async fn insert_job(&mut self, job: &NewJob) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO jobs (org_id, id, created_at, kind, project_id, user_id, principal, place_id, log_id, credits,
                 duration, sealed_request, state, progress, attempts, leased_until)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 'queued', 0, 0, 0)",
            )
            .bind(job.org_id)
            .bind(job.id)
            .bind(job.created_at)
            .bind(job.kind)
            .bind(job.project_id)
            .bind(job.user_id)
            .bind(storable(&job.principal))
            .bind(job.place)
            .bind(job.log_id)
            .bind(job.credits)
            .bind(job.duration)
            .bind(&job.sealed_request)
            .execute(c)
            .await?;
        });
        Ok(())
    }

    /// Marks a job as failed, unless it was claimed since it was read.
    async fn fail(&mut self, job: &Job, error: &str, now: Timestamp) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "UPDATE jobs SET state = 'failed', error = $4, finished_at = $5
                 WHERE org_id = $1 AND id = $2 AND finished_at IS NULL AND attempts = $3",
            )
            .bind(job.org_id)
            .bind(job.id)
            .bind(job.attempts)
            .bind(storable(error))
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Ends the jobs of an organization's decisions. Returns the indices of those whose lease another runner has.
    pub(crate) async fn finish_jobs(
        &mut self,
        decisions: &[DecisionRecord],
        indices: &[usize],
    ) -> Result<Vec<usize>> {
        let mut lost = Vec::new();
        for index in indices {
            let Some(job) = &decisions[*index].side_effects.job else { continue };
            if !self.finish_job(decisions[*index].log.org_id, job).await? {
                lost.push(*index);
            }
        }
        Ok(lost)
    }

    async fn finish_job(&mut self, org_id: Uuid, job: &FinishedJob) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "UPDATE jobs SET state = 'done', progress = 1, sealed_result = $4, finished_at = $5
                 WHERE org_id = $1 AND id = $2 AND runner_id = $3 AND state = 'running'",
            )
            .bind(org_id)
            .bind(job.id)
            .bind(job.runner)
            .bind(&job.sealed_result)
            .bind(job.finished_at)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }
}
