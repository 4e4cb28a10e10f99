//! A policy as it is answered.

use guardengine_engine::policy::written;
use guardengine_store::{Policy, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::written::WrittenPolicy;
use crate::{
    app::App,
    http::{Error, Principal},
};

/// The policy with that id in the caller's organisation, or 404.
pub async fn stored(app: &App, caller: &Principal, id: Uuid) -> Result<Policy, Error> {
    app.db.policy(caller.org_id, id).await?.ok_or_else(|| Error::not_found("policy"))
}

/// What a stored content says.
pub fn read(content: &str) -> Result<written::Policy, Error> {
    serde_json::from_str(content).map_err(Error::internal)
}

/// A policy with what the service adds to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct PolicyRecord {
    /// Its id.
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    /// What was written.
    #[serde(flatten)]
    #[schema(value_type = WrittenPolicy)]
    written: written::Policy,
    /// 1 for the first, one more with every change.
    version: i64,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl PolicyRecord {
    /// The record of a stored policy.
    pub fn of(policy: &Policy) -> Result<Self, Error> {
        let written = read(&policy.content)?;
        let Policy { id, version, created_at, updated_at, .. } = *policy;
        Ok(Self { policy_id: id, written, version, created_at, updated_at })
    }
}
