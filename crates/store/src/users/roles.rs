//! Custom roles of organizations.

use uuid::Uuid;

use crate::db::Tx;
use crate::name::{name_key, storable};
use crate::{Changed, Created, Db, Deleted, Page, Paged, Result, Timestamp, new_id};

/// A custom role.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Role {
    /// Identifier.
    pub id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Name, by which memberships refer to it.
    pub name: String,
    /// Permissions, as a JSON array of `<MODULE>:<ACTION>`.
    pub permissions: String,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

impl Tx {
    /// Creates a role.
    pub async fn create_role(
        &mut self,
        org_id: Uuid,
        name: &str,
        permissions: &str,
        now: Timestamp,
    ) -> Result<Created<Role>> {
        let role = Role {
            id: new_id(now),
            org_id,
            name: storable(name.trim()).into_owned(),
            permissions: permissions.to_owned(),
            created_at: now,
            updated_at: now,
        };
        let inserted = on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO roles (id, org_id, name, name_key, permissions, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (org_id, name_key) DO NOTHING",
            )
            .bind(role.id)
            .bind(org_id)
            .bind(&role.name)
            .bind(name_key(name))
            .bind(permissions)
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
        });
        Ok(Created::when(inserted == 1, role))
    }

    /// Changes the given fields of a role. Its members keep it under a new name.
    pub async fn update_role(
        &mut self,
        role: (Uuid, Uuid),
        name: Option<&str>,
        permissions: Option<&str>,
        now: Timestamp,
    ) -> Result<Changed<Role>> {
        let (org_id, id) = role;
        let Some(before) = self.lock_role(org_id, id).await? else { return Ok(Changed::Missing) };
        let name = name.map_or_else(|| before.clone(), |name| storable(name.trim()).into_owned());
        let changed = self.write_role(role, &name, permissions, now).await?;
        if matches!(changed, Changed::Done(_)) {
            self.rename_role_of_members(org_id, &before, &name).await?;
        }
        Ok(changed)
    }

    /// Deletes a role without members, and revokes the open invitations to it. Returns `InUse` with the names of its
    /// members; then the transaction must be dropped.
    pub async fn delete_role(&mut self, org_id: Uuid, id: Uuid, now: Timestamp) -> Result<Deleted> {
        // First: an acceptance in progress ends before the members are read.
        self.revoke_invitations_to(org_id, id, now).await?;
        let members = self.names_of_members_with_role(org_id, id).await?;
        if !members.is_empty() {
            return Ok(Deleted::InUse(members));
        }
        let deleted = on!(self.connection(), |c| {
            sqlx::query("DELETE FROM roles WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(if deleted == 1 { Deleted::Done } else { Deleted::Missing })
    }

    async fn names_of_members_with_role(&mut self, org_id: Uuid, id: Uuid) -> Result<Vec<String>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar(
                "SELECT username FROM memberships JOIN users ON users.id = user_id
                 JOIN roles ON roles.org_id = memberships.org_id AND roles.name = role
                 WHERE roles.org_id = $1 AND roles.id = $2 ORDER BY username_key",
            )
            .bind(org_id)
            .bind(id)
            .fetch_all(c)
            .await?
        }))
    }

    /// Returns a role's name and locks its row until the transaction ends: an update that changes nothing locks on
    /// both databases.
    async fn lock_role(&mut self, org_id: Uuid, id: Uuid) -> Result<Option<String>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, String>(
                "UPDATE roles SET name = name WHERE org_id = $1 AND id = $2 RETURNING name",
            )
            .bind(org_id)
            .bind(id)
            .fetch_optional(c)
            .await?
        }))
    }

    async fn write_role(
        &mut self,
        role: (Uuid, Uuid),
        name: &str,
        permissions: Option<&str>,
        now: Timestamp,
    ) -> Result<Changed<Role>> {
        Changed::from_update(on!(self.connection(), |c| {
            sqlx::query_as(
                "UPDATE roles SET name = $3, name_key = $4, permissions = COALESCE($5, permissions), updated_at = $6
                 WHERE org_id = $1 AND id = $2
                 RETURNING id, org_id, name, permissions, created_at, updated_at",
            )
            .bind(role.0)
            .bind(role.1)
            .bind(name)
            .bind(name_key(name))
            .bind(permissions)
            .bind(now)
            .fetch_optional(c)
            .await
        }))
    }

    /// Renames a role in invitations and memberships, which refer to it by name. An acceptance in progress ends before
    /// memberships are renamed.
    pub(crate) async fn rename_role_of_members(
        &mut self,
        org_id: Uuid,
        before: &str,
        after: &str,
    ) -> Result<()> {
        on!(self.connection(), |c| {
            if before != after {
                sqlx::query("UPDATE invitations SET role = $3 WHERE org_id = $1 AND role = $2")
                    .bind(org_id)
                    .bind(before)
                    .bind(after)
                    .execute(&mut *c)
                    .await?;
                sqlx::query("UPDATE memberships SET role = $3 WHERE org_id = $1 AND role = $2")
                    .bind(org_id)
                    .bind(before)
                    .bind(after)
                    .execute(c)
                    .await?;
            }
        });
        Ok(())
    }
}

impl Db {
    /// Lists an organization's custom roles, newest first.
    pub async fn roles(&self, org_id: Uuid, page: Page) -> Result<Paged<Role>> {
        let rows: Vec<Role> = on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, name, permissions, created_at, updated_at FROM roles
                 WHERE org_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3",
            )
            .bind(org_id)
            .bind(page.upper_bound())
            .bind(page.limit_plus_one())
            .fetch_all(pool)
            .await?
        });
        Ok(page.finish(rows, |role| role.id))
    }

    /// Returns the role with that identifier.
    pub async fn role(&self, org_id: Uuid, id: Uuid) -> Result<Option<Role>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, name, permissions, created_at, updated_at FROM roles
                 WHERE org_id = $1 AND id = $2",
            )
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Returns the role with that name, ignoring case.
    pub async fn role_by_name(&self, org_id: Uuid, name: &str) -> Result<Option<Role>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, name, permissions, created_at, updated_at FROM roles
                 WHERE org_id = $1 AND name_key = $2",
            )
            .bind(org_id)
            .bind(name_key(name))
            .fetch_optional(pool)
            .await?
        }))
    }
}
