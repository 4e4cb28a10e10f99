use std::{collections::HashMap, time::Duration};

use axum::extract::{RawQuery, State};
use guardengine_auth::{api_key, audit, permission, secret};
use guardengine_engine::fields::FieldError;
use guardengine_store::{NewApiKey, Timestamp};
use serde::Serialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    app::{Operations, Tenants},
    http::{Answer, Caller, Json, new_name},
};

const DAY: Duration = Duration::from_hours(24);
const MAX_DAYS: u32 = 3650;

/// Parameters of a new API key.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CreateKeyQuery {
    /// Name of the key, 1 to 100 characters.
    #[param(min_length = 1, max_length = 100)]
    name: String,
    /// Lifetime in days, 1 to 3650. If absent, the key does not expire.
    #[param(minimum = 1, maximum = 3650)]
    expires_days: Option<u32>,
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
        Ok(Self { name, expires_days: days.transpose()? })
    }
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
    message: &'static str,
    usage_instructions: UsageInstructions,
}

/// Create an API key
///
/// The key acts as its creator in this organization. This response is the only one that contains the secret.
#[utoipa::path(
    post, path = "/api-keys/create", tag = "api keys", operation_id = "api_keys_create",
    params(CreateKeyQuery),
    security(("bearer" = [])),
    responses(
        (status = 200, description = "The API key with its secret", body = NewKey),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    RawQuery(query): RawQuery,
) -> Answer<NewKey> {
    let requested = CreateKeyQuery::from_query(query.as_deref().unwrap_or_default())?;
    let now = tenants.clock.now();
    let key = api_key::generate();
    let new = NewApiKey {
        org_id: caller.org_id,
        user_id: caller.user_id,
        hash: &secret::digest(&key),
        prefix: api_key::shown(&key),
        name: &requested.name,
        expires_at: requested.expires_days.map(|days| now + DAY * days),
    };
    let mut tx = tenants.audited().await?;
    let made = tx.create_api_key(new, now).await?;
    let details = json!({ "name": made.name, "expires_at": made.expires_at });
    audit::commit(tx, &caller, permission::CREATE_API_KEY, made.id, details).await?;
    Ok(Json(NewKey {
        api_key: key,
        key_id: made.id,
        key_prefix: made.prefix,
        name: made.name,
        created_at: made.created_at,
        expires_at: made.expires_at,
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
