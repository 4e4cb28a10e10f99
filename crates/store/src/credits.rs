//! Balances and the ledger of every change to them.

use uuid::Uuid;

use crate::events::keep_events;
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

macro_rules! insert_entry {
    ($tx:expr, $entry:expr) => {{
        let entry = $entry;
        sqlx::query(
            "INSERT INTO credit_entries
             (org_id, sequence, entry_id, created_at, operation, amount, balance_after, log_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(entry.org_id)
        .bind(entry.sequence)
        .bind(entry.entry_id)
        .bind(entry.created_at)
        .bind(entry.operation)
        .bind(entry.amount)
        .bind(entry.balance_after)
        .bind(entry.log_id)
        .execute(&mut *$tx)
        .await?
    }};
}
pub(crate) use insert_entry;

/// The balance of an organisation, its row locked until the transaction ends: an update that changes nothing
/// locks on both databases.
macro_rules! lock_balance {
    ($tx:expr, $org_id:expr) => {
        sqlx::query_scalar::<_, i64>("UPDATE orgs SET credits = credits WHERE id = $1 RETURNING credits")
            .bind($org_id)
            .fetch_optional(&mut *$tx)
            .await?
    };
}
pub(crate) use lock_balance;

/// The sequence of the entry that is to say so.
macro_rules! set_balance {
    ($tx:expr, $org_id:expr, $balance:expr) => {
        sqlx::query_scalar::<_, i64>(
            "UPDATE orgs SET credits = $2, entry_count = entry_count + 1 WHERE id = $1 RETURNING entry_count",
        )
        .bind($org_id)
        .bind($balance)
        .fetch_one(&mut *$tx)
        .await?
    };
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
        Ok(in_transaction!(self, |tx| {
            let before = lock_balance!(tx, org_id);
            if let Some(before) = before {
                let sequence = set_balance!(tx, org_id, balance);
                insert_entry!(tx, CreditEntry::set(org_id, sequence, (before, balance), now));
                let low = NewEvent::of_fall((before, balance), low_credits, now);
                keep_events!(tx, org_id, low.as_slice());
            }
            before.is_some()
        }))
    }

    /// The balance of an organisation.
    pub async fn balance(&self, org_id: Uuid) -> Result<Option<i64>> {
        Ok(on_reader!(self, |pool| {
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
        Ok(on_reader!(self, |pool| {
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
