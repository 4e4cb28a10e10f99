//! A project as it is answered.

use std::collections::HashMap;

use guardengine_store::{Project, ProjectMember, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::Error;

/// A project.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProjectRecord {
    #[serde(rename = "projectId")]
    project_id: Uuid,
    #[serde(rename = "projectName")]
    project_name: String,
    /// The policy that decides.
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    /// The policy that is tried beside it.
    shadow_policy_id: Option<Uuid>,
    /// `full`, `masked`, `sealed` or `none`.
    log_content: String,
    /// `refuse` or `spool`.
    on_store_failure: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
    /// Usernames, besides owners and admins, who belong to every project.
    members: Vec<String>,
}

impl ProjectRecord {
    /// The records of `projects`, with those of `members` that are theirs.
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

    /// The record of a project with those members.
    pub fn of(project: Project, members: Vec<String>) -> Self {
        Self {
            project_id: project.id,
            project_name: project.name,
            policy_id: project.policy_id,
            shadow_policy_id: project.shadow_policy_id,
            log_content: project.log_content,
            on_store_failure: project.on_store_failure,
            created_at: project.created_at,
            updated_at: project.updated_at,
            members,
        }
    }

    /// The record as the audit trail compares it.
    pub fn json(&self) -> Result<Value, Error> {
        serde_json::to_value(self).map_err(Error::internal)
    }
}
