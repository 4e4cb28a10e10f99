use axum::extract::State;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::Timestamp;
use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use crate::{
    app::Tenants,
    dashboard::usage::{self, HourOfUsage, NewestCharges},
    http::{Answer, Caller, Error, FromFields, Json, Query},
    routes::{dashboard::get::period_of, logs::filter::time},
};

/// Period of the usage.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct UsageQuery {
    /// Start of the period, inclusive. Default: one day before the end.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// End of the period, exclusive, at most 400 days after the start. Default: the end of the current hour.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
}

impl FromFields for UsageQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self { from: time(fields, "from")?, to: time(fields, "to")? })
    }
}

/// The balance, and the credits charged by hour.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreditUsage {
    /// Current balance.
    balance: i64,
    /// Start of the period.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// End of the period.
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    /// Hours with a charge, in ascending order.
    hours: Vec<HourOfUsage>,
    newest: NewestCharges,
}

/// Get the usage of credits
///
/// Credits charged in each hour of a period, and by the newest charges.
#[utoipa::path(
    get, path = "/api/credits/usage", tag = "organization", operation_id = "credits_usage",
    params(UsageQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The balance and the usage by hour", body = CreditUsage),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(UsageQuery { from, to }): Query<UsageQuery>,
) -> Answer<CreditUsage> {
    let period = period_of(from, to, tenants.clock.now())?;
    let db = &tenants.db;
    let balance = db.balance(caller.org_id).await?.ok_or_else(|| Error::not_found("organization"))?;
    let hours = usage::hours(db, caller.org_id, period).await?;
    let newest = usage::newest(db, caller.org_id).await?;
    Ok(Json(CreditUsage { balance, from: period.from, to: period.to, hours, newest }))
}
