use axum::extract::State;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{CreditEntry, Db, Period, Timestamp};
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::prices::Prices;
use crate::{
    app::{Operations, Tenants},
    http::{Answer, Caller, Error, FromFields, Json, NumberedPageParameters, PageQuery, Query},
    routes::logs::filter::time,
};

/// Page and period of the ledger.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LedgerQuery {
    #[param(ignore)]
    page: PageQuery<i64>,
    /// Earliest time, inclusive.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Latest time, exclusive.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
}

impl FromFields for LedgerQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let (from, to) = (time(fields, "from")?, time(fields, "to")?);
        if from.zip(to).is_some_and(|(from, to)| from >= to) {
            return Err(FieldError::value("to", "must be after from"));
        }
        Ok(Self { page: PageQuery::from_fields(fields)?, from, to })
    }
}

impl LedgerQuery {
    /// Returns a page of ledger entries, and true if there are older ones.
    async fn entries(&self, db: &Db, org: Uuid) -> guardengine_store::Result<(Vec<CreditEntry>, bool)> {
        let Self { page: PageQuery { cursor, limit }, from, to } = *self;
        let more = limit + 1;
        let mut entries = if from.is_none() && to.is_none() {
            db.credit_entries(org, cursor, more).await?
        } else {
            let end = Timestamp::from_micros(i64::MAX);
            let period = Period { from: from.unwrap_or_default(), to: to.unwrap_or(end) };
            db.credit_entries_in(org, period, cursor, more).await?
        };
        let has_older = entries.len() > usize::from(limit);
        entries.truncate(limit.into());
        Ok((entries, has_older))
    }
}

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
/// The balance is the sum of all amounts. With `from` or `to`, the ledger has the entries of that period. A call costs its
/// price for each started `unit` of text that is evaluated; images
/// cost theirs on top.
#[utoipa::path(
    get, path = "/api/credits", tag = "organization", operation_id = "credits_get",
    params(NumberedPageParameters, LedgerQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The balance and a page of the ledger", body = Credits),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    Query(query): Query<LedgerQuery>,
) -> Answer<Credits> {
    let balance = tenants.db.balance(caller.org_id).await?.ok_or_else(|| Error::not_found("organization"))?;
    let (entries, has_older) = query.entries(&tenants.db, caller.org_id).await?;
    let last = entries.last().filter(|_| has_older).map(|entry| entry.sequence.to_string());
    let ledger = entries.into_iter().map(LedgerEntry::from).collect();
    let costs = &operations.settings.guard.costs;
    let (unit, cost) = (costs.unit, Prices::from(costs));
    Ok(Json(Credits { balance, unit, cost, ledger, next_cursor: last }))
}
