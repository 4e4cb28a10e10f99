//! Access to projects and their log entries. Owners and admins have access to every project of their organization, others
//! to the projects of which they are members. An API key that is bound to a project has access to that one alone.

use guardengine_store::{Db, LogFilter, LogScope, Page, Project};
use uuid::Uuid;

use crate::{Error, Principal, permission};

/// Returns the project with this id. Returns [`Error::NotFound`] unless it exists in the caller's organization, then
/// [`Error::NotAMember`] unless the caller is a member.
pub async fn project(db: &Db, caller: &Principal, id: Uuid) -> Result<Project, Error> {
    let project = db.project(caller.org_id, id).await?.ok_or(Error::NotFound("project"))?;
    if is_member(db, caller, id).await? { Ok(project) } else { Err(Error::NotAMember) }
}

/// Returns the projects of the caller, by name.
pub async fn projects(db: &Db, caller: &Principal) -> Result<Vec<Project>, Error> {
    let has_all = permission::sees_all_projects(&caller.role);
    let mut projects = db.projects(caller.org_id, (!has_all).then_some(caller.user_id)).await?;
    projects.retain(|project| is_within_scope(caller, project.id));
    Ok(projects)
}

/// Returns an error if the caller's API key is bound to another project.
pub fn check_scope(caller: &Principal, id: Uuid) -> Result<(), Error> {
    if is_within_scope(caller, id) { Ok(()) } else { Err(Error::NotAMember) }
}

fn is_within_scope(caller: &Principal, id: Uuid) -> bool {
    caller.project_id.is_none_or(|bound| bound == id)
}

async fn is_member(db: &Db, caller: &Principal, id: Uuid) -> Result<bool, Error> {
    if !is_within_scope(caller, id) {
        return Ok(false);
    }
    Ok(permission::sees_all_projects(&caller.role) || db.is_project_member(id, caller.user_id).await?)
}

/// Returns the log entries that the caller may see: those of their projects, and those without a project that they or
/// their API keys created. An API key that is bound to a project sees the entries of that project alone. `None` means all
/// entries of the organization.
pub async fn log_scope(db: &Db, caller: &Principal) -> Result<Option<LogScope>, Error> {
    if caller.sees_all_projects() {
        return Ok(None);
    }
    let projects = projects(db, caller).await?.into_iter().map(|project| project.id).collect();
    let user_id = caller.project_id.is_none().then_some(caller.user_id);
    Ok(Some(LogScope { projects, user_id }))
}

/// Checks that the caller may see a project's log entries, with the same errors. Entries of a deleted project stay
/// visible to callers with access to every project.
pub async fn may_see_project(db: &Db, caller: &Principal, id: Uuid) -> Result<(), Error> {
    let exists = db.project(caller.org_id, id).await?.is_some();
    if caller.sees_all_projects() {
        let has_entries = !exists && has_log_entries(db, caller.org_id, id).await?;
        return if exists || has_entries { Ok(()) } else { Err(Error::NotFound("project")) };
    }
    if !exists {
        return Err(Error::NotFound("project"));
    }
    if is_member(db, caller, id).await? { Ok(()) } else { Err(Error::NotAMember) }
}

async fn has_log_entries(db: &Db, org: Uuid, project: Uuid) -> Result<bool, Error> {
    let filter = LogFilter { project_id: Some(project), ..LogFilter::default() };
    let page = Page { limit: 1, before: None };
    Ok(!db.logs(org, &filter, page).await?.rows.is_empty())
}
