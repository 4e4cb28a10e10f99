//! Rate limits of an organization.

use uuid::Uuid;

use crate::db::Tx;
use crate::{Db, Result};

impl Tx {
    /// Sets an organization's own rate limits, a JSON object, or removes them. Returns false when the organization
    /// does not exist.
    pub async fn set_limits(&mut self, org_id: Uuid, limits: Option<&str>) -> Result<bool> {
        let changed = on!(self.connection(), |c| {
            sqlx::query("UPDATE orgs SET limits = $2 WHERE id = $1")
                .bind(org_id)
                .bind(limits)
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(changed == 1)
    }
}

impl Db {
    /// Returns the organization's own rate limits; `None` when the configured ones apply.
    pub async fn limits(&self, org_id: Uuid) -> Result<Option<String>> {
        let limits: Option<Option<String>> = on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT limits FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(limits.flatten())
    }
}
