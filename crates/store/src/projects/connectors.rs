//! The connectors that gateways of projects name. None of them can be deleted meanwhile.

use uuid::Uuid;

use crate::{Db, Result, connectors::UsedBy};

/// Projects as users of connectors.
pub(super) const CONNECTORS: UsedBy = UsedBy {
    delete: "DELETE FROM project_connectors WHERE project_id = $1",
    insert: "INSERT INTO project_connectors (project_id, connector_id)
             VALUES ($1, COALESCE((SELECT id FROM connectors WHERE org_id = $2 AND id = $3), $4))
             ON CONFLICT (project_id, connector_id) DO NOTHING",
};

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
