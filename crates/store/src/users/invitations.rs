//! Invitations to an organization. A token is used once.

use uuid::Uuid;

use super::NewUser;
use crate::db::Tx;
use crate::name::storable;
use crate::{Created, Db, Page, Paged, Result, Timestamp, new_id};

/// Deletions per statement.
const DELETE_BATCH: i64 = 500;

/// An invitation.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Invitation {
    /// Identifier.
    pub id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Role that it grants: built-in or custom.
    pub role: String,
    /// Note for those who manage users.
    pub note: Option<String>,
    /// User who created it.
    pub creator_id: Uuid,
    /// Name of that user.
    pub creator: String,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time from which it is refused.
    pub expires_at: Timestamp,
    /// Name of the user who accepted it.
    pub accepted_by: Option<String>,
    /// `open`, `accepted`, `revoked` or `expired`.
    pub status: String,
}

/// An invitation to create.
#[derive(Clone, Copy, Debug)]
pub struct NewInvitation<'a> {
    /// Organization.
    pub org_id: Uuid,
    /// Creator, a member of the organization.
    pub creator_id: Uuid,
    /// Hash of the token.
    pub token_hash: &'a [u8],
    /// Role that it grants: built-in or custom.
    pub role: &'a str,
    /// Note for those who manage users.
    pub note: Option<&'a str>,
    /// Time from which it is refused.
    pub expires_at: Timestamp,
}

/// The user who accepts an invitation.
#[derive(Clone, Copy, Debug)]
pub enum Invitee<'a> {
    /// A user to create.
    New {
        /// Username, not yet trimmed.
        username: &'a str,
        /// Password hash (PHC string).
        password_hash: &'a str,
    },
    /// An existing user.
    Existing(Uuid),
}

/// Outcome of an acceptance. Every outcome but the first leaves the invitation as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// The user, by identifier, is a member now.
    Done(Uuid),
    /// The invitation is not open.
    Closed,
    /// The username is taken.
    NameTaken,
    /// The user is a member already.
    AlreadyMember,
}

/// An open invitation in a transaction that holds its lock.
#[derive(sqlx::FromRow)]
struct Locked {
    id: Uuid,
    org_id: Uuid,
    role: String,
}

// The condition of open invitations. The argument is the placeholder of the time.
macro_rules! is_open {
    ($now:literal) => {
        concat!("accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ", $now)
    };
}

// Bind the time as `$1`.
macro_rules! select_invitations {
    () => {
        "SELECT invitations.id, org_id, role, note, creator_id, creators.username AS creator,
         invitations.created_at, expires_at, acceptors.username AS accepted_by,
         CASE WHEN accepted_at IS NOT NULL THEN 'accepted' WHEN revoked_at IS NOT NULL THEN 'revoked'
         WHEN expires_at <= $1 THEN 'expired' ELSE 'open' END AS status
         FROM invitations JOIN users AS creators ON creators.id = creator_id
         LEFT JOIN users AS acceptors ON acceptors.id = acceptor_id"
    };
}

