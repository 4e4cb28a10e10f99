//! Who may work in which project: owners and admins in all of their organisation's, others where they were added.

use guardengine_store::{Db, Project};
use uuid::Uuid;

use crate::http::{Caller, Error};

/// The project with that id: 404 unless it is there in the caller's organisation, then 403 unless the caller belongs to it.
pub async fn project(db: &Db, caller: &Caller, id: Uuid) -> Result<Project, Error> {
    let project = db.project(caller.org_id, id).await?.ok_or_else(|| Error::not_found("project"))?;
    if !caller.is_everywhere() && !db.is_project_member(id, caller.user_id).await? {
        return Err(Error::forbidden("not a member of this project"));
    }
    Ok(project)
}
