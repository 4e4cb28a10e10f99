//! The policy object of responses.

use guardengine_auth::Principal;
use guardengine_engine::policy::document;
use guardengine_store::{Policy, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::Error,
    policies::{topics::ShownTopics, written::WrittenPolicy},
};

/// Returns the policy with this identifier in the caller's organization, or 404.
pub async fn stored(tenants: &Tenants, caller: &Principal, id: Uuid) -> Result<Policy, Error> {
    tenants.db.policy(caller.org_id, id).await?.ok_or_else(|| Error::not_found("policy"))
}

/// Parses the stored content of a policy.
pub fn read(content: &str) -> Result<document::Policy, Error> {
    serde_json::from_str(content).map_err(Error::internal)
}

/// A stored policy.
#[derive(Debug, Serialize, ToSchema)]
pub struct PolicyRecord {
    /// Policy identifier.
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    /// The policy document.
    #[serde(flatten)]
    #[schema(value_type = WrittenPolicy)]
    written: document::Policy,
    /// Version number, from 1, incremented with every change.
    version: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl PolicyRecord {
    /// Builds the record of a stored policy.
    pub async fn of(policy: &Policy, topics: &ShownTopics<'_>) -> Result<Self, Error> {
        let mut written = read(&policy.content)?;
        topics.add(policy, &mut written).await;
        let Policy { id, version, created_at, updated_at, .. } = *policy;
        Ok(Self { policy_id: id, written, version, created_at, updated_at })
    }
}
