//! The connectors that gateways of projects name. None of them can be deleted meanwhile.

use uuid::Uuid;

use super::Project;
use crate::db::Tx;
use crate::{Db, Result};

impl Tx {
    /// Replaces the connectors of a project's gateway. A connector that is not the organization's becomes a dangling
    /// reference, by the nil UUID, which no connector has.
    pub(super) async fn replace_project_connectors(
        &mut self,
        project: &Project,
        connectors: &[Uuid],
    ) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query("DELETE FROM project_connectors WHERE project_id = $1")
                .bind(project.id)
                .execute(&mut *c)
                .await?;
            for connector in connectors {
                sqlx::query(
                    "INSERT INTO project_connectors (project_id, connector_id)
                     VALUES ($1, COALESCE((SELECT id FROM connectors WHERE org_id = $2 AND id = $3), $4))
                     ON CONFLICT (project_id, connector_id) DO NOTHING",
                )
                .bind(project.id)
                .bind(project.org_id)
                .bind(connector)
                .bind(Uuid::nil())
                .execute(&mut *c)
                .await?;
            }
        });
        Ok(())
    }
}

impl Db {
    /// Lists the names of the projects whose gateway names a connector, in order.
    pub async fn projects_of_connector(&self, org_id: Uuid, id: Uuid) -> Result<Vec<String>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT name FROM projects JOIN project_connectors ON project_id = projects.id
                 WHERE org_id = $1 AND connector_id = $2 ORDER BY name_key",
            )
            .bind(org_id)
            .bind(id)
            .fetch_all(pool)
            .await?
        }))
    }
}
