//! Settings of the installation, stored in the database.

use crate::{Db, Result};

impl Db {
    /// Returns a setting.
    pub async fn setting(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT value FROM settings WHERE name = $1")
                .bind(name)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Stores a setting unless it exists and returns the stored value.
    pub async fn get_or_insert_setting(&self, name: &str, value: &[u8]) -> Result<Vec<u8>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_scalar(
                "INSERT INTO settings (name, value) VALUES ($1, $2)
                 ON CONFLICT (name) DO UPDATE SET value = settings.value RETURNING value",
            )
            .bind(name)
            .bind(value)
            .fetch_one(pool)
            .await?
        }))
    }

    /// Stores a setting, overwriting its value.
    pub async fn set_setting(&self, name: &str, value: &[u8]) -> Result<()> {
        on!(self.writer(), |pool| {
            sqlx::query(
                "INSERT INTO settings (name, value) VALUES ($1, $2)
                 ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            )
            .bind(name)
            .bind(value)
            .execute(pool)
            .await?;
        });
        Ok(())
    }
}
