//! The alert rule of responses, and its visibility.

use guardengine_auth::{Principal, project_access::may_see_project};
use guardengine_integrations::alerts::Condition;
use guardengine_store::{AlertRule, Timestamp};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{app::Tenants, http::Error};

/// An alert rule and its state.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertRecord {
    alert_id: Uuid,
    name: String,
    /// True if the rule is evaluated, once a minute.
    enabled: bool,
    condition: Condition,
    /// Project that the rule watches; null for the whole organization.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Connectors that send its messages.
    channels: Vec<Uuid>,
    /// Addresses that receive its e-mail.
    recipients: Vec<String>,
    /// Minutes from an alert until the next one at the earliest.
    cooldown_minutes: i64,
    /// `ok` or `firing`.
    #[schema(value_type = guardengine_api_types::choices::AlertState)]
    state: String,
    /// Time at which it began to fire; null unless it fires.
    #[schema(value_type = Option<String>, format = DateTime)]
    firing_since: Option<Timestamp>,
    /// Time of the last alert since the last change of the rule.
    #[schema(value_type = Option<String>, format = DateTime)]
    last_fired_at: Option<Timestamp>,
    /// Sentence about the last evaluation, with its numbers.
    summary: Option<String>,
    /// Time of the last evaluation.
    #[schema(value_type = Option<String>, format = DateTime)]
    checked_at: Option<Timestamp>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl AlertRecord {
    /// Builds the record of a stored rule.
    pub fn of(rule: &AlertRule) -> Result<Self, Error> {
        Ok(Self {
            alert_id: rule.id,
            name: rule.name.clone(),
            enabled: rule.enabled,
            condition: parsed(&rule.condition)?,
            project_id: rule.project_id,
            channels: parsed(&rule.channels)?,
            recipients: parsed(&rule.recipients)?,
            cooldown_minutes: rule.cooldown / 60,
            state: rule.state.clone(),
            firing_since: rule.firing_since,
            last_fired_at: rule.last_fired_at,
            summary: rule.summary.clone(),
            checked_at: rule.checked_at,
            created_at: rule.created_at,
            updated_at: rule.updated_at,
        })
    }
}

/// Parses a stored JSON value.
pub fn parsed<T: DeserializeOwned>(stored: &str) -> Result<T, Error> {
    serde_json::from_str(stored).map_err(Error::internal)
}

/// Returns the rule with this identifier, or 404 if the caller may not see it.
pub async fn stored(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<AlertRule, Error> {
    let not_found = || Error::not_found("alert");
    let rule = tenants.db.alert_rule(caller.org_id, id).await?.ok_or_else(not_found)?;
    if is_visible(tenants, caller, &rule).await { Ok(rule) } else { Err(not_found()) }
}

/// Returns true if the caller may see a rule: those who see every project, and members of its project.
pub async fn is_visible(tenants: &Tenants, caller: &Principal, rule: &AlertRule) -> bool {
    if caller.sees_all_projects() {
        return true;
    }
    let Some(project) = rule.project_id else { return false };
    may_see_project(&tenants.db, caller, project).await.is_ok()
}

/// The fields that the audit trail compares.
pub fn written(rule: &AlertRule) -> Result<Value, Error> {
    Ok(json!({
        "name": rule.name,
        "enabled": rule.enabled,
        "condition": parsed::<Value>(&rule.condition)?,
        "projectId": rule.project_id,
        "channels": parsed::<Value>(&rule.channels)?,
        "recipients": parsed::<Value>(&rule.recipients)?,
        "cooldown_minutes": rule.cooldown / 60,
    }))
}
