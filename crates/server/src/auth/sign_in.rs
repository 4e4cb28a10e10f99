//! Signing in with a username and a password.

use std::{net::IpAddr, time::Duration};

use guardengine_store::{Attempt, LockoutRule, OrgOfUser, User};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    secret,
    session::{self, Identity, TokenSet},
};
use crate::{app::App, audit, http::Error};

const PRE_AUTH_TOKEN: usize = 64;
const PRE_AUTH_LIFETIME: Duration = Duration::from_mins(5);

/// An organisation to choose.
#[derive(Debug, Serialize, ToSchema)]
pub struct OrganizationChoice {
    /// Its id, for `/auth/select-org`.
    pub org_id: Uuid,
    /// Its name.
    pub name: String,
    /// The user's role there.
    pub role: String,
}

impl From<OrgOfUser> for OrganizationChoice {
    fn from(org: OrgOfUser) -> Self {
        Self { org_id: org.org_id, name: org.name, role: org.role }
    }
}

/// Asked for when the account belongs to several organisations.
#[derive(Debug, Serialize, ToSchema)]
pub struct ChooseOrganization {
    /// `org_selection_required`.
    pub status: &'static str,
    /// Lives five minutes, serves once, opens nothing else.
    pub pre_auth_token: String,
    /// Where one may go.
    pub organizations: Vec<OrganizationChoice>,
}

/// What a sign-in answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum SignedIn {
    /// A session.
    Session(TokenSet),
    /// A choice to make first.
    Choose(ChooseOrganization),
}

/// Turns to sign in. Names share a limited number of them, which bounds memory and costs only waiting.
pub struct SignInLocks([tokio::sync::Mutex<()>; 64]);

impl Default for SignInLocks {
    fn default() -> Self {
        Self(std::array::from_fn(|_| tokio::sync::Mutex::default()))
    }
}

impl SignInLocks {
    async fn of(&self, username: &str) -> tokio::sync::MutexGuard<'_, ()> {
        let folded = username.trim().to_lowercase();
        let turn = usize::from(secret::digest(&folded)[0]) % self.0.len();
        self.0[turn].lock().await
    }
}

/// Signs in. Known and unknown usernames take the same time and count towards the same lockout.
pub async fn sign_in(app: &App, username: &str, password: &str, address: IpAddr) -> Result<SignedIn, Error> {
    // One at a time for a name: a burst of right passwords must not look like a burst of guesses.
    let _turn = app.sign_in_locks.of(username).await;
    let now = app.clock.now();
    let lockout = app.settings.lockout;
    let rule = LockoutRule { attempts: lockout.attempts, window: lockout.window, duration: lockout.duration };
    // Counted before the password is looked at, so that parallel guesses are counted too.
    if let Attempt::LockedUntil(until) = app.db.attempt_login(username, rule, now).await? {
        metrics::counter!("guardengine_sign_ins_total", "outcome" => "locked").increment(1);
        return Err(Error::locked_out(until.since(now)));
    }
    let user = app.db.user_named(username).await?;
    let hash = user.as_ref().map(|user| user.password_hash.clone());
    let is_right = app.passwords.matches(password, hash).await;
    if !is_right && let Some(user) = &user {
        tell_refusal(app, user, address);
    }
    let Some(user) = user.filter(|_| is_right) else {
        metrics::counter!("guardengine_sign_ins_total", "outcome" => "refused").increment(1);
        return Err(Error::unauthorized("invalid username or password"));
    };
    app.db.forgive_login(username).await?;
    metrics::counter!("guardengine_sign_ins_total", "outcome" => "signed_in").increment(1);
    enter(app, &user, address).await
}

/// Puts a wrong password into the audit trails of the user, in the background: the answer's time must not tell that
/// there is such a user. The lockout bounds how many there are.
fn tell_refusal(app: &App, user: &User, address: IpAddr) {
    let (app, user) = (app.clone(), user.clone());
    app.tasks.clone().spawn(async move {
        if let Err(fault) = record_refusal(&app, &user, address).await {
            tracing::warn!(?fault, "a refused sign-in is missing in the audit trail");
        }
    });
}

async fn record_refusal(app: &App, user: &User, address: IpAddr) -> Result<(), Error> {
    let person = Identity { id: user.id, username: &user.username, address };
    for org in app.db.orgs_of_user(user.id).await? {
        audit::record(app, person.actor(org.org_id), "SESSIONS:SIGN_IN_REFUSED", &user.username, json!({}))
            .await?;
    }
    Ok(())
}

async fn enter(app: &App, user: &User, address: IpAddr) -> Result<SignedIn, Error> {
    let person = Identity { id: user.id, username: &user.username, address };
    let orgs = app.db.orgs_of_user(user.id).await?;
    match orgs.as_slice() {
        [] => Err(Error::unauthorized("invalid username or password")),
        [one] => Ok(SignedIn::Session(session::start(app, person, one).await?)),
        _ => Ok(SignedIn::Choose(choose(app, user.id, orgs).await?)),
    }
}

async fn choose(app: &App, user: Uuid, orgs: Vec<OrgOfUser>) -> Result<ChooseOrganization, Error> {
    let now = app.clock.now();
    let pre_auth_token = secret::random(PRE_AUTH_TOKEN);
    app.db.keep_pre_auth_token(&secret::digest(&pre_auth_token), user, now + PRE_AUTH_LIFETIME, now).await?;
    let organizations = orgs.into_iter().map(OrganizationChoice::from).collect();
    Ok(ChooseOrganization { status: "org_selection_required", pre_auth_token, organizations })
}

/// Starts a session in the chosen organisation. A wrong choice does not spend the token.
pub async fn select_org(
    app: &App,
    pre_auth_token: &str,
    org_id: Uuid,
    address: IpAddr,
) -> Result<TokenSet, Error> {
    let now = app.clock.now();
    let hash = secret::digest(pre_auth_token);
    let user = app.db.user_of_pre_auth_token(&hash, now).await?.ok_or_else(Error::invalid_token)?;
    let orgs = app.db.orgs_of_user(user).await?;
    let org = orgs.iter().find(|org| org.org_id == org_id).ok_or_else(|| Error::not_found("organization"))?;
    app.db.spend_pre_auth_token(&hash, now).await?.ok_or_else(Error::invalid_token)?;
    let user = app.db.user(user).await?.ok_or_else(Error::invalid_token)?;
    session::start(app, Identity { id: user.id, username: &user.username, address }, org).await
}
