use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{Principal, audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_integrations::llm::gateway;
use guardengine_store::{Created, NewGateway, NewProject};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, optional_id, required_name},
    surfaces::GatewaySettings,
};

/// Accepted values of `log_content`.
pub const LOG_CONTENT: [(&str, &str); 4] =
    [("full", "full"), ("masked", "masked"), ("sealed", "sealed"), ("none", "none")];

/// Accepted values of `on_store_failure`.
pub(super) const ON_STORE_FAILURE: [(&str, &str); 2] = [("refuse", "refuse"), ("spool", "spool")];

/// A project to create.
#[derive(Debug, ToSchema)]
pub struct CreateProjectRequest {
    /// 1 to 100 characters, unique in the organization.
    #[serde(rename = "projectName")]
    #[schema(value_type = crate::schemas::NewName)]
    name: String,
    /// Policy that applies to the project.
    #[serde(rename = "policyId")]
    policy_id: Uuid,
    /// Texts kept in the log: `full`, `masked`, `sealed` (masked, and encrypted in full, to be revealed with a reason) or
    /// `none`. Default: `default_log_content` of the organization, or `masked`.
    #[schema(value_type = Option<guardengine_api_types::choices::LogContent>)]
    log_content: Option<&'static str>,
    /// Shadow policy: evaluated and logged, without effect on the decision.
    shadow_policy_id: Option<Uuid>,
    /// Guard requests while the database is unavailable: refused (`refuse`, the default), or decided from cached
    /// policies, and logged and charged later (`spool`).
    #[schema(value_type = Option<guardengine_api_types::choices::StoreFailure>)]
    on_store_failure: Option<&'static str>,
    /// Models that the gateway serves under this project; null for no gateway.
    gateway: Option<GatewaySettings>,
}

impl FromFields for CreateProjectRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            name: required_name(fields, "projectName")?,
            policy_id: optional_id(fields, "policyId")?.ok_or_else(|| FieldError::required("policyId"))?,
            log_content: fields.choice("log_content", &LOG_CONTENT)?,
            shadow_policy_id: optional_id(fields, "shadow_policy_id")?,
            on_store_failure: fields.choice("on_store_failure", &ON_STORE_FAILURE)?,
            gateway: GatewaySettings::of(fields)?.flatten(),
        })
    }
}

/// The created project.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedProject {
    message: &'static str,
    #[serde(rename = "projectId")]
    project_id: Uuid,
}

/// Create a project
///
/// The creator becomes the first member. Applications send the project identifier with every guard request.
#[utoipa::path(
    post, path = "/api/project/create", tag = "projects", operation_id = "projects_create",
    request_body = CreateProjectRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The identifier of the created project", body = CreatedProject),
        (status = 404, description = "Policy not found", body = ErrorBody),
        (status = 409, description = "The name is taken", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Body(new_project): Body<CreateProjectRequest>,
) -> Answer<CreatedProject> {
    policies_are_there(&tenants, &caller, [Some(new_project.policy_id), new_project.shadow_policy_id])
        .await?;
    serves_models(&tenants, &caller, new_project.gateway.as_ref()).await?;
    let log_content = match new_project.log_content {
        Some(chosen) => chosen.to_owned(),
        None => default_log_content(&tenants, caller.org_id).await?,
    };
    let gateway = new_project.gateway.as_ref().map(StoredGateway::of);
    let new = NewProject {
        org_id: caller.org_id,
        name: &new_project.name,
        policy_id: new_project.policy_id,
        shadow_policy_id: new_project.shadow_policy_id,
        log_content: &log_content,
        on_store_failure: new_project.on_store_failure.unwrap_or("refuse"),
        gateway: gateway.as_ref().map(StoredGateway::new_gateway),
        creator: caller.user_id,
    };
    let mut tx = tenants.audited().await?;
    match tx.create_project(new, tenants.clock.now()).await.map_err(dangling)? {
        Created::Done(made) => {
            let details = json!({ "projectName": made.name, "policyId": made.policy_id });
            audit::commit(tx, &caller, permission::CREATE_PROJECT, made.id, details).await?;
            Ok(Json(CreatedProject { message: "project created", project_id: made.id }))
        }
        Created::NameTaken => Err(Error::name_taken("a project")),
    }
}

/// Returns the form in which log entries of new projects of an organization store texts.
async fn default_log_content(tenants: &Tenants, org_id: Uuid) -> Result<String, Error> {
    let org = tenants.db.org(org_id).await?.ok_or_else(|| Error::not_found("organization"))?;
    Ok(org.default_log_content.unwrap_or_else(|| "masked".to_owned()))
}

/// Returns 404 unless all `policies` exist in the caller's organization.
pub(super) async fn policies_are_there(
    tenants: &Tenants,
    caller: &Principal,
    policies: [Option<Uuid>; 2],
) -> Result<(), Error> {
    for policy in policies.into_iter().flatten() {
        tenants.db.policy(caller.org_id, policy).await?.ok_or_else(|| Error::not_found("policy"))?;
    }
    Ok(())
}

/// Returns an error unless every connector of a gateway exists in the caller's organization and serves models.
pub(super) async fn serves_models(
    tenants: &Tenants,
    caller: &Principal,
    gateway: Option<&GatewaySettings>,
) -> Result<(), Error> {
    let Some(gateway) = gateway else { return Ok(()) };
    let stored = tenants.db.connectors(caller.org_id).await?;
    for (field, id) in gateway.connectors() {
        let connector = stored.iter().find(|one| one.id == id);
        if !connector.is_some_and(|one| gateway::is_upstream(&one.connector_type)) {
            let accepted =
                format!("must be a connector of one of the types {}", gateway::UPSTREAMS.join(", "));
            return Err(FieldError::value(field, accepted).into());
        }
    }
    Ok(())
}

/// Settings of a gateway in the form that the store keeps.
pub(super) struct StoredGateway {
    settings: String,
    connectors: Vec<Uuid>,
}

impl StoredGateway {
    pub(super) fn of(gateway: &GatewaySettings) -> Self {
        let connectors = gateway.connectors().map(|(_, id)| id).collect();
        Self { settings: gateway.to_stored(), connectors }
    }

    pub(super) fn new_gateway(&self) -> NewGateway<'_> {
        NewGateway { settings: &self.settings, connectors: &self.connectors }
    }
}

/// Maps a policy or connector that was deleted after the check to 404.
pub(super) fn dangling(error: guardengine_store::Error) -> Error {
    if error.is_missing_reference() { Error::not_found("policy or connector") } else { error.into() }
}
