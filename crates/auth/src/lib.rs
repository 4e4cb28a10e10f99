//! Authentication and authorization: sign-in, sessions, access tokens, API keys, roles, permissions and access to
//! projects.
//!
//! [`Auth`] owns the state of authentication: signing keys, password hashing, lockouts and unwritten usage. It turns
//! credentials into a [`Principal`]. This crate depends on the store, which keeps users and sessions, and on the vault,
//! which seals signing keys. It never sees a request: callers pass credentials and the client's address.

pub mod api_key;
mod attempts;
pub mod audit;
mod authenticate;
mod error;
pub mod invitation;
pub mod key_scope;
mod org_limits;
pub mod passwords;
pub mod permission;
mod principal;
mod principal_cache;
pub mod project_access;
pub mod secret;
mod session;
mod settings;
mod sign_in;
pub mod signing_keys;
mod token;
mod usage;

use std::sync::Arc;

use guardengine_store::{Clock, Db, StoreHealth};
use guardengine_vault::Vault;
use tokio_util::task::TaskTracker;

pub use attempts::attempts_name;
pub use error::{Error, whole_seconds};
pub use key_scope::KeyScope;
pub use org_limits::{Limit, ORG_LIMITS, OrgLimits, WrittenLimits};
pub use permission::{Permission, Permissions};
pub use principal::{Credential, Principal, principal_of_key, principal_of_user};
pub use session::{Identity, TokenSet};
pub use settings::{AuthSettings, LockoutRules, SessionLifetimes};
pub use sign_in::{ChooseOrganization, OrganizationChoice, SignedIn};

use passwords::Passwords;
use principal_cache::PrincipalCache;
use sign_in::SignInLocks;
use signing_keys::SigningKeys;
use usage::UsageRecorder;

/// Authentication; cheap to clone.
#[derive(Clone)]
pub struct Auth(Arc<State>);

struct State {
    db: Db,
    clock: Clock,
    health: StoreHealth,
    vault: Vault,
    settings: AuthSettings,
    signing_keys: SigningKeys,
    passwords: Passwords,
    sign_in_locks: SignInLocks,
    usage: UsageRecorder,
    /// Used while the database is unavailable. `None` with a database that is always available.
    cache: Option<PrincipalCache>,
    tasks: TaskTracker,
}

impl Auth {
    /// Loads the signing keys. Work that outlives a request runs as some of `tasks`.
    pub async fn open(
        db: Db,
        vault: Vault,
        clock: Clock,
        health: StoreHealth,
        settings: AuthSettings,
        tasks: &TaskTracker,
    ) -> Result<Self, guardengine_vault::Error> {
        let signing_keys = SigningKeys::load(db.clone(), vault.clone(), clock.now()).await?;
        let cache =
            health.changes().map(|changes| PrincipalCache::new(changes.clone(), settings.cache_lifetime));
        Ok(Self(Arc::new(State {
            db,
            clock,
            health,
            vault,
            settings,
            signing_keys,
            passwords: Passwords::default(),
            sign_in_locks: SignInLocks::default(),
            usage: UsageRecorder::default(),
            cache,
            tasks: tasks.clone(),
        })))
    }

    /// Returns the hashing of passwords.
    pub fn passwords(&self) -> &Passwords {
        &self.0.passwords
    }

    /// Reloads the signing keys. On errors the known keys stay in use.
    pub async fn reload_signing_keys(&self) -> Result<(), guardengine_vault::Error> {
        self.0.signing_keys.renew().await
    }

    /// Writes the usage of sessions and API keys. Keeps it for the next write on errors.
    pub async fn write_usage(&self) -> guardengine_store::Result<()> {
        self.0.usage.write(&self.0.db).await
    }
}
