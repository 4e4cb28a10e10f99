//! Balances and the ledger of every change to them.

use uuid::Uuid;

use crate::{Db, Org, Page, Paged, Result, Timestamp, new_id};

/// A change of a balance.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct CreditEntry {
    /// Its organisation.
    pub org_id: Uuid,
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
            entry_id: new_id(org.created_at),
            created_at: org.created_at,
            operation: "initial".to_owned(),
            amount: org.credits,
            balance_after: org.credits,
            log_id: None,
        }
    }

    fn set(org_id: Uuid, before: i64, balance: i64, now: Timestamp) -> Self {
        Self {
            org_id,
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
            "INSERT INTO credit_entries (org_id, entry_id, created_at, operation, amount, balance_after, log_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(entry.org_id)
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

impl Db {
    /// Sets a balance, which the ledger shows as `set`; false without the organisation.
    pub async fn set_credits(&self, org_id: Uuid, balance: i64, now: Timestamp) -> Result<bool> {
        Ok(in_transaction!(self, |tx| {
            let before = lock_balance!(tx, org_id);
            if let Some(before) = before {
                sqlx::query("UPDATE orgs SET credits = $2 WHERE id = $1")
                    .bind(org_id)
                    .bind(balance)
                    .execute(&mut *tx)
                    .await?;
                insert_entry!(tx, CreditEntry::set(org_id, before, balance, now));
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

    /// The ledger, newest first.
    pub async fn credit_entries(&self, org_id: Uuid, page: Page) -> Result<Paged<CreditEntry>> {
        let rows = on_reader!(self, |pool| {
            sqlx::query_as(
                "SELECT org_id, entry_id, created_at, operation, amount, balance_after, log_id FROM credit_entries
                 WHERE org_id = $1 AND entry_id < $2 ORDER BY entry_id DESC LIMIT $3",
            )
            .bind(org_id)
            .bind(page.before())
            .bind(page.reach())
            .fetch_all(pool)
            .await?
        });
        Ok(page.cut(rows, |entry: &CreditEntry| entry.entry_id))
    }
}
