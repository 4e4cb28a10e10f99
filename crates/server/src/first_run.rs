//! The first start: an organisation and its owner, so that somebody can sign in.

use std::fmt;

use anyhow::{Context as _, Result, bail};

use crate::{
    app::App,
    auth::{password::broken_rule, secret},
};

const ORGANIZATION: &str = "default";
const USERNAME: &str = "admin";
const PASSWORD: usize = 20;

/// The owner that the first start made.
#[derive(Debug)]
pub struct FirstOwner {
    /// Their name.
    pub username: String,
    /// Their password, where it was made up.
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

/// Makes the first organisation and its owner in an empty database; never touches a user who is there.
pub async fn bootstrap(app: &App) -> Result<Option<FirstOwner>> {
    let (username, configured) = &app.settings.admin;
    let username = username.clone().unwrap_or_else(|| USERNAME.to_owned());
    let configured = configured.as_ref().map(|password| password.expose().to_owned());
    if let Some(rule) = configured.as_deref().and_then(broken_rule)
        && app.db.user_named(&username).await?.is_none()
    {
        bail!("admin.password {rule}");
    }
    let made_up = configured.is_none().then(made_up);
    let hash = app.passwords.hash(configured.as_ref().or(made_up.as_ref()).map_or("", String::as_str)).await;
    let hash = hash.context("the password could not be hashed")?;
    let (credits, now) = (app.settings.initial_credits, app.clock.now());
    let made = app.db.bootstrap(ORGANIZATION, credits, (&username, &hash), now).await?;
    Ok(made.map(|_| FirstOwner { username, password: made_up }))
}

/// Random, and within the rules for passwords.
fn made_up() -> String {
    loop {
        let password = secret::random(PASSWORD);
        if broken_rule(&password).is_none() {
            return password;
        }
    }
}
