use axum::extract::State;
use guardengine_engine::{fields::Invalid, policy::written};
use guardengine_store::{PolicyVersion, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::response::{read, stored};
use crate::{
    app::App,
    http::{Answer, Error, ErrorBody, Json, PageParameters, PageQuery, PathId, PathParam, Principal},
};

/// A policy as it was, or is.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionRecord {
    /// 1 for the first, one more with every change.
    version: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Who wrote it.
    created_by: String,
    /// What was written.
    #[schema(value_type = super::written::WrittenPolicy)]
    policy: written::Policy,
}

impl VersionRecord {
    fn of(version: PolicyVersion) -> Result<Self, Error> {
        let policy = read(&version.content)?;
        let PolicyVersion { version, created_at, created_by, .. } = version;
        Ok(Self { version, created_at, created_by, policy })
    }
}

/// Versions of a policy.
#[derive(Debug, Serialize, ToSchema)]
pub struct Versions {
    /// Newest first, with the current one.
    versions: Vec<VersionRecord>,
    /// How many there are in all.
    total: i64,
    /// The next page; null at the end.
    next_cursor: Option<String>,
}

/// List the versions of a policy
#[utoipa::path(
    get, path = "/api/policy/{policyId}/versions", tag = "policies", operation_id = "policies_versions",
    params(
        ("policyId" = uuid::Uuid, Path, description = "From its creation or the list"),
        PageParameters,
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The versions", body = Versions),
        (status = 404, description = "No such policy", body = ErrorBody),
    )
)]
pub async fn list(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    page: PageQuery<i64>,
) -> Answer<Versions> {
    let total = stored(&app, &caller, id).await?.version;
    let found = app.db.policy_versions(caller.org_id, id, page.limit, page.cursor).await?;
    // Versions count down to 1 without a gap.
    let oldest = found.last().map(|oldest| oldest.version);
    let next_cursor = oldest.filter(|version| *version > 1).map(|version| version.to_string());
    let versions = found.into_iter().map(VersionRecord::of).collect::<Result<_, _>>()?;
    Ok(Json(Versions { versions, total, next_cursor }))
}

/// See a version of a policy
#[utoipa::path(
    get, path = "/api/policy/{policyId}/versions/{version}", tag = "policies", operation_id = "policies_version",
    params(
        ("policyId" = uuid::Uuid, Path, description = "From its creation or the list"),
        ("version" = i64, Path, minimum = 1, description = "1 for the first"),
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The version", body = VersionRecord),
        (status = 404, description = "No such policy, or no such version of it", body = ErrorBody),
    )
)]
pub async fn one(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    PathParam(version): PathParam,
) -> Answer<VersionRecord> {
    let number = number(&version)?;
    stored(&app, &caller, id).await?;
    let version = app.db.policy_version(caller.org_id, id, number).await?;
    VersionRecord::of(version.ok_or_else(|| Error::not_found("policy version"))?).map(Json)
}

fn number(text: &str) -> Result<i64, Invalid> {
    let number = text.parse().ok().filter(|number| *number >= 1);
    number.ok_or_else(|| Invalid::value("version", "must be a whole number from 1"))
}