impl Tx {
    /// Creates an invitation and returns its identifier; `None` if the organization has `max_open` open ones.
    pub async fn create_invitation(
        &mut self,
        new: NewInvitation<'_>,
        max_open: i64,
        now: Timestamp,
    ) -> Result<Option<Uuid>> {
        // Locks the organization, so that two creations do not exceed the limit together.
        self.lock_balance(new.org_id).await?;
        if self.open_invitations(new.org_id, now).await? >= max_open {
            return Ok(None);
        }
        let id = new_id(now);
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO invitations (id, org_id, token_hash, role, note, creator_id, created_at, expires_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(id)
            .bind(new.org_id)
            .bind(new.token_hash)
            .bind(new.role)
            .bind(new.note.map(storable))
            .bind(new.creator_id)
            .bind(now)
            .bind(new.expires_at)
            .execute(c)
            .await?;
        });
        Ok(Some(id))
    }

    /// Revokes an open invitation. Returns false if there is none.
    pub async fn revoke_invitation(&mut self, org_id: Uuid, id: Uuid, now: Timestamp) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(concat!(
                "UPDATE invitations SET revoked_at = $3 WHERE org_id = $1 AND id = $2
                 AND ",
                is_open!("$3")
            ))
            .bind(org_id)
            .bind(id)
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Accepts an open invitation: makes the invitee a member with its role.
    pub async fn accept_invitation(
        &mut self,
        token_hash: &[u8],
        invitee: Invitee<'_>,
        now: Timestamp,
    ) -> Result<Acceptance> {
        let Some(Locked { id, org_id, role }) = self.lock_open_invitation(token_hash, now).await? else {
            return Ok(Acceptance::Closed);
        };
        let user_id = match invitee {
            Invitee::New { username, password_hash } => {
                let new = NewUser { username, password_hash, org_id, role: &role };
                match self.create_user(new, now).await? {
                    Created::Done(user) => user.id,
                    Created::NameTaken => return Ok(Acceptance::NameTaken),
                }
            }
            Invitee::Existing(user) if self.add_member(org_id, user, &role, now).await? => user,
            Invitee::Existing(_) => return Ok(Acceptance::AlreadyMember),
        };
        on!(self.connection(), |c| {
            sqlx::query("UPDATE invitations SET acceptor_id = $2, accepted_at = $3 WHERE id = $1")
                .bind(id)
                .bind(user_id)
                .bind(now)
                .execute(c)
                .await?;
        });
        Ok(Acceptance::Done(user_id))
    }

    /// Returns the open invitation with this token and locks it until the transaction ends: an update that changes
    /// nothing locks on both databases.
    async fn lock_open_invitation(&mut self, token_hash: &[u8], now: Timestamp) -> Result<Option<Locked>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE invitations SET role = role WHERE token_hash = $1
                 AND ",
                is_open!("$2"),
                " RETURNING id, org_id, role"
            ))
            .bind(token_hash)
            .bind(now)
            .fetch_optional(c)
            .await?
        }))
    }

    async fn open_invitations(&mut self, org_id: Uuid, now: Timestamp) -> Result<i64> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar(concat!(
                "SELECT COUNT(*) FROM invitations
                 WHERE org_id = $1 AND ",
                is_open!("$2")
            ))
            .bind(org_id)
            .bind(now)
            .fetch_one(c)
            .await?
        }))
    }

    /// Revokes the open invitations that a user created in an organization.
    pub(super) async fn revoke_invitations_of(
        &mut self,
        org_id: Uuid,
        creator: Uuid,
        now: Timestamp,
    ) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(concat!(
                "UPDATE invitations SET revoked_at = $3 WHERE org_id = $1 AND creator_id = $2
                 AND ",
                is_open!("$3")
            ))
            .bind(org_id)
            .bind(creator)
            .bind(now)
            .execute(c)
            .await?;
        });
        Ok(())
    }

    /// Revokes the open invitations to a role.
    pub(super) async fn revoke_invitations_to(
        &mut self,
        org_id: Uuid,
        role_id: Uuid,
        now: Timestamp,
    ) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(concat!(
                "UPDATE invitations SET revoked_at = $3 WHERE org_id = $1
                 AND role = (SELECT name FROM roles WHERE org_id = $1 AND id = $2)
                 AND ",
                is_open!("$3")
            ))
            .bind(org_id)
            .bind(role_id)
            .bind(now)
            .execute(c)
            .await?;
        });
        Ok(())
    }
}

impl Db {
    /// Lists an organization's invitations, newest first; `status` restricts to `open`, `accepted`, `revoked` or
    /// `expired`.
    pub async fn invitations(
        &self,
        org_id: Uuid,
        status: Option<&str>,
        page: Page,
        now: Timestamp,
    ) -> Result<Paged<Invitation>> {
        let rows: Vec<Invitation> = on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT * FROM (",
                select_invitations!(),
                ") AS listed WHERE org_id = $2 AND status = COALESCE($3, status) AND id < $4 ORDER BY id DESC LIMIT $5"
            ))
            .bind(now)
            .bind(org_id)
            .bind(status)
            .bind(page.upper_bound())
            .bind(page.limit_plus_one())
            .fetch_all(pool)
            .await?
        });
        Ok(page.finish(rows, |invitation| invitation.id))
    }

    /// Returns the invitation with that identifier.
    pub async fn invitation(&self, org_id: Uuid, id: Uuid, now: Timestamp) -> Result<Option<Invitation>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(select_invitations!(), " WHERE org_id = $2 AND invitations.id = $3"))
                .bind(now)
                .bind(org_id)
                .bind(id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Returns the invitation with that token.
    pub async fn invitation_of_token(&self, hash: &[u8], now: Timestamp) -> Result<Option<Invitation>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(select_invitations!(), " WHERE token_hash = $2"))
                .bind(now)
                .bind(hash)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Deletes a batch of an organization's invitations that ended before a time, and returns how many.
    pub async fn delete_invitations_ended_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM invitations WHERE id IN (
                 SELECT id FROM invitations WHERE org_id = $1
                 AND COALESCE(accepted_at, revoked_at, expires_at) < $2 ORDER BY id LIMIT $3)",
            )
            .bind(org_id)
            .bind(time)
            .bind(DELETE_BATCH)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
