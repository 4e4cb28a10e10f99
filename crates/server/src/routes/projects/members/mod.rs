//! Members of a project. Owners and admins belong to every project.

pub mod add;
pub mod list;
pub mod remove;

use guardengine_store::User;

use crate::{app::Tenants, http::Error};
use guardengine_auth::Principal;

/// Returns the member of the caller's organization with this name, or 404.
async fn named(tenants: &Tenants, caller: &Principal, username: &str) -> Result<User, Error> {
    let not_found = || Error::not_found("user");
    let user = tenants.db.user_named(username).await?.ok_or_else(not_found)?;
    tenants.db.role_of_member(caller.org_id, user.id).await?.ok_or_else(not_found)?;
    Ok(user)
}
