//! Datasets and their cases.

use uuid::Uuid;

use crate::db::{Tx, chunks};
use crate::name::storable;
use crate::{Db, Deleted, Page, Paged, Result, Timestamp};

/// A dataset of labeled cases.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct EvaluationDataset {
    /// Identifier: see [`crate::new_id`].
    pub id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Creation time.
    pub created_at: Timestamp,
    /// User behind the call that created it.
    pub user_id: Uuid,
    /// Caller that created it, as log entries name it.
    pub principal: String,
    /// Name.
    pub name: String,
    /// `upload` or `feedback`.
    pub source: String,
    /// Number of cases.
    pub cases: i64,
    /// Number of cases that something should flag.
    pub attacks: i64,
    /// Size of the cases before sealing.
    pub bytes: i64,
}

/// Limits of an organization's datasets.
#[derive(Clone, Copy, Debug)]
pub struct DatasetLimits {
    /// Number of datasets.
    pub datasets: i64,
    /// Bytes of all cases together.
    pub bytes: i64,
}

/// Limit that a new dataset would exceed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetRefusal {
    /// The number of datasets.
    TooMany,
    /// The size of all cases together.
    TooLarge,
}

macro_rules! dataset_columns {
    () => {
        "id, org_id, created_at, user_id, principal, name, source, cases, attacks, bytes"
    };
}

impl Tx {
    /// Creates a dataset with its sealed cases, unless a limit refuses it.
    pub async fn create_evaluation_dataset(
        &mut self,
        dataset: &EvaluationDataset,
        sealed_cases: &[Vec<u8>],
        limits: DatasetLimits,
    ) -> Result<Option<DatasetRefusal>> {
        // Locks the organization, so that two creations do not exceed a limit together.
        self.lock_balance(dataset.org_id).await?;
        let (datasets, bytes) = self.evaluation_datasets_size(dataset.org_id).await?;
        if datasets >= limits.datasets {
            return Ok(Some(DatasetRefusal::TooMany));
        }
        if bytes + dataset.bytes > limits.bytes {
            return Ok(Some(DatasetRefusal::TooLarge));
        }
        self.insert_dataset(dataset).await?;
        self.insert_cases(dataset.id, sealed_cases).await?;
        Ok(None)
    }

    /// Deletes a dataset with its cases and runs, unless a run over it is not finished.
    pub async fn delete_evaluation_dataset(&mut self, org_id: Uuid, id: Uuid) -> Result<Deleted> {
        let open: i64 = on!(self.connection(), |c| {
            sqlx::query_scalar(
                "SELECT COUNT(*) FROM evaluation_runs WHERE org_id = $1 AND dataset_id = $2 AND finished_at IS NULL",
            )
            .bind(org_id)
            .bind(id)
            .fetch_one(c)
            .await?
        });
        if open > 0 {
            return Ok(Deleted::InUse(Vec::new()));
        }
        let deleted = on!(self.connection(), |c| {
            sqlx::query("DELETE FROM evaluation_datasets WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(if deleted > 0 { Deleted::Done } else { Deleted::Missing })
    }

    async fn evaluation_datasets_size(&mut self, org_id: Uuid) -> Result<(i64, i64)> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as(
                "SELECT COUNT(*), CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM evaluation_datasets WHERE org_id = $1",
            )
            .bind(org_id)
            .fetch_one(c)
            .await?
        }))
    }

    async fn insert_dataset(&mut self, dataset: &EvaluationDataset) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(concat!(
                "INSERT INTO evaluation_datasets (",
                dataset_columns!(),
                ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)"
            ))
            .bind(dataset.id)
            .bind(dataset.org_id)
            .bind(dataset.created_at)
            .bind(dataset.user_id)
            .bind(storable(&dataset.principal))
            .bind(storable(&dataset.name))
            .bind(storable(&dataset.source))
            .bind(dataset.cases)
            .bind(dataset.attacks)
            .bind(dataset.bytes)
            .execute(c)
            .await?;
        });
        Ok(())
    }

    async fn insert_cases(&mut self, dataset_id: Uuid, sealed_cases: &[Vec<u8>]) -> Result<()> {
        let rows: Vec<(i64, &Vec<u8>)> = (0..).zip(sealed_cases).collect();
        on!(self.connection(), |c| {
            for chunk in chunks(&rows) {
                let mut query = sqlx::QueryBuilder::new(
                    "INSERT INTO evaluation_cases (dataset_id, position, sealed_case) ",
                );
                query.push_values(chunk, |mut row, (position, sealed)| {
                    row.push_bind(dataset_id).push_bind(*position).push_bind(*sealed);
                });
                query.build().execute(&mut *c).await?;
            }
        });
        Ok(())
    }
}

impl Db {
    /// Returns the dataset with that identifier.
    pub async fn evaluation_dataset(&self, org_id: Uuid, id: Uuid) -> Result<Option<EvaluationDataset>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                dataset_columns!(),
                " FROM evaluation_datasets WHERE org_id = $1 AND id = $2"
            ))
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists datasets, newest first.
    pub async fn evaluation_datasets(&self, org_id: Uuid, page: Page) -> Result<Paged<EvaluationDataset>> {
        let rows = on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                dataset_columns!(),
                " FROM evaluation_datasets WHERE org_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3"
            ))
            .bind(org_id)
            .bind(page.upper_bound())
            .bind(page.limit_plus_one())
            .fetch_all(pool)
            .await?
        });
        Ok(page.finish(rows, |dataset: &EvaluationDataset| dataset.id))
    }

    /// Returns sealed cases of a dataset with their positions, from a position on.
    pub async fn evaluation_cases(
        &self,
        org_id: Uuid,
        dataset_id: Uuid,
        from: i64,
        limit: i64,
    ) -> Result<Vec<(i64, Vec<u8>)>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT c.position, c.sealed_case FROM evaluation_cases c
                 JOIN evaluation_datasets d ON d.id = c.dataset_id
                 WHERE d.org_id = $1 AND c.dataset_id = $2 AND c.position >= $3 ORDER BY c.position LIMIT $4",
            )
            .bind(org_id)
            .bind(dataset_id)
            .bind(from)
            .bind(limit)
            .fetch_all(pool)
            .await?
        }))
    }
}
