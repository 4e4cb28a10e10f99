use axum::extract::State;
use guardengine_engine::fields::{Fields, Invalid};
use guardengine_store::{Created, NewProject};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::App,
    audit,
    http::{Answer, Body, Error, ErrorBody, FromFields, Json, Principal, optional_id, permission},
};

/// What logs may keep of texts.
pub(super) const LOG_CONTENT: [(&str, &str); 4] =
    [("full", "full"), ("masked", "masked"), ("sealed", "sealed"), ("none", "none")];

/// What may become of guard calls while the store does not answer.
pub(super) const ON_STORE_FAILURE: [(&str, &str); 2] = [("refuse", "refuse"), ("spool", "spool")];

/// What the project is to be.
#[derive(Debug, ToSchema)]
#[schema(as = WantedProject)]
pub struct CreateProjectRequest {
    /// 1 to 100 characters, unique in the organisation.
    #[serde(rename = "projectName")]
    name: String,
    /// The policy that decides.
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    /// What logs keep of texts: `full`, `masked` (default), `sealed` (masked, and all of it sealed, to be revealed with a
    /// reason) or `none`.
    log_content: Option<&'static str>,
    /// A policy that is tried beside it and only logged.
    shadow_policy_id: Option<Uuid>,
    /// What becomes of guard calls while the store does not answer: they are refused (`refuse`, the default), or decided by
    /// what it said last and logged and charged later (`spool`).
    on_store_failure: Option<&'static str>,
}

impl FromFields for CreateProjectRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, Invalid> {
        Ok(Self {
            name: fields.required_name("projectName", 100)?.to_owned(),
            policy_id: optional_id(fields, "policyId")?.ok_or_else(|| Invalid::required("policyId"))?,
            log_content: fields.choice("log_content", &LOG_CONTENT)?,
            shadow_policy_id: optional_id(fields, "shadow_policy_id")?,
            on_store_failure: fields.choice("on_store_failure", &ON_STORE_FAILURE)?,
        })
    }
}

/// The new project.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedProject {
    message: &'static str,
    #[serde(rename = "projectId")]
    project_id: Uuid,
}

/// Create a project
///
/// Its creator is its first member. Applications send its id with every guard request.
#[utoipa::path(
    post, path = "/api/project/create", tag = "projects", operation_id = "projects_create",
    request_body = CreateProjectRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The project's id", body = CreatedProject),
        (status = 404, description = "No such policy", body = ErrorBody),
        (status = 409, description = "The name is in use", body = ErrorBody),
    )
)]
pub async fn handle(
    State(app): State<App>,
    caller: Principal,
    Body(wanted): Body<CreateProjectRequest>,
) -> Answer<CreatedProject> {
    policies_are_there(&app, &caller, [Some(wanted.policy_id), wanted.shadow_policy_id]).await?;
    let new = NewProject {
        org_id: caller.org_id,
        name: &wanted.name,
        policy_id: wanted.policy_id,
        shadow_policy_id: wanted.shadow_policy_id,
        log_content: wanted.log_content.unwrap_or("masked"),
        on_store_failure: wanted.on_store_failure.unwrap_or("refuse"),
        maker: caller.user_id,
    };
    let mut tx = audit::begin(&app).await?;
    match tx.create_project(new, app.clock.now()).await.map_err(dangling)? {
        Created::Done(made) => {
            let details = json!({ "projectName": made.name, "policyId": made.policy_id });
            audit::commit(tx, &caller, permission::CREATE_PROJECT, made.id, details).await?;
            Ok(Json(CreatedProject { message: "project created", project_id: made.id }))
        }
        Created::NameTaken => Err(Error::name_taken("a project")),
    }
}

/// 404 unless each of `policies` is there in the caller's organisation.
pub(super) async fn policies_are_there(
    app: &App,
    caller: &Principal,
    policies: [Option<Uuid>; 2],
) -> Result<(), Error> {
    for policy in policies.into_iter().flatten() {
        app.db.policy(caller.org_id, policy).await?.ok_or_else(|| Error::not_found("policy"))?;
    }
    Ok(())
}

/// A policy may be deleted between the look at it and the project's row.
pub(super) fn dangling(fault: guardengine_store::Error) -> Error {
    if fault.is_dangling() { Error::not_found("policy") } else { fault.into() }
}
