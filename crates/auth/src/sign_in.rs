//! Sign-in with username and password.

use std::{net::IpAddr, time::Duration};

use guardengine_store::{LockoutRule, LoginAttempt, OrgOfUser, User, name_key};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Auth, Error, Identity, TokenSet, attempts_name, audit, secret};

const PRE_AUTH_TOKEN_CHARS: usize = 64;
const PRE_AUTH_LIFETIME: Duration = Duration::from_mins(5);

/// An organization to choose from.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrganizationChoice {
    /// Organization id, for `/auth/select-org`.
    pub org_id: Uuid,
    /// Name of the organization.
    pub name: String,
    /// The user's role in the organization.
    pub role: String,
}

impl From<OrgOfUser> for OrganizationChoice {
    fn from(org: OrgOfUser) -> Self {
        Self { org_id: org.org_id, name: org.name, role: org.role }
    }
}

/// Request to choose an organization, for accounts that belong to several.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChooseOrganization {
    /// Always `org_selection_required`.
    pub status: &'static str,
    /// Token for `/auth/select-org`. Valid once, for five minutes.
    pub pre_auth_token: String,
    /// Organizations of the account.
    pub organizations: Vec<OrganizationChoice>,
}

/// Response to a sign-in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SignedIn {
    /// Tokens of a new session.
    Session(TokenSet),
    /// An organization must be chosen first.
    Choose(ChooseOrganization),
}

/// Locks that serialize sign-ins per username. Usernames share a fixed number of locks, which bounds memory.
pub struct SignInLocks([tokio::sync::Mutex<()>; 64]);

impl Default for SignInLocks {
    fn default() -> Self {
        Self(std::array::from_fn(|_| tokio::sync::Mutex::default()))
    }
}

impl SignInLocks {
    async fn of(&self, username: &str) -> tokio::sync::MutexGuard<'_, ()> {
        let index = usize::from(secret::digest(&name_key(username))[0]) % self.0.len();
        self.0[index].lock().await
    }
}

impl Auth {
    /// Signs in.
    pub async fn sign_in(&self, username: &str, password: &str, address: IpAddr) -> Result<SignedIn, Error> {
        let user = self.verify_password(username, password, address).await?;
        self.complete_sign_in(&user, address).await
    }

    /// Returns the user with this name and password. Known and unknown usernames take the same time and count towards the
    /// same lockout.
    pub async fn verify_password(
        &self,
        username: &str,
        password: &str,
        address: IpAddr,
    ) -> Result<User, Error> {
        // One at a time per username: a burst of right passwords must not look like a burst of guesses.
        let _lock = self.0.sign_in_locks.of(username).await;
        self.count_attempt(username).await.inspect_err(|error| {
            if matches!(error, Error::LockedOut(_)) {
                metrics::counter!("guardengine_sign_ins_total", "outcome" => "locked").increment(1);
            }
        })?;
        let user = self.0.db.user_by_name(username).await?;
        let hash = user.as_ref().map(|user| user.password_hash.clone());
        let is_right = self.0.passwords.matches(password, hash).await;
        if !is_right && let Some(user) = &user {
            self.record_failed_sign_in(user, address);
        }
        let Some(user) = user.filter(|_| is_right) else {
            metrics::counter!("guardengine_sign_ins_total", "outcome" => "refused").increment(1);
            return Err(Error::InvalidCredentials);
        };
        self.reset_attempts(username).await?;
        metrics::counter!("guardengine_sign_ins_total", "outcome" => "signed_in").increment(1);
        Ok(user)
    }

    /// Counts an attempt to guess a password, before the password is verified, so that parallel guesses count too. Returns
    /// [`Error::LockedOut`] when there were too many.
    async fn count_attempt(&self, username: &str) -> Result<(), Error> {
        let (now, lockout) = (self.0.clock.now(), self.0.settings.lockout);
        let rule =
            LockoutRule { attempts: lockout.attempts, window: lockout.window, duration: lockout.duration };
        let name = attempts_name(self.0.vault.master(), username);
        match self.0.db.record_login_attempt(&name, rule, now).await? {
            LoginAttempt::LockedUntil(until) => Err(Error::LockedOut(until.since(now))),
            LoginAttempt::Allowed => Ok(()),
        }
    }

