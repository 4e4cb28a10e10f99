use axum::extract::State;
use guardengine_store::{CreditEntry, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    http::{Answer, Error, Json, PageParameters, PageQuery, Principal},
};

/// A change of the balance.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerEntry {
    entry_id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// `initial`, `set`, or the operation that was paid (`analyze`, …).
    operation: String,
    /// Added (positive) or spent (negative).
    amount: i64,
    /// The balance after it.
    balance_after: i64,
    /// The log row of what was paid.
    log_id: Option<Uuid>,
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
        }
    }
}

/// The balance and a page of what made it.
#[derive(Debug, Serialize, ToSchema)]
pub struct Credits {
    /// Now.
    balance: i64,
    /// Newest first.
    ledger: Vec<LedgerEntry>,
    /// `cursor` of the next page; null at the end.
    next_cursor: Option<String>,
}

/// See the balance and the ledger
///
/// The amounts of all entries come to the balance.
#[utoipa::path(
    get, path = "/api/credits", tag = "organization", operation_id = "credits_get",
    params(PageParameters),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The balance and a page of the ledger", body = Credits),
    )
)]
pub async fn handle(State(app): State<App>, caller: Principal, page: PageQuery<i64>) -> Answer<Credits> {
    let balance = app.db.balance(caller.org_id).await?.ok_or_else(|| Error::not_found("organization"))?;
    let entries = app.db.credit_entries(caller.org_id, page.cursor, page.limit).await?;
    // The first entry of all has the sequence 1, and there is no gap after it.
    let older = entries.last().map(|entry| entry.sequence).filter(|sequence| *sequence > 1);
    let ledger = entries.into_iter().map(LedgerEntry::from).collect();
    Ok(Json(Credits { balance, ledger, next_cursor: older.map(|sequence| sequence.to_string()) }))
}
