//! Access to projects and their log entries. Owners and admins have access to every project of their organization, others
//! to the projects of which they are members.

use guardengine_store::{Db, LogFilter, LogScope, Page, Project};
use uuid::Uuid;

use crate::{Error, Principal};

/// Returns the project with this id. Returns [`Error::NotFound`] unless it exists in the caller's organization, then
/// [`Error::NotAMember`] unless the caller is a member.
pub async fn project(db: &Db, caller: &Principal, id: Uuid) -> Result<Project, Error> {
    let project = db.project(caller.org_id, id).await?.ok_or(Error::NotFound("project"))?;
    if !caller.sees_all_projects() && !db.is_project_member(id, caller.user_id).await? {
        return Err(Error::NotAMember);
    }
    Ok(project)
}

/// Returns the log entries that the caller may see: those of their projects, and those without a project that they or
/// their API keys created. `None` means all entries of the organization.
pub async fn log_scope(db: &Db, caller: &Principal) -> Result<Option<LogScope>, Error> {
    if caller.sees_all_projects() {
        return Ok(None);
    }
    let projects = db.projects(caller.org_id, Some(caller.user_id)).await?;
    let projects = projects.into_iter().map(|project| project.id).collect();
    Ok(Some(LogScope { projects, user_id: caller.user_id }))
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
    let is_member = db.is_project_member(id, caller.user_id).await?;
    if is_member { Ok(()) } else { Err(Error::NotAMember) }
}

async fn has_log_entries(db: &Db, org: Uuid, project: Uuid) -> Result<bool, Error> {
    let filter = LogFilter { project_id: Some(project), ..LogFilter::default() };
    let page = Page { limit: 1, before: None };
    Ok(!db.logs(org, &filter, page).await?.rows.is_empty())
}
