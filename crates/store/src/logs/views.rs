//! Saved views of the log.

use uuid::Uuid;

use crate::db::Tx;
use crate::name::storable;
use crate::{Db, Result, Timestamp};

/// A saved view of the log.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct LogView {
    /// Identifier: see [`crate::new_id`].
    pub id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// User that it belongs to.
    pub user_id: Uuid,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
    /// Name.
    pub name: String,
    /// True if the whole organization sees it.
    pub shared: bool,
    /// Filters, period and columns, as JSON.
    pub content: String,
}

macro_rules! view_columns {
    () => {
        "id, org_id, user_id, created_at, updated_at, name, shared, content"
    };
}

impl Tx {
    /// Creates a view. Returns false if the user has `max_views` of them in the organization.
    pub async fn create_log_view(&mut self, view: &LogView, max_views: i64) -> Result<bool> {
        // Locks the organization, so that two creations do not exceed the limit together.
        self.lock_balance(view.org_id).await?;
        let views: i64 = on!(self.connection(), |c| {
            sqlx::query_scalar("SELECT COUNT(*) FROM log_views WHERE org_id = $1 AND user_id = $2")
                .bind(view.org_id)
                .bind(view.user_id)
                .fetch_one(c)
                .await?
        });
        if views >= max_views {
            return Ok(false);
        }
        on!(self.connection(), |c| {
            sqlx::query(concat!(
                "INSERT INTO log_views (",
                view_columns!(),
                ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
            ))
            .bind(view.id)
            .bind(view.org_id)
            .bind(view.user_id)
            .bind(view.created_at)
            .bind(view.updated_at)
            .bind(storable(&view.name))
            .bind(view.shared)
            .bind(storable(&view.content))
            .execute(c)
            .await?;
        });
        Ok(true)
    }

    /// Writes name, visibility and content of a view. Returns false if it is gone.
    pub async fn update_log_view(&mut self, view: &LogView) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "UPDATE log_views SET name = $3, shared = $4, content = $5, updated_at = $6
                 WHERE org_id = $1 AND id = $2",
            )
            .bind(view.org_id)
            .bind(view.id)
            .bind(storable(&view.name))
            .bind(view.shared)
            .bind(storable(&view.content))
            .bind(view.updated_at)
            .execute(c)
            .await?
            .rows_affected()
                > 0
        }))
    }

    /// Deletes a view. Returns false if it is gone.
    pub async fn delete_log_view(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query("DELETE FROM log_views WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await?
                .rows_affected()
                > 0
        }))
    }
}

impl Db {
    /// Returns the view with that identifier, if the user sees it: it is their own or shared.
    pub async fn log_view(&self, org_id: Uuid, user_id: Uuid, id: Uuid) -> Result<Option<LogView>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                view_columns!(),
                " FROM log_views WHERE org_id = $1 AND id = $3 AND (user_id = $2 OR shared)"
            ))
            .bind(org_id)
            .bind(user_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists at most `limit` views that a user sees: their own and shared ones, newest first.
    pub async fn log_views(&self, org_id: Uuid, user_id: Uuid, limit: i64) -> Result<Vec<LogView>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                view_columns!(),
                " FROM log_views WHERE org_id = $1 AND (user_id = $2 OR shared) ORDER BY id DESC LIMIT $3"
            ))
            .bind(org_id)
            .bind(user_id)
            .bind(limit)
            .fetch_all(pool)
            .await?
        }))
    }
}
