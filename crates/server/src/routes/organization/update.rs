use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{Changed, Org, OrgChange};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::get::Organization;
use crate::{
    app::{Operations, Tenants},
    diff::diff,
    http::{Answer, Body, Caller, Error, FromFields, Json, changed_name},
    routes::projects::create::LOG_CONTENT,
};

/// Fields to change. Absent fields keep their value.
#[derive(Debug, ToSchema)]
pub struct UpdateOrganizationRequest {
    /// 1 to 100 characters, unique.
    #[schema(value_type = Option<crate::schemas::NewName>)]
    name: Option<String>,
    /// True to refuse guard requests without a project (422 `field required: projectId`).
    require_project: Option<bool>,
    /// `log_content` of new projects that do not set it; null: `masked`.
    #[schema(value_type = Option<guardengine_api_types::choices::LogContent>)]
    #[expect(clippy::option_option, reason = "absent, null and a form mean different things")]
    default_log_content: Option<Option<&'static str>>,
}

impl FromFields for UpdateOrganizationRequest {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            name: fields.string("name")?.map(str::to_owned),
            require_project: fields.boolean("require_project")?,
            default_log_content: nullable_log_content(fields)?,
        })
    }
}

/// Reads the form that null removes: `None` if the field is absent, `Some(None)` if it is null.
#[expect(clippy::option_option, reason = "absent, null and a form mean different things")]
fn nullable_log_content(fields: Fields<'_>) -> Result<Option<Option<&'static str>>, FieldError> {
    const FIELD: &str = "default_log_content";
    if fields.is_null(FIELD) { Ok(Some(None)) } else { Ok(fields.choice(FIELD, &LOG_CONTENT)?.map(Some)) }
}

/// Update your organization
///
/// Takes effect with the next request.
#[utoipa::path(
    put, path = "/api/organization", tag = "organization", operation_id = "organization_update",
    request_body = UpdateOrganizationRequest,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The updated organization", body = Organization),
        (status = 409, description = "The name is taken", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    State(operations): State<Operations>,
    Caller(caller): Caller,
    Body(mut request): Body<UpdateOrganizationRequest>,
) -> Answer<Organization> {
    let not_found = || Error::not_found("organization");
    let before = tenants.db.org(caller.org_id).await?.ok_or_else(not_found)?;
    if let Some(name) = &mut request.name {
        *name = changed_name("name", name, &before.name)?;
    }
    let change = OrgChange {
        name: request.name.as_deref(),
        require_project: request.require_project,
        default_log_content: request.default_log_content,
    };
    let mut tx = tenants.audited().await?;
    match tx.update_org(caller.org_id, change).await? {
        Changed::Done(after) => {
            let details = diff(&audited(&before), &audited(&after));
            audit::commit(tx, &caller, permission::UPDATE_ORGANIZATION, after.id, details).await?;
            Ok(Json(Organization::of(after, caller.role, &operations.settings)))
        }
        Changed::NameTaken => Err(Error::name_taken("an organization")),
        Changed::Missing | Changed::Stale => Err(not_found()),
    }
}

fn audited(org: &Org) -> Value {
    json!({
        "name": org.name,
        "require_project": org.require_project,
        "default_log_content": org.default_log_content,
    })
}
