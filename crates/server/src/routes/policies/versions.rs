use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_engine::{fields::FieldError, policy::document};
use guardengine_guard::Guard;
use guardengine_store::{Policy, PolicyVersion, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::response::{read, stored};
use crate::{
    app::Tenants,
    http::{Answer, Caller, Error, Json, NumberedPageParameters, PageQuery, PathId, PathParam},
    policies::topics::ShownTopics,
};

/// A version of a policy.
#[derive(Debug, Serialize, ToSchema)]
pub struct VersionRecord {
    /// Version number, from 1, incremented with every change.
    version: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Username of the author.
    created_by: String,
    /// The policy document.
    #[schema(value_type = crate::policies::written::WrittenPolicy)]
    policy: document::Policy,
}

impl VersionRecord {
    /// Builds the record of a version of a policy.
    async fn of(version: PolicyVersion, stored: &Policy, topics: &ShownTopics<'_>) -> Result<Self, Error> {
        let mut policy = read(&version.content)?;
        let PolicyVersion { version, created_at, created_by, content, .. } = version;
        let as_stored = Policy { version, content, ..stored.clone() };
        topics.add(&as_stored, &mut policy).await;
        Ok(Self { version, created_at, created_by, policy })
    }
}

/// Versions of a policy.
#[derive(Debug, Serialize, ToSchema)]
pub struct Versions {
    /// Newest first, including the current version.
    versions: Vec<VersionRecord>,
    /// Total number of versions.
    total: i64,
    /// `cursor` of the next page; null on the last page.
    next_cursor: Option<String>,
}

/// List the versions of a policy
#[utoipa::path(
    get, path = "/api/policy/{policyId}/versions", tag = "policies", operation_id = "policies_versions",
    params(
        ("policyId" = uuid::Uuid, Path, description = "Policy identifier"),
        NumberedPageParameters,
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The versions", body = Versions),
        (status = 404, description = "Policy not found", body = ErrorBody),
    )
)]
pub async fn list(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
    page: PageQuery<i64>,
) -> Answer<Versions> {
    let current = stored(&tenants, &caller, id).await?;
    let found = tenants.db.policy_versions(caller.org_id, id, page.limit, page.cursor).await?;
    // Versions have no gaps down to 1.
    let oldest = found.last().map(|oldest| oldest.version);
    let next_cursor = oldest.filter(|version| *version > 1).map(|version| version.to_string());
    let topics = ShownTopics::new(&guard);
    let mut versions = Vec::with_capacity(found.len());
    for version in found {
        versions.push(VersionRecord::of(version, &current, &topics).await?);
    }
    Ok(Json(Versions { versions, total: current.version, next_cursor }))
}

/// Get a version of a policy
#[utoipa::path(
    get, path = "/api/policy/{policyId}/versions/{version}", tag = "policies", operation_id = "policies_version",
    params(
        ("policyId" = uuid::Uuid, Path, description = "Policy identifier"),
        ("version" = i64, Path, minimum = 1, description = "Version number, from 1"),
    ),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The version", body = VersionRecord),
        (status = 404, description = "Policy or version not found", body = ErrorBody),
    )
)]
pub async fn one(
    State(tenants): State<Tenants>,
    State(guard): State<Guard>,
    Caller(caller): Caller,
    PathId(id): PathId,
    PathParam(version): PathParam,
) -> Answer<VersionRecord> {
    let number = number(&version)?;
    let current = stored(&tenants, &caller, id).await?;
    let found = tenants.db.policy_version(caller.org_id, id, number).await?;
    let version = found.ok_or_else(|| Error::not_found("policy version"))?;
    VersionRecord::of(version, &current, &ShownTopics::new(&guard)).await.map(Json)
}

fn number(text: &str) -> Result<i64, FieldError> {
    let number = text.parse().ok().filter(|number| *number >= 1);
    number.ok_or_else(|| FieldError::value("version", "must be a whole number from 1"))
}
