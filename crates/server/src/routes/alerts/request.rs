//! Fields of an alert rule in request bodies.

use guardengine_auth::{Principal, project_access::may_see_project};
use guardengine_engine::{
    detectors,
    fields::{FieldError, Fields},
};
use guardengine_integrations::{
    alerts::{CHANNEL_TYPES, Condition},
    mail,
};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Error, optional_id},
};

/// Channels of a rule.
const MAX_CHANNELS: usize = 5;
/// Recipients of a rule.
const MAX_RECIPIENTS: usize = 20;
/// Accepted periods, in minutes. Longer ones would count too many log entries.
const PERIODS: std::ops::RangeInclusive<i64> = 5..=360;
/// Accepted minimum counts.
const COUNTS: std::ops::RangeInclusive<i64> = 1..=1_000_000;
/// Accepted cooldowns, in minutes.
pub const COOLDOWNS: std::ops::RangeInclusive<i64> = 0..=10_080;

/// Reads the field `condition`.
pub fn condition(fields: Fields<'_>) -> Result<Option<Condition>, FieldError> {
    let Some(value) = fields.get("condition") else { return Ok(None) };
    let read = condition_of(Fields::of(value, "condition")?);
    read.map(Some).map_err(|error| error.under("condition"))
}

fn condition_of(fields: Fields<'_>) -> Result<Condition, FieldError> {
    let types = Condition::TYPES.map(|name| (name, name));
    let kind = fields.choice("type", &types)?.ok_or_else(|| FieldError::required("type"))?;
    let whole =
        |field: &str, range, default| fields.integer(field, range).map(|read| read.unwrap_or(default));
    Ok(match kind {
        "block_rate" => Condition::BlockRate {
            share: fields.number("share", 0.01..=1.0)?.ok_or_else(|| FieldError::required("share"))?,
            min_count: whole("min_count", COUNTS, 50)?,
            period_minutes: whole("period_minutes", PERIODS, 15)?,
        },
        "guardrail_spike" => Condition::GuardrailSpike {
            guardrail: guardrail(fields)?,
            factor: fields.number("factor", 1.1..=100.0)?.unwrap_or(3.0),
            min_count: whole("min_count", COUNTS, 10)?,
            period_minutes: whole("period_minutes", PERIODS, 60)?,
        },
        "credits_low" => Condition::CreditsLow {
            balance: fields
                .integer("balance", 1..=1_000_000_000_000)?
                .ok_or_else(|| FieldError::required("balance"))?,
        },
        "connector_down" => Condition::ConnectorDown { connector_id: optional_id(fields, "connector_id")? },
        _ => Condition::EngineDegraded {},
    })
}

fn guardrail(fields: Fields<'_>) -> Result<String, FieldError> {
    let name = fields.required_string("guardrail")?;
    let known = detectors::DETECTORS.iter().any(|detector| detector.guardrail().name == name);
    let accepted = "must be the name of a guardrail, as in GET /api/guardrails";
    if known { Ok(name.to_owned()) } else { Err(FieldError::value("guardrail", accepted)) }
}

/// Reads the field `channels`.
pub fn channels(fields: Fields<'_>) -> Result<Option<Vec<Uuid>>, FieldError> {
    let Some(items) = fields.array("channels", MAX_CHANNELS)? else { return Ok(None) };
    let id = |(at, item): (usize, &Value)| {
        let parsed = item.as_str().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| FieldError::uuid(format!("channels.{at}")))
    };
    items.iter().enumerate().map(id).collect::<Result<_, _>>().map(Some)
}

/// Reads the field `recipients`.
pub fn recipients(fields: Fields<'_>) -> Result<Option<Vec<String>>, FieldError> {
    let Some(addresses) = fields.strings("recipients", MAX_RECIPIENTS, 254)? else { return Ok(None) };
    match addresses.iter().position(|address| !mail::is_address(address)) {
        Some(at) => Err(FieldError::value(format!("recipients.{at}"), "must be an e-mail address")),
        None => Ok(Some(addresses)),
    }
}

/// Returns an error unless every channel is a connector of the organization that sends messages, and e-mail has a
/// recipient.
pub async fn check_channels(
    tenants: &Tenants,
    caller: &Principal,
    channels: &[Uuid],
    recipients: &[String],
) -> Result<(), Error> {
    for (at, id) in channels.iter().enumerate() {
        let connector = tenants.db.connector(caller.org_id, *id).await?;
        let kind = connector.map(|connector| connector.connector_type).unwrap_or_default();
        if !CHANNEL_TYPES.contains(&kind.as_str()) {
            let accepted = format!("must be a connector of the type {}", CHANNEL_TYPES.join(" or "));
            return Err(FieldError::value(format!("channels.{at}"), accepted).into());
        }
        if kind == "smtp" && recipients.is_empty() {
            return Err(FieldError::value("recipients", "must name at least one address for e-mail").into());
        }
    }
    Ok(())
}

/// Returns an error unless the condition can be restricted to the project, and the caller may see it; `None` stands for
/// the whole organization.
pub async fn check_project(
    tenants: &Tenants,
    caller: &Principal,
    condition: &Condition,
    project: Option<Uuid>,
) -> Result<(), Error> {
    match project {
        Some(_) if !condition.is_of_project() => {
            let accepted = format!("must be null, because {} concerns no project", condition.name());
            Err(FieldError::value("projectId", accepted).into())
        }
        Some(project) => Ok(may_see_project(&tenants.db, caller, project).await?),
        None if caller.sees_all_projects() => Ok(()),
        None => Err(Error::forbidden("not a member of every project")),
    }
}

/// Returns an error unless the condition names a connector of the organization, if it names one.
pub async fn check_connector(
    tenants: &Tenants,
    caller: &Principal,
    condition: &Condition,
) -> Result<(), Error> {
    let Condition::ConnectorDown { connector_id: Some(id) } = condition else { return Ok(()) };
    if tenants.db.connector(caller.org_id, *id).await?.is_some() {
        return Ok(());
    }
    Err(FieldError::value("condition.connector_id", "must be a connector of the organisation").into())
}
