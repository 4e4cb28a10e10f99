use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Principal, audit, permission, project_access};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Changed, Project, ProjectChange, Timestamp, Tx};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    create::{LOG_CONTENT, ON_STORE_FAILURE, StoredGateway, dangling, policies_are_there, serves_models},
    response::ProjectRecord,
};
use crate::{
    app::Tenants,
    diff::diff,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId, changed_name, nullable_id, optional_id},
    surfaces::GatewaySettings,
};

/// Fields to change. Absent fields keep their value.
#[derive(Debug, ToSchema)]
pub struct UpdateProjectRequest {
    /// 1 to 100 characters, unique in the organization.
    #[serde(rename = "projectName")]
    #[schema(value_type = Option<crate::schemas::NewName>)]
    name: Option<String>,
    /// Policy that applies to the project.
    #[serde(rename = "policyId")]
    policy_id: Option<Uuid>,
    /// Texts kept in the log: `full`, `masked`, `sealed` or `none`.
    #[schema(value_type = Option<guardengine_api_types::choices::LogContent>)]
    log_content: Option<&'static str>,
    /// Shadow policy: evaluated and logged, without effect on the decision. Null removes it.
    #[schema(value_type = Option<Uuid>)]
    #[expect(clippy::option_option, reason = "absent, null and an id mean different things")]
    shadow_policy_id: Option<Option<Uuid>>,
    /// Guard requests while the database is unavailable: `refuse` or `spool`.
    #[schema(value_type = Option<guardengine_api_types::choices::StoreFailure>)]
    on_store_failure: Option<&'static str>,
    /// Models that the gateway serves under this project. Null removes the gateway.
    #[schema(value_type = Option<GatewaySettings>)]
    #[expect(clippy::option_option, reason = "absent, null and settings mean different things")]
    gateway: Option<Option<GatewaySettings>>,
}

impl FromFields for UpdateProjectRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            name: fields.string("projectName")?.map(str::to_owned),
            policy_id: optional_id(fields, "policyId")?,
            log_content: fields.choice("log_content", &LOG_CONTENT)?,
            shadow_policy_id: nullable_id(fields, "shadow_policy_id")?,
            on_store_failure: fields.choice("on_store_failure", &ON_STORE_FAILURE)?,
            gateway: GatewaySettings::of(fields)?,
        })
    }
}

/// Update a project
///
/// Guard requests after the response use the new policy.
#[utoipa::path(
    put, path = "/api/project/{projectId}", tag = "projects", operation_id = "projects_update",
    params(("projectId" = uuid::Uuid, Path, description = "Project identifier")),
    request_body = UpdateProjectRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated project", body = ProjectRecord),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project or policy not found", body = ErrorBody),
        (status = 409, description = "The name is taken", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(mut request): Body<UpdateProjectRequest>,
) -> Answer<ProjectRecord> {
    let before = project_access::project(&tenants.db, &caller, id).await?;
    if let Some(name) = &mut request.name {
        *name = changed_name("projectName", name, &before.name)?;
    }
    policies_are_there(&tenants, &caller, [request.policy_id, request.shadow_policy_id.flatten()]).await?;
    serves_models(&tenants, &caller, request.gateway.as_ref().and_then(Option::as_ref)).await?;
    let members = tenants.db.project_member_names(id).await?;
    let mut tx = tenants.audited().await?;
    let after = change(&mut tx, &caller, id, &request, tenants.clock.now()).await?;
    let before = ProjectRecord::of(before, members.clone());
    let after = ProjectRecord::of(after, members);
    let details = diff(&before.json()?, &after.json()?);
    audit::commit(tx, &caller, permission::UPDATE_PROJECT, id, details).await?;
    Ok(Json(after))
}

async fn change(
    tx: &mut Tx,
    caller: &Principal,
    id: Uuid,
    request: &UpdateProjectRequest,
    now: Timestamp,
) -> Result<Project, Error> {
    let stored = |gateway: &Option<GatewaySettings>| gateway.as_ref().map(StoredGateway::of);
    let gateway = request.gateway.as_ref().map(stored);
    let change = ProjectChange {
        name: request.name.as_deref(),
        policy_id: request.policy_id,
        shadow_policy_id: request.shadow_policy_id,
        log_content: request.log_content,
        on_store_failure: request.on_store_failure,
        gateway: gateway.as_ref().map(|gateway| gateway.as_ref().map(StoredGateway::new_gateway)),
    };
    let changed = tx.update_project(caller.org_id, id, change, now).await;
    match changed.map_err(dangling)? {
        Changed::Done(project) => Ok(project),
        Changed::NameTaken => Err(Error::name_taken("a project")),
        Changed::Missing | Changed::Stale => Err(Error::not_found("project")),
    }
}
