//! Balances and the ledger of every change to them.

use uuid::Uuid;

use crate::tx::Tx;
use crate::{Db, NewEvent, Org, Result, Timestamp, new_id};

/// A change of a balance.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct CreditEntry {
    /// Its organisation.
    pub org_id: Uuid,
    /// 1 for the organisation's first, one more with every change: the order in which the balance moved.
    pub sequence: i64,
    /// Its id; a decision's entry carries the id of the log row.
    pub entry_id: Uuid,
    /// When.
    pub created_at: Timestamp,
    /// What for: `initial`, `set`, or the operation as the configuration names it (`analyze`, …).
    pub operation: String,
    /// Added (positive) or spent (negative).
    pub amount: i64,
    /// The balance after it.
    pub balance_after: i64,
    /// The decision that was paid.
    pub log_id: Option<Uuid>,
}

impl CreditEntry {
    pub(crate) fn opening(org: &Org) -> Self {
        Self {
            org_id: org.id,
            sequence: 1,
            entry_id: new_id(org.created_at),
            created_at: org.created_at,
            operation: "initial".to_owned(),
            amount: org.credits,
            balance_after: org.credits,
            log_id: None,
        }
    }

    fn set(org_id: Uuid, sequence: i64, change: (i64, i64), now: Timestamp) -> Self {
        let (before, balance) = change;
        Self {
            org_id,
            sequence,
            entry_id: new_id(now),
            created_at: now,
            operation: "set".to_owned(),
            amount: balance - before,
            balance_after: balance,
            log_id: None,
        }
    }
}

impl Tx {
    pub(crate) async fn insert_credit_entry(&mut self, entry: &CreditEntry) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO credit_entries
                 (org_id, sequence, entry_id, created_at, operation, amount, balance_after, log_id)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(entry.org_id)
            .bind(entry.sequence)
            .bind(entry.entry_id)
            .bind(entry.created_at)
            .bind(&entry.operation)
            .bind(entry.amount)
            .bind(entry.balance_after)
            .bind(entry.log_id)
            .execute(&mut *c)
            .await?;
        });
        Ok(())
    }

    /// The balance of an organisation, its row locked until the transaction ends: an update that changes nothing
    /// locks on both databases.
    pub(crate) async fn lock_balance(&mut self, org_id: Uuid) -> Result<Option<i64>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, i64>("UPDATE orgs SET credits = credits WHERE id = $1 RETURNING credits")
                .bind(org_id)
                .fetch_optional(c)
                .await?
        }))
    }

    /// The sequence of the entry that is to say so.
    pub(crate) async fn set_balance(&mut self, org_id: Uuid, balance: i64) -> Result<i64> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, i64>(
            "UPDATE orgs SET credits = $2, entry_count = entry_count + 1 WHERE id = $1 RETURNING entry_count",
        )
        .bind(org_id)
        .bind(balance)
        .fetch_one(c)
        .await?
        }))
    }
}

impl Db {
    /// Sets a balance, which the ledger shows as `set`, and tells that it fell below `low_credits` (0: never); false
    /// without the organisation.
    pub async fn set_credits(
        &self,
        org_id: Uuid,
        balance: i64,
        low_credits: i64,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tx = self.write().await?;
        let Some(before) = tx.lock_balance(org_id).await? else { return Ok(false) };
        let sequence = tx.set_balance(org_id, balance).await?;
        tx.insert_credit_entry(&CreditEntry::set(org_id, sequence, (before, balance), now)).await?;
        let low = NewEvent::of_fall((before, balance), low_credits, now);
        tx.insert_events(org_id, low.as_slice()).await?;
        tx.commit().await?;
        Ok(true)
    }

    /// The balance of an organisation.
    pub async fn balance(&self, org_id: Uuid) -> Result<Option<i64>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT credits FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// The ledger, newest first: `limit` entries before a sequence, `None` for the newest.
    pub async fn credit_entries(
        &self,
        org_id: Uuid,
        before: Option<i64>,
        limit: u16,
    ) -> Result<Vec<CreditEntry>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT org_id, sequence, entry_id, created_at, operation, amount, balance_after, log_id
                 FROM credit_entries WHERE org_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3",
            )
            .bind(org_id)
            .bind(before.unwrap_or(i64::MAX))
            .bind(i64::from(limit))
            .fetch_all(pool)
            .await?
        }))
    }
}
