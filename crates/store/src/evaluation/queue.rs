//! The queue of runs: a replica leases a run, adds results, and keeps the lease until the run ends.

use uuid::Uuid;

use super::EvaluationRun;
use super::runs::run_columns;
use crate::db::chunks;
use crate::name::storable;
use crate::{Db, Error, Result, Timestamp};

impl Db {
    /// Leases the oldest run that waits, or whose replica lost its lease, until that time. Counts an attempt. A run waits
    /// while another one of its organization is running.
    pub async fn claim_evaluation_run(
        &self,
        runner: Uuid,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<EvaluationRun>> {
        match self.try_claim_evaluation_run(runner, now, until).await {
            // Another replica began a run of the same organization at the same time.
            Err(Error::Database(sqlx::Error::Database(error))) if error.is_unique_violation() => Ok(None),
            claimed => claimed,
        }
    }

    async fn try_claim_evaluation_run(
        &self,
        runner: Uuid,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Option<EvaluationRun>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(concat!(
                "UPDATE evaluation_runs SET state = 'running', runner_id = $1, leased_until = $3,
                 attempts = attempts + 1
                 WHERE id = (SELECT r.id FROM evaluation_runs r
                             WHERE r.state IN ('queued', 'running') AND r.leased_until <= $2 AND NOT EXISTS (
                                 SELECT 1 FROM evaluation_runs o
                                 WHERE o.org_id = r.org_id AND o.state = 'running' AND o.id <> r.id)
                             ORDER BY r.created_at, r.id LIMIT 1)
                 AND state IN ('queued', 'running') AND leased_until <= $2
                 RETURNING ",
                run_columns!()
            ))
            .bind(runner)
            .bind(now)
            .bind(until)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Adds the results of the next cases, as JSON, and renews the lease. Returns false when the run was canceled, or
    /// another replica has it: then nothing is added.
    pub async fn add_evaluation_results(
        &self,
        run: &EvaluationRun,
        position: i64,
        results: &[String],
        until: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.write().await?;
        let (before, after) = (position, position + results.len() as i64);
        let is_ours = on!(tx.connection(), |c| {
            sqlx::query(
                "UPDATE evaluation_runs SET position = $3, leased_until = $4,
                 attempts = CASE WHEN position < $3 THEN 1 ELSE attempts END
                 WHERE id = $1 AND runner_id = $2 AND state = 'running' AND position = $5",
            )
            .bind(run.id)
            .bind(run.runner)
            .bind(after)
            .bind(until)
            .bind(before)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        });
        if !is_ours {
            return Ok(false);
        }
        let rows: Vec<(i64, &String)> = (before..).zip(results).collect();
        on!(tx.connection(), |c| {
            for chunk in chunks(&rows) {
                let mut query =
                    sqlx::QueryBuilder::new("INSERT INTO evaluation_results (run_id, position, result) ");
                query.push_values(chunk, |mut row, (position, result)| {
                    row.push_bind(run.id).push_bind(*position).push_bind(storable(result).into_owned());
                });
                query.build().execute(&mut *c).await?;
            }
        });
        tx.commit().await?;
        Ok(true)
    }

    /// Ends a run with its result as JSON, or with the error for the caller. Returns false when it is no longer ours.
    pub async fn finish_evaluation_run(
        &self,
        run: &EvaluationRun,
        outcome: std::result::Result<&str, &str>,
        now: Timestamp,
    ) -> Result<bool> {
        let state = if outcome.is_ok() { "done" } else { "failed" };
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE evaluation_runs SET state = $3, result = $4, error = $5, finished_at = $6
                 WHERE id = $1 AND runner_id = $2 AND state = 'running'",
            )
            .bind(run.id)
            .bind(run.runner)
            .bind(state)
            .bind(outcome.ok().map(storable))
            .bind(outcome.err().map(storable))
            .bind(now)
            .execute(pool)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Gives a run back, to be claimed after that time. `attempts` is the new number of its attempts.
    pub async fn release_evaluation_run(
        &self,
        run: &EvaluationRun,
        attempts: i64,
        claimable_after: Timestamp,
    ) -> Result<()> {
        on!(self.writer(), |pool| {
            sqlx::query(
                "UPDATE evaluation_runs SET state = 'queued', runner_id = NULL, attempts = $3, leased_until = $4
                 WHERE id = $1 AND runner_id = $2 AND state = 'running'",
            )
            .bind(run.id)
            .bind(run.runner)
            .bind(attempts)
            .bind(claimable_after)
            .execute(pool)
            .await?;
        });
        Ok(())
    }
}
