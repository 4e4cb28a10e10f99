use axum::extract::State;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{AuditEntry, AuditFilter, Timestamp, hexadecimal};
use serde::Serialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, FromFields, Json, NumberedPageParameters, PageQuery, Query},
    routes::logs::filter::time,
};

const MAX_FILTER_LENGTH: usize = 1_000;

/// Filters of the audit trail.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    #[param(ignore)]
    page: PageQuery<i64>,
    /// Action, such as `PROJECTS:CREATE_PROJECT`: one of `AuditAction`.
    #[param(max_length = 1000)]
    action: Option<String>,
    /// `user:NAME`, `api_key:ID` or `operator`.
    #[param(max_length = 1000)]
    principal: Option<String>,
    /// Earliest time, inclusive.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Latest time, exclusive.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
}

impl FromFields for AuditQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        let text = |field| Ok(fields.short_string(field, MAX_FILTER_LENGTH)?.map(str::to_owned));
        Ok(Self {
            page: PageQuery::from_fields(fields)?,
            action: text("action")?,
            principal: text("principal")?,
            from: time(fields, "from")?,
            to: time(fields, "to")?,
        })
    }
}

/// An entry of the audit trail.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditRecord {
    entry_id: Uuid,
    /// Sequence number in the organization, from 1 without gaps.
    sequence: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Actor: `user:NAME`, `api_key:ID` or `operator`.
    principal: String,
    /// Client address; empty for operator commands.
    address: String,
    /// Action: a permission, another change, or an operator command.
    #[schema(value_type = guardengine_api_types::choices::AuditAction)]
    action: String,
    /// Target: an identifier or a name.
    target: String,
    /// Details. For changes: the old and new value of each changed field.
    #[schema(value_type = std::collections::HashMap<String, Value>)]
    details: Value,
    /// Hash of the previous entry.
    previous_hash: String,
    /// Digest over the previous hash and every field: HMAC-SHA-256 under the installation's key if `keyed`, else SHA-256.
    hash: String,
    /// False for entries of earlier versions.
    keyed: bool,
}

impl From<AuditEntry> for AuditRecord {
    fn from(entry: AuditEntry) -> Self {
        Self {
            entry_id: entry.id,
            sequence: entry.sequence,
            created_at: entry.created_at,
            principal: entry.principal,
            address: entry.address,
            action: entry.action,
            target: entry.target,
            details: serde_json::from_str(&entry.details).unwrap_or_default(),
            previous_hash: hexadecimal(&entry.previous_hash),
            hash: hexadecimal(&entry.hash),
            keyed: entry.keyed,
        }
    }
}

/// A page of the audit trail.
#[derive(Debug, Serialize, ToSchema)]
pub struct Entries {
    /// Newest first.
    entries: Vec<AuditRecord>,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List audit entries
///
/// Every change of the organization's settings and every unmask, newest first. Each entry contains the hash of the
/// previous one.
#[utoipa::path(
    get, path = "/api/audit", tag = "audit", operation_id = "audit_list",
    params(NumberedPageParameters, AuditQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of audit entries", body = Entries),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(query): Query<AuditQuery>,
) -> Answer<Entries> {
    let AuditQuery { page, action, principal, from, to } = query;
    let filter = AuditFilter { action, principal, from, to };
    let mut found = tenants.db.audit_entries(caller.org_id, &filter, page.cursor, page.limit + 1).await?;
    let has_more = found.len() > usize::from(page.limit);
    found.truncate(usize::from(page.limit));
    let next_cursor = found.last().filter(|_| has_more).map(|entry| entry.sequence.to_string());
    Ok(Json(Entries { entries: found.into_iter().map(AuditRecord::from).collect(), next_cursor }))
}
