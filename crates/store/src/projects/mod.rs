//! Projects: the policies of an application.

mod connectors;
mod members;

use connectors::CONNECTORS;
use uuid::Uuid;

use crate::db::Tx;
use crate::name::{name_key, storable};
use crate::{Changed, Created, Db, Result, Timestamp, new_id};

pub use members::{ProjectMember, ProjectMemberRole};

/// A project.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Project {
    /// Identifier.
    pub id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Name, unique in the organization when trimmed and case-folded.
    pub name: String,
    /// Policy that decides.
    pub policy_id: Uuid,
    /// Shadow policy, evaluated without effect.
    pub shadow_policy_id: Option<Uuid>,
    /// Form in which log entries store texts: `full`, `masked`, `sealed` or `none`.
    pub log_content: String,
    /// Handling of guard requests while the database is unreachable: `refuse` or `spool`.
    pub on_store_failure: String,
    /// Settings of the gateway, as JSON; `None` without one.
    pub gateway: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Settings of a gateway to store.
#[derive(Clone, Copy, Debug)]
pub struct NewGateway<'a> {
    /// The settings, as JSON.
    pub settings: &'a str,
    /// The connectors that they name, of the organization.
    pub connectors: &'a [Uuid],
}

/// A project to create.
#[derive(Clone, Copy, Debug)]
pub struct NewProject<'a> {
    /// Organization.
    pub org_id: Uuid,
    /// Name.
    pub name: &'a str,
    /// Policy that decides, one of the organization's.
    pub policy_id: Uuid,
    /// Shadow policy, evaluated without effect.
    pub shadow_policy_id: Option<Uuid>,
    /// `full`, `masked`, `sealed` or `none`.
    pub log_content: &'a str,
    /// `refuse` or `spool`.
    pub on_store_failure: &'a str,
    /// Settings of the gateway.
    pub gateway: Option<NewGateway<'a>>,
    /// Creator, who becomes the first member.
    pub creator: Uuid,
}

/// Changes to a project. `None` keeps the value.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProjectChange<'a> {
    /// Name.
    pub name: Option<&'a str>,
    /// Policy that decides.
    pub policy_id: Option<Uuid>,
    /// Shadow policy; `Some(None)` removes it.
    pub shadow_policy_id: Option<Option<Uuid>>,
    /// `full`, `masked`, `sealed` or `none`.
    pub log_content: Option<&'a str>,
    /// `refuse` or `spool`.
    pub on_store_failure: Option<&'a str>,
    /// Settings of the gateway; `Some(None)` removes them.
    pub gateway: Option<Option<NewGateway<'a>>>,
}

impl Project {
    fn new(new: NewProject<'_>, now: Timestamp) -> Self {
        Self {
            id: new_id(now),
            org_id: new.org_id,
            name: storable(new.name.trim()).into_owned(),
            policy_id: new.policy_id,
            shadow_policy_id: new.shadow_policy_id,
            log_content: new.log_content.to_owned(),
            on_store_failure: new.on_store_failure.to_owned(),
            gateway: new.gateway.map(|gateway| gateway.settings.to_owned()),
            created_at: now,
            updated_at: now,
        }
    }
}

impl Tx {
    /// Creates a project with its creator as the first member. A connector that does not exist is a missing reference.
    pub async fn create_project(&mut self, new: NewProject<'_>, now: Timestamp) -> Result<Created<Project>> {
        let project = Project::new(new, now);
        let inserted =
            self.insert_project(&project).await? && self.add_project_member(project.id, new.creator).await?;
        if inserted && let Some(gateway) = new.gateway {
            self.replace_connectors(&CONNECTORS, (project.org_id, project.id), gateway.connectors).await?;
        }
        Ok(Created::when(inserted, project))
    }

    /// Changes the given fields of a project. A connector that does not exist is a missing reference.
    pub async fn update_project(
        &mut self,
        org_id: Uuid,
        id: Uuid,
        change: ProjectChange<'_>,
        now: Timestamp,
    ) -> Result<Changed<Project>> {
        let changed = Changed::from_update(on!(self.connection(), |c| {
            sqlx::query_as(
                "UPDATE projects SET name = COALESCE($3, name), name_key = COALESCE($4, name_key),
                 policy_id = COALESCE($5, policy_id), log_content = COALESCE($6, log_content),
                 shadow_policy_id = CASE WHEN $7 THEN $8 ELSE shadow_policy_id END, updated_at = $9,
                 on_store_failure = COALESCE($10, on_store_failure),
                 gateway = CASE WHEN $11 THEN $12 ELSE gateway END
                 WHERE org_id = $1 AND id = $2
                 RETURNING id, org_id, name, policy_id, shadow_policy_id, log_content, on_store_failure, gateway,
                 created_at, updated_at",
            )
            .bind(org_id)
            .bind(id)
            .bind(change.name.map(|name| storable(name.trim())))
            .bind(change.name.map(name_key))
            .bind(change.policy_id)
            .bind(change.log_content)
            .bind(change.shadow_policy_id.is_some())
            .bind(change.shadow_policy_id.flatten())
            .bind(now)
            .bind(change.on_store_failure)
            .bind(change.gateway.is_some())
            .bind(change.gateway.flatten().map(|gateway| gateway.settings))
            .fetch_optional(c)
            .await
        }))?;
        if let (Changed::Done(_), Some(gateway)) = (&changed, change.gateway) {
            let connectors = gateway.map_or(&[][..], |gateway| gateway.connectors);
            self.replace_connectors(&CONNECTORS, (org_id, id), connectors).await?;
        }
        Ok(changed)
    }

    /// Deletes a project; its log entries stay. Returns false when it does not exist.
    pub async fn delete_project(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        let gone = on!(self.connection(), |c| {
            sqlx::query("DELETE FROM projects WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(gone == 1)
    }

    async fn insert_project(&mut self, project: &Project) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO projects
                 (id, org_id, name, name_key, policy_id, shadow_policy_id, log_content, created_at, updated_at,
                  on_store_failure, gateway)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9, $10) ON CONFLICT (org_id, name_key) DO NOTHING",
            )
            .bind(project.id)
            .bind(project.org_id)
            .bind(&project.name)
            .bind(name_key(&project.name))
            .bind(project.policy_id)
            .bind(project.shadow_policy_id)
            .bind(&project.log_content)
            .bind(project.created_at)
            .bind(&project.on_store_failure)
            .bind(&project.gateway)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }
}

impl Db {
    /// Returns the project with that identifier.
    pub async fn project(&self, org_id: Uuid, id: Uuid) -> Result<Option<Project>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, name, policy_id, shadow_policy_id, log_content, on_store_failure, gateway,
                 created_at, updated_at
                 FROM projects WHERE org_id = $1 AND id = $2",
            )
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists an organization's projects by name: all, or those a user was added to.
    pub async fn projects(&self, org_id: Uuid, of_user: Option<Uuid>) -> Result<Vec<Project>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, name, policy_id, shadow_policy_id, log_content, on_store_failure, gateway,
                 created_at, updated_at
                 FROM projects WHERE org_id = $1 AND ($2 OR EXISTS
                 (SELECT 1 FROM project_members WHERE project_id = projects.id AND user_id = $3)) ORDER BY name_key",
            )
            .bind(org_id)
            .bind(of_user.is_none())
            .bind(of_user)
            .fetch_all(pool)
            .await?
        }))
    }
}
