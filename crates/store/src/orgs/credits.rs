//! Credit balances and the ledger of every change to them.

use sqlx::QueryBuilder;
use uuid::Uuid;

use crate::db::{Tx, chunks};
use crate::{Db, NewEvent, Org, Period, Result, Timestamp, new_id};

/// A ledger entry.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct CreditEntry {
    /// Organization.
    pub org_id: Uuid,
    /// Position in the organization's ledger: 1 for the first entry, incremented by every change.
    pub sequence: i64,
    /// Identifier; for a decision, the identifier of its log entry.
    pub entry_id: Uuid,
    /// Creation time.
    pub created_at: Timestamp,
    /// Operation: `initial`, `set`, `refund` of a failed job, or the operation named in the configuration (`analyze`, …).
    pub operation: String,
    /// Credits added (positive) or spent (negative).
    pub amount: i64,
    /// Balance afterwards.
    pub balance_after: i64,
    /// Log entry that was paid for.
    pub log_id: Option<Uuid>,
    /// Number of changes that it sums up; 1 until [`Db::roll_up_credits`] summed up its day.
    pub entries: i64,
}

pub(crate) const COLUMNS: &str =
    "org_id, sequence, entry_id, created_at, operation, amount, balance_after, log_id, entries";

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
            entries: 1,
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
            entries: 1,
        }
    }
}

impl Tx {
    /// Sets a balance with a ledger entry `set`, and emits [`CREDITS_LOW`](crate::CREDITS_LOW) when it drops below
    /// `low_credits` (0 disables the event). Returns false when the organization does not exist.
    pub async fn set_credits(
        &mut self,
        org_id: Uuid,
        balance: i64,
        low_credits: i64,
        now: Timestamp,
    ) -> Result<bool> {
        let Some(before) = self.lock_balance(org_id).await? else { return Ok(false) };
        let sequence = self.set_balance(org_id, balance).await?;
        self.insert_credit_entries(&[CreditEntry::set(org_id, sequence, (before, balance), now)]).await?;
        let low = NewEvent::for_low_balance((before, balance), low_credits, now);
        self.insert_events(org_id, low.as_slice()).await?;
        Ok(true)
    }

    pub(crate) async fn insert_credit_entries(&mut self, entries: &[CreditEntry]) -> Result<()> {
        on!(self.connection(), |c| {
            for chunk in chunks(entries) {
                let mut query = QueryBuilder::new("INSERT INTO credit_entries (");
                query.push(COLUMNS).push(") ");
                // In the order of the columns.
                query.push_values(chunk, |mut row, entry| {
                    row.push_bind(entry.org_id).push_bind(entry.sequence).push_bind(entry.entry_id);
                    row.push_bind(entry.created_at).push_bind(&entry.operation).push_bind(entry.amount);
                    row.push_bind(entry.balance_after).push_bind(entry.log_id).push_bind(entry.entries);
                });
                query.build().execute(&mut *c).await?;
            }
        });
        Ok(())
    }

    /// Returns an organization's balance and locks its row until the transaction ends: an update that changes nothing
    /// locks on both databases.
    pub(crate) async fn lock_balance(&mut self, org_id: Uuid) -> Result<Option<i64>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, i64>("UPDATE orgs SET credits = credits WHERE id = $1 RETURNING credits")
                .bind(org_id)
                .fetch_optional(c)
                .await?
        }))
    }

    /// Sets the balance and returns the sequence for its ledger entry.
    async fn set_balance(&mut self, org_id: Uuid, balance: i64) -> Result<i64> {
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
    /// Returns an organization's balance.
    pub async fn balance(&self, org_id: Uuid) -> Result<Option<i64>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT credits FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Lists up to `limit` ledger entries before a sequence, newest first; `None` starts at the newest.
    pub async fn credit_entries(
        &self,
        org_id: Uuid,
        before: Option<i64>,
        limit: u16,
    ) -> Result<Vec<CreditEntry>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM credit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence < ").push_bind(before.unwrap_or(i64::MAX));
            query.push(" ORDER BY sequence DESC LIMIT ").push_bind(i64::from(limit));
            query.build_query_as().fetch_all(pool).await?
        }))
    }

    /// Lists up to `limit` ledger entries that were created in a period, newest first. `before` is the sequence of the
    /// last entry of the previous page, or of one that was summed up since.
    pub async fn credit_entries_in(
        &self,
        org_id: Uuid,
        period: Period,
        before: Option<i64>,
        limit: u16,
    ) -> Result<Vec<CreditEntry>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM credit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" AND created_at >= ").push_bind(period.from);
            query.push(" AND created_at < ").push_bind(period.to);
            if let Some(before) = before {
                query.push(
                    " AND (created_at, sequence) < ((SELECT created_at FROM credit_entries WHERE org_id = ",
                );
                query.push_bind(org_id).push(" AND sequence >= ").push_bind(before);
                query.push(" ORDER BY sequence LIMIT 1), ").push_bind(before).push(")");
            }
            query.push(" ORDER BY created_at DESC, sequence DESC LIMIT ").push_bind(i64::from(limit));
            query.build_query_as().fetch_all(pool).await?
        }))
    }
}
