use std::{collections::HashMap, time::Duration};

use axum::extract::{RawQuery, State};
use guardengine_api_types::ErrorBody;
use guardengine_auth::{
    Permission, Permissions, Principal, api_key, audit, key_scope, permission, project_access, secret,
};
use guardengine_engine::fields::FieldError;
use guardengine_store::{NewApiKey, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::list::ScopeRecord;
use crate::{
    app::{Operations, Tenants},
    http::{Answer, Caller, Error, Json, new_name},
};

const DAY: Duration = Duration::from_hours(24);
const MAX_DAYS: u32 = 3650;
/// Characters of an unknown permission quoted in the error.
const MAX_QUOTED: usize = 60;

/// Parameters of a new API key.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CreateKeyQuery {
    /// Name of the key, 1 to 100 characters.
    #[param(value_type = crate::schemas::NewName, inline)]
    name: String,
    /// Lifetime in days, 1 to 3650. If absent, the key does not expire.
    #[param(minimum = 1, maximum = 3650)]
    expires_days: Option<u32>,
    /// The only project that the key may use. Guard requests without a project are for this one.
    #[param(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Permissions that the key keeps of its creator's, separated by commas. If absent, all but those that create, change
    /// or delete users and roles.
    #[param(value_type = Option<String>, pattern = "^[A-Z_]+:[A-Z_]+(,[A-Z_]+:[A-Z_]+)*$", example = "FIREWALL:ANALYZE,FIREWALL:VALIDATE")]
    permissions: Option<Permissions>,
}

impl CreateKeyQuery {
    fn from_query(query: &str) -> Result<Self, FieldError> {
        let pairs: HashMap<String, String> = serde_urlencoded::from_str(query).unwrap_or_default();
        let name = new_name("name", pairs.get("name").ok_or_else(|| FieldError::required("name"))?)?;
        let days = pairs.get("expires_days").map(|days| {
            let accepted =
                || FieldError::value("expires_days", format!("must be a whole number from 1 to {MAX_DAYS}"));
            days.parse().ok().filter(|days| (1..=MAX_DAYS).contains(days)).ok_or_else(accepted)
        });
        let expires_days = days.transpose()?;
        let id = |id: &String| id.parse().map_err(|_| FieldError::uuid("projectId"));
        let project_id = pairs.get("projectId").map(id).transpose()?;
        let permissions = pairs.get("permissions").map(|names| permissions(names)).transpose()?;
        if let Some(refused) = permissions.filter(|_| project_id.is_some()).and_then(beyond_project) {
            let refused = format!("must not contain {refused} with projectId");
            return Err(FieldError::value("permissions", refused));
        }
        Ok(Self { name, expires_days, project_id, permissions })
    }

    /// Returns an error unless the caller holds the permissions and belongs to the project.
    async fn check(&self, tenants: &Tenants, caller: &Principal) -> Result<(), Error> {
        caller.holds(self.permissions.unwrap_or_default())?;
        if let Some(id) = self.project_id {
            project_access::project(&tenants.db, caller, id).await?;
        }
        Ok(())
    }
}

/// Reads the names of permissions, separated by commas.
fn permissions(names: &str) -> Result<Permissions, FieldError> {
    let named = |name: &str| {
        let quoted: String = name.chars().take(MAX_QUOTED).collect();
        let accepted = || {
            format!(
                "must be permissions that GET /api/permissions names, separated by commas, {quoted:?} is none"
            )
        };
        Permission::named(name).ok_or_else(|| FieldError::value("permissions", accepted()))
    };
    names.split(',').map(|name| named(name.trim())).collect()
}

/// Returns the first permission that a key bound to a project cannot have.
fn beyond_project(permissions: Permissions) -> Option<Permission> {
    permissions.intersection(key_scope::beyond_projects()).iter().next()
}

/// Instructions for sending the key.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageInstructions {
    /// Header that carries the key.
    header: &'static str,
    /// Example command.
    example: String,
}

/// A new API key. The secret is shown only once.
#[derive(Debug, Serialize, ToSchema)]
pub struct NewKey {
    api_key: String,
    key_id: Uuid,
    key_prefix: String,
    name: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    #[serde(flatten)]
    scope: ScopeRecord,
    message: &'static str,
    usage_instructions: UsageInstructions,
}

/// Create an API key
///
/// The key acts as its creator in this organization, within its scope. This response is the only one that contains the secret.
#[utoipa::path(
    post, path = "/api-keys/create", tag = "api keys", operation_id = "api_keys_create",
    params(CreateKeyQuery),
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The API key with its secret", body = NewKey),
        (status = 403, description = "Missing permission, a permission that the creator lacks, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    RawQuery(query): RawQuery,
) -> Answer<NewKey> {
    let requested = CreateKeyQuery::from_query(query.as_deref().unwrap_or_default())?;
    requested.check(&tenants, &caller).await?;
    let now = tenants.clock.now();
    let permissions = requested.permissions.map(|named| json!(named.names()).to_string());
    let key = api_key::generate();
    let new = NewApiKey {
        org_id: caller.org_id,
        user_id: caller.user_id,
        hash: &secret::digest(&key),
        prefix: api_key::shown(&key),
        name: &requested.name,
        project_id: requested.project_id,
        permissions: permissions.as_deref(),
        expires_at: requested.expires_days.map(|days| now + DAY * days),
    };
    let mut tx = tenants.audited().await?;
    let made = tx.create_api_key(new, now).await?;
    let scope = ScopeRecord::from(&made);
    let mut details = json!(scope);
    details["name"] = json!(made.name);
    details["expires_at"] = json!(made.expires_at);
    audit::commit(tx, &caller, permission::CREATE_API_KEY, made.id, details).await?;
    Ok(Json(NewKey {
        api_key: key,
        key_id: made.id,
        key_prefix: made.prefix,
        name: made.name,
        created_at: made.created_at,
        expires_at: made.expires_at,
        scope,
        message: "Store this key now: it is not shown again.",
        usage_instructions: UsageInstructions {
            header: "X-API-Key",
            example: format!(
                "curl -X POST {}/v2/guardengine/svc_firewall_analyze -H 'X-API-Key: <API_KEY>' -H 'Content-Type: application/json' -d '{{\"prompt\":\"Hello\"}}'",
                operations
                    .settings
                    .base_url
                    .url()
                    .map_or_else(|| format!("http://{}", operations.settings.listen), str::to_owned,)
            ),
        },
    }))
}
