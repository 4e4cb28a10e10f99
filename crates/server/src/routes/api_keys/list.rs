use axum::extract::State;
use guardengine_auth::{KeyScope, Permissions};
use guardengine_store::{ApiKey, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Caller, Json},
};

/// An API key without its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyRecord {
    key_id: Uuid,
    key_prefix: String,
    name: String,
    is_active: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = Option<String>, format = DateTime)]
    expires_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime)]
    last_used_at: Option<Timestamp>,
    usage_count: i64,
    #[serde(flatten)]
    scope: ScopeRecord,
}

/// Scope of an API key.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScopeRecord {
    /// The only project that the key may use; null for every project of its creator.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Permissions that the key keeps of its creator's; null for all but those that create, change or delete users and
    /// roles.
    permissions: Option<Vec<String>>,
}

impl From<&ApiKey> for ScopeRecord {
    fn from(key: &ApiKey) -> Self {
        let KeyScope { project_id, permissions } = key.into();
        Self { project_id, permissions: permissions.map(Permissions::names) }
    }
}

impl From<ApiKey> for KeyRecord {
    fn from(key: ApiKey) -> Self {
        Self {
            scope: ScopeRecord::from(&key),
            key_id: key.id,
            key_prefix: key.prefix,
            name: key.name,
            is_active: key.is_active,
            created_at: key.created_at,
            expires_at: key.expires_at,
            last_used_at: key.last_used_at,
            usage_count: key.usage_count,
        }
    }
}

/// API keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct Keys {
    api_keys: Vec<KeyRecord>,
    total: usize,
}

/// List API keys
///
/// Owners and admins see all keys of the organization; others see their own.
#[utoipa::path(
    get, path = "/api-keys/list", tag = "api keys", operation_id = "api_keys_list",
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The API keys", body = Keys),
    )
)]
pub async fn handle(State(tenants): State<Tenants>, Caller(caller): Caller) -> Answer<Keys> {
    let of_user = (!caller.sees_all_projects()).then_some(caller.user_id);
    let keys = tenants.db.api_keys(caller.org_id, of_user).await?;
    let api_keys: Vec<KeyRecord> = keys.into_iter().map(KeyRecord::from).collect();
    Ok(Json(Keys { total: api_keys.len(), api_keys }))
}
