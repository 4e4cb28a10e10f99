//! Runs and their results.

use uuid::Uuid;

use crate::db::Tx;
use crate::name::storable;
use crate::{Db, Page, Paged, Result, Timestamp};

/// A run of a policy version over a dataset.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct EvaluationRun {
    /// Identifier: see [`crate::new_id`].
    pub id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Dataset.
    pub dataset_id: Uuid,
    /// Creation time.
    pub created_at: Timestamp,
    /// User behind the call that started it.
    pub user_id: Uuid,
    /// Caller that started it, as log entries name it.
    pub principal: String,
    /// Policy, possibly deleted.
    pub policy_id: Uuid,
    /// Name of the policy at that time.
    pub policy_name: String,
    /// Version of the policy.
    pub policy_version: i64,
    /// Number of cases.
    pub cases: i64,
    /// `queued`, `running`, `done`, `failed` or `canceled`.
    pub state: String,
    /// Number of evaluated cases.
    pub position: i64,
    /// Number of attempts since the last progress.
    pub attempts: i64,
    /// Process that runs it.
    #[sqlx(rename = "runner_id")]
    pub runner: Option<Uuid>,
    /// Time of its end.
    pub finished_at: Option<Timestamp>,
    /// Reason why it failed, for the caller.
    pub error: Option<String>,
    /// The result, as JSON.
    pub result: Option<String>,
}

/// Outcome of starting a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartedRun {
    /// Started.
    Done,
    /// The organization has too many runs, or too many that are not finished.
    TooMany,
    /// The dataset was deleted.
    Missing,
}

macro_rules! run_columns {
    () => {
        "id, org_id, dataset_id, created_at, user_id, principal, policy_id, policy_name, policy_version, cases, state,
         position, attempts, runner_id, finished_at, error, result"
    };
}
pub(super) use run_columns;

impl Tx {
    /// Queues a run, unless the organization has `max_runs` of them or `max_open` that are not finished.
    pub async fn start_evaluation_run(
        &mut self,
        run: &EvaluationRun,
        max_runs: i64,
        max_open: i64,
    ) -> Result<StartedRun> {
        // Locks the organization, so that two starts do not exceed a limit together.
        self.lock_balance(run.org_id).await?;
        let (runs, finished, datasets): (i64, i64, i64) = on!(self.connection(), |c| {
            sqlx::query_as(
                "SELECT COUNT(*), COUNT(finished_at),
                 (SELECT COUNT(*) FROM evaluation_datasets WHERE org_id = $1 AND id = $2)
                 FROM evaluation_runs WHERE org_id = $1",
            )
            .bind(run.org_id)
            .bind(run.dataset_id)
            .fetch_one(c)
            .await?
        });
        if datasets == 0 {
            return Ok(StartedRun::Missing);
        }
        if runs >= max_runs || runs - finished >= max_open {
            return Ok(StartedRun::TooMany);
        }
        self.insert_run(run).await?;
        Ok(StartedRun::Done)
    }

    /// Cancels a run. Returns false unless it exists and is not finished.
    pub async fn cancel_evaluation_run(&mut self, org_id: Uuid, id: Uuid, now: Timestamp) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "UPDATE evaluation_runs SET state = 'canceled', finished_at = $3
                 WHERE org_id = $1 AND id = $2 AND finished_at IS NULL",
            )
            .bind(org_id)
            .bind(id)
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
                > 0
        }))
    }

    /// Deletes a finished run with its results. Returns false unless it exists and is finished.
    pub async fn delete_evaluation_run(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "DELETE FROM evaluation_runs WHERE org_id = $1 AND id = $2 AND finished_at IS NOT NULL",
            )
            .bind(org_id)
            .bind(id)
            .execute(c)
            .await?
            .rows_affected()
                > 0
        }))
    }

    async fn insert_run(&mut self, run: &EvaluationRun) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO evaluation_runs (id, org_id, dataset_id, created_at, user_id, principal, policy_id,
                 policy_name, policy_version, cases, state, position, attempts, leased_until)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'queued', 0, 0, 0)",
            )
            .bind(run.id)
            .bind(run.org_id)
            .bind(run.dataset_id)
            .bind(run.created_at)
            .bind(run.user_id)
            .bind(storable(&run.principal))
            .bind(run.policy_id)
            .bind(storable(&run.policy_name))
            .bind(run.policy_version)
            .bind(run.cases)
            .execute(c)
            .await?;
        });
        Ok(())
    }
}

impl Db {
    /// Returns the run with that identifier.
    pub async fn evaluation_run(&self, org_id: Uuid, id: Uuid) -> Result<Option<EvaluationRun>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                run_columns!(),
                " FROM evaluation_runs WHERE org_id = $1 AND id = $2"
            ))
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists runs, newest first; those of one dataset, if it is named.
    pub async fn evaluation_runs(
        &self,
        org_id: Uuid,
        dataset_id: Option<Uuid>,
        page: Page,
    ) -> Result<Paged<EvaluationRun>> {
        let rows = on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new(concat!(
                "SELECT ",
                run_columns!(),
                " FROM evaluation_runs WHERE org_id = "
            ));
            query.push_bind(org_id).push(" AND id < ").push_bind(page.upper_bound());
            if let Some(dataset) = dataset_id {
                query.push(" AND dataset_id = ").push_bind(dataset);
            }
            query.push(" ORDER BY id DESC LIMIT ").push_bind(page.limit_plus_one());
            query.build_query_as().persistent(false).fetch_all(pool).await?
        });
        Ok(page.finish(rows, |run: &EvaluationRun| run.id))
    }

    /// Returns the results of all evaluated cases of a run as JSON, in the order of the cases.
    pub async fn evaluation_results(&self, org_id: Uuid, run_id: Uuid) -> Result<Vec<String>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT e.result FROM evaluation_results e JOIN evaluation_runs r ON r.id = e.run_id
                 WHERE r.org_id = $1 AND e.run_id = $2 ORDER BY e.position",
            )
            .bind(org_id)
            .bind(run_id)
            .fetch_all(pool)
            .await?
        }))
    }
}
