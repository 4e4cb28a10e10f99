use axum::extract::State;
use guardengine_auth::AuthSettings;
use guardengine_store::Org;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::{Operations, Tenants},
    config::Settings,
    http::{Answer, Caller, Error, Json},
};

/// Settings of the operator, the same for all organizations. Times are in seconds.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServiceSettings {
    /// Time for which log entries are kept (`logs.retention`); null without limit.
    log_retention: Option<u64>,
    /// Time for which entries of the audit trail are kept (`audit.retention`); null without limit.
    audit_retention: Option<u64>,
    /// Time for which single entries of the credit ledger are kept (`credits.retention`); null without limit.
    credit_retention: Option<u64>,
    /// A session ends after this time without a request (`session.idle_timeout`).
    idle_timeout: u64,
    /// A session ends after this time without a refresh (`session.refresh_token_ttl`).
    session_lifetime: u64,
    /// Failed sign-ins that lock a username (`lockout.attempts`).
    lockout_attempts: u32,
    /// Time for which the username stays locked (`lockout.duration`).
    lockout_duration: u64,
}

impl From<&Settings> for ServiceSettings {
    fn from(settings: &Settings) -> Self {
        let AuthSettings { session, lockout, .. } = &settings.auth;
        Self {
            log_retention: settings.log_retention.map(|time| time.as_secs()),
            audit_retention: settings.audit_retention.map(|time| time.as_secs()),
            credit_retention: settings.credit_retention.map(|time| time.as_secs()),
            idle_timeout: session.idle_timeout.as_secs(),
            session_lifetime: session.refresh_token_ttl.as_secs(),
            lockout_attempts: lockout.attempts,
            lockout_duration: lockout.duration.as_secs(),
        }
    }
}

/// The caller's organization.
#[derive(Debug, Serialize, ToSchema)]
pub struct Organization {
    org_id: Uuid,
    name: String,
    /// The caller's role.
    role: String,
    /// Credit balance.
    credits: i64,
    /// True if guard requests must name a project. Otherwise the built-in policy decides about those that do not.
    require_project: bool,
    /// `log_content` of new projects that do not set it; null: `masked`.
    #[schema(value_type = Option<guardengine_api_types::choices::LogContent>)]
    default_log_content: Option<String>,
    service: ServiceSettings,
}

impl Organization {
    /// Creates the record of an organization for a member with this role.
    pub fn of(org: Org, role: String, settings: &Settings) -> Self {
        let Org { id, name, credits, require_project, default_log_content, .. } = org;
        let service = ServiceSettings::from(settings);
        Self { org_id: id, name, role, credits, require_project, default_log_content, service }
    }
}

/// Get your organization
#[utoipa::path(
    get, path = "/api/organization", tag = "organization", operation_id = "organization_get",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The organization", body = Organization),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
) -> Answer<Organization> {
    let org = tenants.db.org(caller.org_id).await?.ok_or_else(|| Error::not_found("organization"))?;
    Ok(Json(Organization::of(org, caller.role, &operations.settings)))
}