    async fn reset_attempts(&self, username: &str) -> Result<(), Error> {
        self.0.db.reset_login_attempts(&attempts_name(self.0.vault.master(), username)).await?;
        Ok(())
    }

    /// Returns whether `password` is the one of a signed-in user. Wrong ones count towards the lockout like failed
    /// sign-ins, and the right one resets the count.
    pub async fn confirms(&self, user: &User, password: &str) -> Result<bool, Error> {
        let _lock = self.0.sign_in_locks.of(&user.username).await;
        self.count_attempt(&user.username).await?;
        let is_right = self.0.passwords.matches(password, Some(user.password_hash.clone())).await;
        if is_right {
            self.reset_attempts(&user.username).await?;
        }
        Ok(is_right)
    }

    /// Writes a failed sign-in to the audit trails of the user. It runs in the background, because the response time must not
    /// reveal that the user exists. The lockout bounds the number of entries.
    fn record_failed_sign_in(&self, user: &User, address: IpAddr) {
        let (auth, user) = (self.clone(), user.clone());
        self.0.tasks.spawn(async move {
            if let Err(error) = auth.record_refusal(&user, address).await {
                tracing::warn!(?error, "could not write a failed sign-in to the audit trail");
            }
        });
    }

    async fn record_refusal(&self, user: &User, address: IpAddr) -> Result<(), Error> {
        let person = Identity { id: user.id, username: &user.username, address };
        for org in self.0.db.orgs_of_user(user.id).await? {
            audit::record(
                &self.0.db,
                self.0.clock.now(),
                person.actor(org.org_id),
                "SESSIONS:SIGN_IN_REFUSED",
                &user.username,
                json!({}),
            )
            .await?;
        }
        Ok(())
    }

    async fn complete_sign_in(&self, user: &User, address: IpAddr) -> Result<SignedIn, Error> {
        let person = Identity { id: user.id, username: &user.username, address };
        let orgs = self.0.db.orgs_of_user(user.id).await?;
        match orgs.as_slice() {
            [] => Err(Error::InvalidCredentials),
            [one] => Ok(SignedIn::Session(self.start_session(person, one).await?)),
            _ => Ok(SignedIn::Choose(self.choose(user.id, orgs).await?)),
        }
    }

    async fn choose(&self, user: Uuid, orgs: Vec<OrgOfUser>) -> Result<ChooseOrganization, Error> {
        let now = self.0.clock.now();
        let pre_auth_token = secret::random(PRE_AUTH_TOKEN_CHARS);
        self.0
            .db
            .insert_pre_auth_token(&secret::digest(&pre_auth_token), user, now + PRE_AUTH_LIFETIME, now)
            .await?;
        let organizations = orgs.into_iter().map(OrganizationChoice::from).collect();
        Ok(ChooseOrganization { status: "org_selection_required", pre_auth_token, organizations })
    }

    /// Starts a session in the chosen organization. A wrong choice does not invalidate the token.
    pub async fn select_org(
        &self,
        pre_auth_token: &str,
        org_id: Uuid,
        address: IpAddr,
    ) -> Result<TokenSet, Error> {
        let now = self.0.clock.now();
        let hash = secret::digest(pre_auth_token);
        let user = self.0.db.user_of_pre_auth_token(&hash, now).await?.ok_or(Error::InvalidToken)?;
        let orgs = self.0.db.orgs_of_user(user).await?;
        let org = orgs.iter().find(|org| org.org_id == org_id).ok_or(Error::NotFound("organization"))?;
        self.0.db.consume_pre_auth_token(&hash, now).await?.ok_or(Error::InvalidToken)?;
        let user = self.0.db.user(user).await?.ok_or(Error::InvalidToken)?;
        self.start_session(Identity { id: user.id, username: &user.username, address }, org).await
    }
}
