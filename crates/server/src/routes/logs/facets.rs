use std::{cmp::Reverse, collections::HashMap};

use axum::extract::State;
use guardengine_store::{Db, LogTraits};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::filter::LogFilterQuery;
use crate::{
    app::App,
    http::{Answer, ErrorBody, Json, Principal, Query},
};

/// Values of a facet that are told, the most frequent ones.
const MOST: usize = 20;

/// How many rows have a value in common.
#[derive(Debug, Serialize, ToSchema)]
pub struct FacetValue {
    /// As the filter takes it.
    value: String,
    /// The project's name; absent elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Rows.
    count: usize,
}

/// What the newest rows have in common.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogFacets {
    /// Rows that were counted: the newest that pass the filter.
    rows: usize,
    /// No more than these are counted, nor looked at where no index leads to them.
    limit: usize,
    /// Whether every row that passes was counted.
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

/// Count what rows have in common
///
/// For each filter the most frequent values among the newest rows that pass all filters given.
#[utoipa::path(
    get, path = "/api/logs/facets", tag = "logs", operation_id = "logs_facets",
    params(LogFilterQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "Counts", body = LogFacets),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Query(wanted): Query<LogFilterQuery>,
) -> Answer<LogFacets> {
    let filter = wanted.filter(&app, &caller).await?;
    let (rows, complete) = app.db.log_traits(caller.org_id, &filter).await?;
    Ok(Json(LogFacets::of(&rows, complete)))
}

impl LogFacets {
    fn of(rows: &[LogTraits], complete: bool) -> Self {
        let of = |value: fn(&LogTraits) -> Option<&str>| counted(rows.iter().filter_map(value));
        // Rows come newest first: a project is called as it was last.
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
            limit: Db::MOST_TRAITS,
            complete,
            decision: of(|row| Some(&row.decision)),
            outcome: of(|row| Some(&row.outcome)),
            risk: of(|row| Some(&row.risk_level)),
            guardrail: counted(rows.iter().flat_map(triggered)),
            project: projects,
            source_app: of(|row| row.source_app.as_deref()),
            username: of(|row| row.username.as_deref()),
            mark: of(|row| row.mark.as_deref()),
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
    counts.truncate(MOST);
    let told = |(value, count): (&str, usize)| FacetValue { value: value.to_owned(), name: None, count };
    counts.into_iter().map(told).collect()
}

#[derive(Deserialize)]
struct Triggered<'r> {
    name: &'r str,
}

/// The names of what triggered, each once.
fn triggered(row: &LogTraits) -> Vec<&str> {
    let listed: Vec<Triggered<'_>> = serde_json::from_str(&row.triggered_guardrails).unwrap_or_default();
    let mut names: Vec<&str> = listed.into_iter().map(|one| one.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}
