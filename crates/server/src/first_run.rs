//! First start: creates an organization and its owner, so that somebody can sign in.

use std::fmt;

use anyhow::{Context as _, Result, bail};
use guardengine_auth::{passwords::broken_rule, secret};
use guardengine_store::prepare_name;

use crate::{app::App, config::Settings};

const ORGANIZATION: &str = "default";
const USERNAME: &str = "admin";
/// Length of a generated password.
const PASSWORD_CHARS: usize = 20;

/// The owner created by the first start.
#[derive(Debug)]
pub struct FirstOwner {
    /// Username.
    pub username: String,
    /// Generated password; `None` if configured.
    pub password: Option<String>,
}

impl fmt::Display for FirstOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "owner {} of organisation {ORGANIZATION}", self.username)?;
        match &self.password {
            Some(password) => write!(f, ", password {password} (shown only now)"),
            None => f.write_str(", password as configured"),
        }
    }
}

/// Creates the first organization and its owner in an empty database. Never changes an existing user.
pub async fn bootstrap(app: &App) -> Result<Option<FirstOwner>> {
    let (username, configured) = &app.operations.settings.admin;
    let username = username.clone().unwrap_or_else(|| USERNAME.to_owned());
    let configured = configured.as_ref().map(|password| password.expose().to_owned());
    if app.tenants.db.user_by_name(&username).await?.is_none() {
        check_first_owner(&app.operations.settings)?;
    }
    let generated = configured.is_none().then(generate_password);
    let hash = app
        .auth
        .passwords()
        .hash(configured.as_ref().or(generated.as_ref()).map_or("", String::as_str))
        .await;
    let hash = hash.context("could not hash the password")?;
    let (credits, now) = (app.operations.settings.initial_credits, app.tenants.clock.now());
    let username = prepare_name(&username).unwrap_or(username);
    let created = app.tenants.db.bootstrap(ORGANIZATION, credits, (&username, &hash), now).await?;
    Ok(created.map(|_| FirstOwner { username, password: generated }))
}

/// Checks the configured username and password of the first owner.
pub fn check_first_owner(settings: &Settings) -> Result<()> {
    let (username, password) = &settings.admin;
    if let Some(Err(error)) = username.as_deref().map(prepare_name) {
        bail!("admin.username {error}");
    }
    match password.as_ref().and_then(|password| broken_rule(password.expose())) {
        Some(rule) => bail!("admin.password {rule}"),
        None => Ok(()),
    }
}

/// Generates a random password that follows the rules for passwords.
fn generate_password() -> String {
    loop {
        let password = secret::random(PASSWORD_CHARS);
        if broken_rule(&password).is_none() {
            return password;
        }
    }
}
