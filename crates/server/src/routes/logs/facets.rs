use std::{cmp::Reverse, collections::HashMap};

use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_store::{Db, FacetValues};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{conditions::LogExclusionQuery, filter::LogFilterQuery};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Json, Query},
};

/// Maximum number of values per facet.
const MAX_VALUES: usize = 20;

/// A value and its number of log entries.
#[derive(Debug, Serialize, ToSchema)]
pub struct FacetValue {
    /// Value, as the filter expects it.
    value: String,
    /// Project name; absent for other facets.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Number of log entries.
    count: usize,
}

/// The most frequent values among the newest log entries.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogFacets {
    /// Number of counted log entries: the newest that match.
    rows: usize,
    /// Maximum number of log entries that are counted or scanned.
    limit: usize,
    /// True if all matching log entries were counted.
    complete: bool,
    decision: Vec<FacetValue>,
    outcome: Vec<FacetValue>,
    risk: Vec<FacetValue>,
    guardrail: Vec<FacetValue>,
    project: Vec<FacetValue>,
    source_app: Vec<FacetValue>,
    username: Vec<FacetValue>,
    mark: Vec<FacetValue>,
}

/// Get log facets
///
/// For each filter, the most frequent values among the newest matching log entries.
#[utoipa::path(
    get, path = "/api/logs/facets", tag = "logs", operation_id = "logs_facets",
    params(LogFilterQuery, LogExclusionQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The most frequent values", body = LogFacets),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(query): Query<LogFilterQuery>,
) -> Answer<LogFacets> {
    let filter = query.filter(&tenants, &caller).await?;
    let (rows, complete) = tenants.db.log_facet_values(caller.org_id, &filter).await?;
    Ok(Json(LogFacets::of(&rows, complete)))
}

impl LogFacets {
    fn of(rows: &[FacetValues], complete: bool) -> Self {
        let of = |value: fn(&FacetValues) -> Option<&str>| counted(rows.iter().filter_map(value));
        // Entries come newest first: the latest project name wins.
        let mut names: HashMap<Uuid, &str> = HashMap::new();
        for (id, name) in rows.iter().filter_map(|row| row.project_id.zip(row.project_name.as_deref())) {
            names.entry(id).or_insert(name);
        }
        let ids: Vec<String> =
            rows.iter().filter_map(|row| row.project_id).map(|id| id.to_string()).collect();
        let mut projects = counted(ids.iter().map(String::as_str));
        for project in &mut projects {
            let id = project.value.parse().ok();
            project.name = id.and_then(|id: Uuid| names.get(&id)).map(|name| (*name).to_owned());
        }
        Self {
            rows: rows.len(),
            limit: Db::MAX_FACET_ENTRIES,
            complete,
            decision: of(|row| Some(&row.decision)),
            outcome: of(|row| Some(&row.outcome)),
            risk: of(|row| Some(&row.risk_level)),
            guardrail: counted(rows.iter().flat_map(triggered)),
            project: projects,
            source_app: of(|row| row.source_app.as_deref()),
            username: of(|row| row.username.as_deref()),
            mark: of(|row| row.feedback.as_deref()),
        }
    }
}

fn counted<'r>(values: impl Iterator<Item = &'r str>) -> Vec<FacetValue> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_unstable_by_key(|(value, count)| (Reverse(*count), *value));
    counts.truncate(MAX_VALUES);
    let facet = |(value, count): (&str, usize)| FacetValue { value: value.to_owned(), name: None, count };
    counts.into_iter().map(facet).collect()
}

#[derive(Deserialize)]
struct Triggered<'r> {
    name: &'r str,
}

/// Returns the distinct names of triggered guardrails.
fn triggered(row: &FacetValues) -> Vec<&str> {
    let listed: Vec<Triggered<'_>> = serde_json::from_str(&row.triggered_guardrails).unwrap_or_default();
    let mut names: Vec<&str> = listed.into_iter().map(|one| one.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}
