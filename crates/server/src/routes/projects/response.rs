//! The project object of responses.

use std::collections::HashMap;

use guardengine_store::{Project, ProjectMember, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{http::Error, surfaces::GatewaySettings};

/// A project.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectRecord {
    #[serde(rename = "projectId")]
    project_id: Uuid,
    #[serde(rename = "projectName")]
    project_name: String,
    /// Policy that applies to the project.
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    /// Shadow policy: evaluated and logged, without effect on the decision.
    shadow_policy_id: Option<Uuid>,
    /// `full`, `masked`, `sealed` or `none`.
    #[schema(value_type = guardengine_api_types::choices::LogContent)]
    log_content: String,
    /// `refuse` or `spool`.
    #[schema(value_type = guardengine_api_types::choices::StoreFailure)]
    on_store_failure: String,
    /// Models that the gateway serves under this project; null without a gateway.
    gateway: Option<GatewaySettings>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// Usernames of the members. Owners and admins belong to every project and are not listed.
    members: Vec<String>,
}

impl ProjectRecord {
    /// Builds the records of `projects` with their `members`.
    pub fn all(projects: Vec<Project>, members: Vec<ProjectMember>) -> Vec<Self> {
        let mut by_project: HashMap<Uuid, Vec<String>> = HashMap::new();
        for member in members {
            by_project.entry(member.project_id).or_default().push(member.username);
        }
        let record = |project: Project| {
            let members = by_project.remove(&project.id).unwrap_or_default();
            Self::of(project, members)
        };
        projects.into_iter().map(record).collect()
    }

    /// Builds the record of a project.
    pub fn of(project: Project, members: Vec<String>) -> Self {
        Self {
            project_id: project.id,
            project_name: project.name,
            policy_id: project.policy_id,
            shadow_policy_id: project.shadow_policy_id,
            log_content: project.log_content,
            on_store_failure: project.on_store_failure,
            gateway: GatewaySettings::stored(project.gateway.as_deref()),
            created_at: project.created_at,
            updated_at: project.updated_at,
            members,
        }
    }

    /// Returns the record as JSON, for the audit trail.
    pub fn json(&self) -> Result<Value, Error> {
        serde_json::to_value(self).map_err(Error::internal)
    }
}
