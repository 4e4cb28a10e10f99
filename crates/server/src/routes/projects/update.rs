use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::{Changed, Project, ProjectChange, Timestamp, Tx};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    create::{LOG_CONTENT, ON_STORE_FAILURE, dangling, policies_are_there},
    response::ProjectRecord,
};
use crate::{
    app::App,
    audit,
    http::{
        Answer, Body, Error, ErrorBody, FromFields, Json, PathId, Principal, nullable_id, optional_id,
        permission,
    },
    project_access,
};

/// What changes; a field that is absent keeps its value.
#[derive(Debug, ToSchema)]
pub struct UpdateProjectRequest {
    /// 1 to 100 characters, unique in the organisation.
    #[serde(rename = "projectName")]
    name: Option<String>,
    /// The policy that decides.
    #[serde(rename = "policyId")]
    policy_id: Option<Uuid>,
    /// What logs keep of texts: `full`, `masked` or `none`.
    log_content: Option<&'static str>,
    /// A policy that is tried beside it and only logged; null for none any more.
    #[schema(value_type = Option<Uuid>)]
    #[expect(clippy::option_option, reason = "absent, null and an id are three wishes")]
    shadow_policy_id: Option<Option<Uuid>>,
    /// What becomes of guard calls while the store does not answer: `refuse` or `spool`.
    on_store_failure: Option<&'static str>,
}

impl FromFields for UpdateProjectRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        let name = fields.get("projectName").map(|_| fields.required_name("projectName", 100));
        Ok(Self {
            name: name.transpose()?.map(str::to_owned),
            policy_id: optional_id(fields, "policyId")?,
            log_content: fields.choice("log_content", &LOG_CONTENT)?,
            shadow_policy_id: nullable_id(fields, "shadow_policy_id")?,
            on_store_failure: fields.choice("on_store_failure", &ON_STORE_FAILURE)?,
        })
    }
}

/// Change a project
///
/// Guard requests that come after the answer are judged by the policy named here.
#[utoipa::path(
    put, path = "/api/project/{projectId}", tag = "projects", operation_id = "projects_update",
    params(("projectId" = uuid::Uuid, Path, description = "From its creation or the list")),
    request_body = UpdateProjectRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The project as it is now", body = ProjectRecord),
        (status = 403, description = "A permission is missing, or not a member", body = ErrorBody),
        (status = 404, description = "No such project, or no such policy", body = ErrorBody),
        (status = 409, description = "The name is in use", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    PathId(id): PathId,
    Body(wanted): Body<UpdateProjectRequest>,
) -> Answer<ProjectRecord> {
    let before = project_access::project(&app.db, &caller, id).await?;
    policies_are_there(&app, &caller, [wanted.policy_id, wanted.shadow_policy_id.flatten()]).await?;
    let members = app.db.project_member_names(id).await?;
    let mut tx = audit::begin(&app).await?;
    let after = change(&mut tx, &caller, id, &wanted, app.clock.now()).await?;
    let before = ProjectRecord::of(before, members.clone());
    let after = ProjectRecord::of(after, members);
    let details = audit::changes(&before.json()?, &after.json()?);
    audit::commit(tx, &caller, permission::UPDATE_PROJECT, id, details).await?;
    Ok(Json(after))
}

async fn change(
    tx: &mut Tx,
    caller: &Principal,
    id: Uuid,
    wanted: &UpdateProjectRequest,
    now: Timestamp,
) -> Result<Project, Error> {
    let change = ProjectChange {
        name: wanted.name.as_deref(),
        policy_id: wanted.policy_id,
        shadow_policy_id: wanted.shadow_policy_id,
        log_content: wanted.log_content,
        on_store_failure: wanted.on_store_failure,
    };
    let changed = tx.update_project(caller.org_id, id, change, now).await;
    match changed.map_err(dangling)? {
        Changed::Done(project) => Ok(project),
        Changed::NameTaken => Err(Error::name_taken("a project")),
        Changed::Missing | Changed::Stale => Err(Error::not_found("project")),
    }
}
