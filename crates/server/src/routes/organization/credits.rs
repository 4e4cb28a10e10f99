use axum::extract::State;
use guardengine_store::{CreditEntry, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::prices::Prices;
use crate::{
    app::{Operations, Tenants},
    http::{Answer, Caller, Error, Json, NumberedPageParameters, PageQuery},
};

/// A ledger entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerEntry {
    entry_id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// `initial`, `set`, `refund` (of a failed job), or the charged operation (`analyze`, …).
    operation: String,
    /// Credits added (positive) or spent (negative).
    amount: i64,
    /// Balance after this entry.
    balance_after: i64,
    /// Log entry of the charged request, which a job writes when it is done; null for a sum and a refund.
    log_id: Option<Uuid>,
    /// Number of changes that it sums up. Once `credits.retention` has passed, each operation has one entry a day (UTC).
    entries: i64,
}

impl From<CreditEntry> for LedgerEntry {
    fn from(entry: CreditEntry) -> Self {
        Self {
            entry_id: entry.entry_id,
            created_at: entry.created_at,
            operation: entry.operation,
            amount: entry.amount,
            balance_after: entry.balance_after,
            log_id: entry.log_id,
            entries: entry.entries,
        }
    }
}

/// The balance and a page of the ledger.
#[derive(Debug, Serialize, ToSchema)]
pub struct Credits {
    /// Current balance.
    balance: i64,
    /// Characters of evaluated text for each of which, started, a call costs its price; 0 if its size does not count.
    unit: usize,
    cost: Prices,
    /// Newest first.
    ledger: Vec<LedgerEntry>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// Get the balance and the ledger
///
/// The balance is the sum of all amounts. A call costs its price for each started `unit` of text that is evaluated; images
/// cost theirs on top.
#[utoipa::path(
    get, path = "/api/credits", tag = "organization", operation_id = "credits_get",
    params(NumberedPageParameters),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The balance and a page of the ledger", body = Credits),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    page: PageQuery<i64>,
) -> Answer<Credits> {
    let balance = tenants.db.balance(caller.org_id).await?.ok_or_else(|| Error::not_found("organization"))?;
    let entries = tenants.db.credit_entries(caller.org_id, page.cursor, page.limit).await?;
    // The first entry has sequence number 1, and no roll-up removes it.
    let older = entries.last().map(|entry| entry.sequence).filter(|sequence| *sequence > 1);
    let ledger = entries.into_iter().map(LedgerEntry::from).collect();
    let costs = &operations.settings.guard.costs;
    let (unit, cost) = (costs.unit, Prices::from(costs));
    Ok(Json(Credits { balance, unit, cost, ledger, next_cursor: older.map(|sequence| sequence.to_string()) }))
}
