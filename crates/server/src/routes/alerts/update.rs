use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::alerts::Condition;
use guardengine_store::{AlertFields, Changed};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    request::{COOLDOWNS, channels, check_channels, check_connector, check_project, condition, recipients},
    response::{AlertRecord, parsed, stored, written},
};
use crate::{
    app::Tenants,
    diff::diff,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId, changed_name, nullable_id},
};

/// Fields to change. Absent fields keep their value.
#[derive(Debug, ToSchema)]
#[schema(example = json!({ "enabled": false }))]
pub struct AlertChange {
    /// 1 to 100 characters, unique in the organization.
    #[schema(value_type = Option<crate::schemas::NewName>)]
    name: Option<String>,
    condition: Option<Condition>,
    /// Project that the rule watches, for `block_rate` and `guardrail_spike`; null for the whole organization.
    #[serde(rename = "projectId")]
    #[schema(value_type = Option<Uuid>)]
    #[expect(clippy::option_option, reason = "absent, null and an id mean different things")]
    project_id: Option<Option<Uuid>>,
    /// Connectors of the type `slack` or `smtp` that send its messages. Webhooks receive its events.
    #[schema(max_items = 5)]
    channels: Option<Vec<Uuid>>,
    /// Addresses that receive its e-mail.
    #[schema(max_items = 20)]
    recipients: Option<Vec<String>>,
    /// Minutes from an alert until the next one at the earliest, 0 to 10,080.
    #[schema(minimum = 0, maximum = 10_080)]
    cooldown_minutes: Option<i64>,
    /// True if the rule is evaluated.
    enabled: Option<bool>,
}

impl FromFields for AlertChange {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            name: fields.string("name")?.map(str::to_owned),
            condition: condition(fields)?,
            project_id: nullable_id(fields, "projectId")?,
            channels: channels(fields)?,
            recipients: recipients(fields)?,
            cooldown_minutes: fields.integer("cooldown_minutes", COOLDOWNS)?,
            enabled: fields.boolean("enabled")?,
        })
    }
}

/// Update an alert rule
///
/// Absent fields keep their value. The rule begins anew: it does not fire until its next evaluation, and sends no message
/// about an alert that ended by the change.
#[utoipa::path(
    put, path = "/api/alerts/{alert_id}", tag = "alerts", operation_id = "alerts_update",
    params(("alert_id" = uuid::Uuid, Path, description = "Alert identifier")),
    request_body = AlertChange,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated rule", body = AlertRecord),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Alert or project not found", body = ErrorBody),
        (status = 409, description = "The name is taken, or a concurrent change", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(change): Body<AlertChange>,
) -> Answer<AlertRecord> {
    let before = stored(&tenants, &caller, id).await?;
    let name = match &change.name {
        Some(name) => changed_name("name", name, &before.name)?,
        None => before.name.clone(),
    };
    let condition = change.condition.map_or_else(|| parsed(&before.condition), Ok)?;
    let project_id = change.project_id.unwrap_or(before.project_id);
    let channels = change.channels.map_or_else(|| parsed(&before.channels), Ok)?;
    let recipients = change.recipients.map_or_else(|| parsed(&before.recipients), Ok)?;
    check_project(&tenants, &caller, &condition, project_id).await?;
    check_connector(&tenants, &caller, &condition).await?;
    check_channels(&tenants, &caller, &channels, &recipients).await?;
    let fields = AlertFields {
        name: &name,
        enabled: change.enabled.unwrap_or(before.enabled),
        project_id,
        condition: &json!(condition).to_string(),
        channels: &json!(channels).to_string(),
        recipients: &json!(recipients).to_string(),
        cooldown: change.cooldown_minutes.map_or(before.cooldown, |minutes| minutes * 60),
    };
    let mut tx = tenants.audited().await?;
    match tx.update_alert_rule(&before, fields, tenants.clock.now()).await? {
        Changed::Done(after) => {
            let details = diff(&written(&before)?, &written(&after)?);
            audit::commit(tx, &caller, "CONNECTORS:UPDATE_ALERT", id, details).await?;
            Ok(Json(AlertRecord::of(&after)?))
        }
        Changed::NameTaken => Err(Error::conflict("alert name already exists")),
        Changed::Stale => Err(Error::conflict("the alert is being changed by others, try again")),
        Changed::Missing => Err(Error::not_found("alert")),
    }
}
