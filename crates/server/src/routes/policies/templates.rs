use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{Answer, ErrorBody, Json},
    templates::{self, Template},
};

/// Policies to begin with.
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
        (status = 401, description = "Not signed in", body = ErrorBody),
        (status = 403, description = "A permission is missing", body = ErrorBody),
        (status = 413, description = "Body too large", body = ErrorBody),
        (status = 429, description = "Rate limit", body = ErrorBody),
    )
)]
pub async fn handle() -> Answer<Templates> {
    Ok(Json(Templates { templates: templates::all() }))
}
