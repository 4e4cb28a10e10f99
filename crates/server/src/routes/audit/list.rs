use std::fmt::Write as _;

use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::{AuditEntry, AuditFilter, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::App,
    http::{Answer, FromFields, Json, PageParameters, PageQuery, Principal, Query},
    routes::logs::filter::time,
};

const MAX_FILTER_LENGTH: usize = 1_000;

/// Which entries.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    #[param(ignore)]
    page: PageQuery<i64>,
    /// A permission, as `PROJECTS:CREATE_PROJECT`, or an operator's command.
    #[param(max_length = 1000)]
    action: Option<String>,
    /// `user:NAME`, `api_key:ID` or `operator`.
    #[param(max_length = 1000)]
    principal: Option<String>,
    /// At this time or later.
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<Timestamp>,
    /// Before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    to: Option<Timestamp>,
}

impl FromFields for AuditQuery {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
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
    /// 1 for the organisation's first, without a gap.
    sequence: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Who: `user:NAME`, `api_key:ID` or `operator`.
    principal: String,
    /// From where; empty for the machine itself.
    address: String,
    /// What, as a permission or an operator's command.
    action: String,
    /// To what: an id or a name.
    target: String,
    /// More; of a change, what each field was and is.
    #[schema(value_type = Object)]
    details: Value,
    /// The hash of the entry before.
    previous_hash: String,
    /// SHA-256 over the previous hash and every field.
    hash: String,
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
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}

/// A page of the audit trail.
#[derive(Debug, Serialize, ToSchema)]
pub struct Entries {
    /// Newest first.
    entries: Vec<AuditRecord>,
    /// `cursor` of the next page; null at the end.
    next_cursor: Option<String>,
}

/// See the audit trail
///
/// Every change of the organisation's settings and every unmask, newest first, chained by hash.
#[utoipa::path(
    get, path = "/api/audit", tag = "audit", operation_id = "audit_list",
    params(PageParameters, AuditQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "A page of entries", body = Entries),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Query(wanted): Query<AuditQuery>,
) -> Answer<Entries> {
    let AuditQuery { page, action, principal, from, to } = wanted;
    let filter = AuditFilter { action, principal, from, to };
    let mut found = app.db.audit_entries(caller.org_id, &filter, page.cursor, page.limit + 1).await?;
    let has_more = found.len() > usize::from(page.limit);
    found.truncate(usize::from(page.limit));
    let next_cursor = found.last().filter(|_| has_more).map(|entry| entry.sequence.to_string());
    Ok(Json(Entries { entries: found.into_iter().map(AuditRecord::from).collect(), next_cursor }))
}
