//! Settings of authentication.

use std::time::Duration;

/// Session lifetimes.
#[derive(Clone, Debug)]
pub struct SessionLifetimes {
    /// Lifetime of an access token.
    pub access_token_ttl: Duration,
    /// Lifetime of a refresh token.
    pub refresh_token_ttl: Duration,
    /// Time without a request after which a session ends.
    pub idle_timeout: Duration,
    /// Grace period in which a second use of a refresh token is refused but does not end the session.
    pub reuse_grace: Duration,
}

/// Account lockout after failed sign-ins.
#[derive(Clone, Copy, Debug)]
pub struct LockoutRules {
    /// Failed attempts that lock the account.
    pub attempts: u32,
    /// Window in which they are counted.
    pub window: Duration,
    /// Duration of the lock.
    pub duration: Duration,
}

/// Settings of authentication.
#[derive(Clone, Debug)]
pub struct AuthSettings {
    /// Session lifetimes.
    pub session: SessionLifetimes,
    /// Account lockout.
    pub lockout: LockoutRules,
    /// Time for which an API key is accepted from the cache while the database is unavailable.
    pub cache_lifetime: Duration,
}
