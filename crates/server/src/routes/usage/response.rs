//! The usage of a period, as the API shows it.

use std::collections::HashMap;

use guardengine_store::{Db, Period, Result, Timestamp, Usage};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::dashboard::{UsageBy, breakdown::Breakdown};

/// Requests and their credits.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct UsageNumbers {
    /// Log entries. Requests that were refused or failed before a verdict have none.
    pub requests: i64,
    /// Blocked.
    pub blocked: i64,
    /// Allowed with PII masked.
    pub masked: i64,
    /// Credits charged.
    pub credits: i64,
}

/// Usage of one project, API key, end user, application or operation.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageRow {
    /// Identifier of the project or API key; name of the end user, application or operation. Null for requests without one.
    pub id: Option<String>,
    /// Name; of a deleted project, an earlier one.
    pub name: Option<String>,
    /// Username of the owner of the API key.
    pub owner: Option<String>,
    #[serde(flatten)]
    pub usage: UsageNumbers,
}

/// Usage that an earlier version counted without the properties of the requests.
#[derive(Debug, Serialize, ToSchema)]
pub struct Unattributed {
    /// Time since which every request is in a row.
    #[schema(value_type = String, format = DateTime)]
    pub complete_since: Timestamp,
    #[serde(flatten)]
    pub usage: UsageNumbers,
}

/// Usage of a period. `rows`, `others` and `unattributed` add up to `totals`.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageReport {
    #[schema(value_type = guardengine_api_types::choices::UsageBy)]
    pub by: &'static str,
    /// Start of the period.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// End of the period.
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    totals: UsageNumbers,
    /// Most credits first.
    pub rows: Vec<UsageRow>,
    /// Usage beyond `rows`; null if there is none.
    pub others: Option<UsageNumbers>,
    /// Null if every request of the period is in `rows` or `others`.
    pub unattributed: Option<Unattributed>,
}

impl From<Usage> for UsageNumbers {
    fn from(usage: Usage) -> Self {
        let Usage { requests, blocked, masked, credits } = usage;
        Self { requests, blocked, masked, credits }
    }
}

impl UsageReport {
    /// Returns the report of a breakdown, with the names of projects and API keys.
    pub async fn of(db: &Db, org: Uuid, by: UsageBy, period: Period, found: Breakdown) -> Result<Self> {
        let names = match by {
            UsageBy::Project => project_names(db, org, found.project_names).await?,
            UsageBy::ApiKey => key_names(db, org, &found.rows).await?,
            UsageBy::User | UsageBy::Application | UsageBy::Operation => HashMap::new(),
        };
        let named = matches!(by, UsageBy::Project | UsageBy::ApiKey);
        let row = |(value, usage): (String, Usage)| {
            let id = Some(value).filter(|value| !value.is_empty());
            let known = id.as_ref().and_then(|id| names.get(id)).cloned();
            let (name, owner) = if named { known.unzip() } else { (id.clone(), None) };
            UsageRow { id, name, owner: owner.flatten(), usage: usage.into() }
        };
        let unattributed = found
            .unattributed
            .map(|(complete_since, usage)| Unattributed { complete_since, usage: usage.into() });
        Ok(Self {
            by: by.name(),
            from: period.from,
            to: period.to,
            totals: found.totals.into(),
            rows: found.rows.into_iter().map(row).collect(),
            others: Some(found.others).filter(|usage| *usage != Usage::default()).map(UsageNumbers::from),
            unattributed,
        })
    }
}

/// Names and owners by identifier.
type Names = HashMap<String, (String, Option<String>)>;

/// Returns the current names of projects, and the earlier ones of deleted projects.
async fn project_names(db: &Db, org: Uuid, earlier: HashMap<String, String>) -> Result<Names> {
    let current =
        db.projects(org, None).await?.into_iter().map(|project| (project.id.to_string(), project.name));
    Ok(earlier.into_iter().chain(current).map(|(id, name)| (id, (name, None))).collect())
}

/// Returns the names and owners of API keys, revoked ones included.
async fn key_names(db: &Db, org: Uuid, rows: &[(String, Usage)]) -> Result<Names> {
    let ids: Vec<Uuid> = rows.iter().filter_map(|(id, _)| id.parse().ok()).collect();
    let known = db.api_key_names(org, &ids).await?.into_iter();
    Ok(known.map(|(id, name, owner)| (id.to_string(), (name, Some(owner)))).collect())
}
