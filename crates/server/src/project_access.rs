//! Who may work in which project and see its rows: owners and admins in all of their organisation's, others where they were added.

use guardengine_store::{Db, LogFilter, LogReader, Page, Project};
use uuid::Uuid;

use crate::{
    app::App,
    http::{Error, Principal, principal_of_key, principal_of_user},
    outcome_counter,
};

/// The project with that id: 404 unless it is there in the caller's organisation, then 403 unless the caller belongs to it.
pub async fn project(db: &Db, caller: &Principal, id: Uuid) -> Result<Project, Error> {
    let project = db.project(caller.org_id, id).await?.ok_or_else(|| Error::not_found("project"))?;
    outcome_counter::set_project(id);
    if !caller.sees_all_projects() && !db.is_project_member(id, caller.user_id).await? {
        return Err(Error::forbidden("not a member of this project"));
    }
    Ok(project)
}

/// What a caller may see who does not belong to every project: the rows of their projects, and those without a project
/// that they or their keys made.
pub async fn log_scope(app: &App, caller: &Principal) -> Result<Option<LogReader>, Error> {
    if caller.sees_all_projects() {
        return Ok(None);
    }
    let projects = app.db.projects(caller.org_id, Some(caller.user_id)).await?;
    let keys = app.db.api_keys(caller.org_id, Some(caller.user_id)).await?;
    let mut principals = vec![principal_of_user(&caller.username)];
    principals.extend(keys.iter().map(|key| principal_of_key(key.id)));
    Ok(Some(LogReader { projects: projects.into_iter().map(|project| project.id).collect(), principals }))
}

/// 404 before 403. Rows outlive their project, for those who belong to every one.
pub async fn may_see_project(app: &App, caller: &Principal, id: Uuid) -> Result<(), Error> {
    let exists = app.db.project(caller.org_id, id).await?.is_some();
    if caller.sees_all_projects() {
        let has_rows = !exists && has_rows(app, caller.org_id, id).await?;
        return if exists || has_rows { Ok(()) } else { Err(Error::not_found("project")) };
    }
    if !exists {
        return Err(Error::not_found("project"));
    }
    let is_member = app.db.is_project_member(id, caller.user_id).await?;
    if is_member { Ok(()) } else { Err(Error::forbidden("not a member of this project")) }
}

async fn has_rows(app: &App, org: Uuid, project: Uuid) -> Result<bool, Error> {
    let filter = LogFilter { project_id: Some(project), ..LogFilter::default() };
    let page = Page { limit: 1, before: None };
    Ok(!app.db.logs(org, &filter, page).await?.rows.is_empty())
}
