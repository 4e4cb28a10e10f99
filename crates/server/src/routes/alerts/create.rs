use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::audit;
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::alerts::Condition;
use guardengine_store::{AlertFields, Created, MAX_ALERT_RULES, new_id};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    request::{COOLDOWNS, channels, check_channels, check_connector, check_project, condition, recipients},
    response::{AlertRecord, written},
};
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, optional_id, required_name},
};

/// Minutes between two alerts of a rule, if a request names none.
const COOLDOWN: i64 = 60;

/// An alert rule to create.
#[derive(Debug, ToSchema)]
#[schema(example = json!({
    "name": "Many blocks",
    "condition": { "type": "block_rate", "share": 0.2, "min_count": 50, "period_minutes": 15 },
    "channels": ["01890a5d-ac96-774b-bcce-b302099a8057"]
}))]
pub struct NewAlert {
    /// 1 to 100 characters, unique in the organization.
    #[schema(value_type = crate::schemas::NewName)]
    name: String,
    condition: Condition,
    /// Project that the rule watches, for `block_rate` and `guardrail_spike`; the whole organization if absent.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Connectors of the type `slack` or `smtp` that send its messages. Webhooks receive its events.
    #[schema(value_type = Option<Vec<Uuid>>, max_items = 5)]
    channels: Vec<Uuid>,
    /// Addresses that receive its e-mail.
    #[schema(value_type = Option<Vec<String>>, max_items = 20)]
    recipients: Vec<String>,
    /// Minutes from an alert until the next one at the earliest, 0 to 10,080. Default: 60.
    #[schema(value_type = Option<i64>, minimum = 0, maximum = 10_080)]
    cooldown_minutes: i64,
    /// True if the rule is evaluated. Default: true.
    #[schema(value_type = Option<bool>)]
    enabled: bool,
}

impl FromFields for NewAlert {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            name: required_name(fields, "name")?,
            condition: condition(fields)?.ok_or_else(|| FieldError::required("condition"))?,
            project_id: optional_id(fields, "projectId")?,
            channels: channels(fields)?.unwrap_or_default(),
            recipients: recipients(fields)?.unwrap_or_default(),
            cooldown_minutes: fields.integer("cooldown_minutes", COOLDOWNS)?.unwrap_or(COOLDOWN),
            enabled: fields.boolean("enabled")?.unwrap_or(true),
        })
    }
}

/// Create an alert rule
///
/// The rule is evaluated once a minute. When its condition holds it fires: it writes the event `alert.fired` and sends a
/// message to each channel. When the condition holds no longer it writes `alert.resolved` and sends another. An
/// organization has 50 rules at most.
#[utoipa::path(
    post, path = "/api/alerts", tag = "alerts", operation_id = "alerts_create",
    request_body = NewAlert,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The rule", body = AlertRecord),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
        (status = 409, description = "The name is taken, or there are 50 rules", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Body(new): Body<NewAlert>,
) -> Answer<AlertRecord> {
    check_project(&tenants, &caller, &new.condition, new.project_id).await?;
    check_connector(&tenants, &caller, &new.condition).await?;
    check_channels(&tenants, &caller, &new.channels, &new.recipients).await?;
    let now = tenants.clock.now();
    let fields = AlertFields {
        name: &new.name,
        enabled: new.enabled,
        project_id: new.project_id,
        condition: &json!(new.condition).to_string(),
        channels: &json!(new.channels).to_string(),
        recipients: &json!(new.recipients).to_string(),
        cooldown: new.cooldown_minutes * 60,
    };
    let mut tx = tenants.audited().await?;
    let created = tx.create_alert_rule((caller.org_id, new_id(now)), fields, now).await?;
    match created {
        Some(Created::Done(rule)) => {
            audit::commit(tx, &caller, "CONNECTORS:CREATE_ALERT", rule.id, written(&rule)?).await?;
            Ok(Json(AlertRecord::of(&rule)?))
        }
        Some(Created::NameTaken) => Err(Error::conflict("alert name already exists")),
        None => Err(Error::conflict(format!("an organisation has at most {MAX_ALERT_RULES} alerts"))),
    }
}
