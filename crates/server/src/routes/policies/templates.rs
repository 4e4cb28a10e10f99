use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{Answer, Json},
    policies::templates::{self, Template},
};

/// Policy templates.
#[derive(Debug, Serialize, ToSchema)]
pub struct Templates {
    #[schema(value_type = Vec<Template>)]
    templates: &'static [Template],
}

/// List policy templates
///
/// Each `policy` can be sent to `POST /api/policy/create` as it is.
#[utoipa::path(
    get, path = "/api/policy/templates", tag = "policies", operation_id = "policies_templates",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The templates", body = Templates),
    )
)]
pub async fn handle() -> Answer<Templates> {
    Ok(Json(Templates { templates: templates::all() }))
}
