use guardengine_auth::{Permission, permission};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::Json;

/// A permission that roles can include.
#[derive(Debug, Serialize, ToSchema)]
pub struct PermissionRecord {
    /// `MODULE:ACTION`.
    #[schema(value_type = crate::schemas::PermissionName)]
    permission: String,
    module: &'static str,
    action: &'static str,
    /// Description of what the permission allows.
    description: &'static str,
}

/// Every permission.
#[derive(Debug, Serialize, ToSchema)]
pub struct Catalogue {
    permissions: Vec<PermissionRecord>,
}

/// List permissions
#[utoipa::path(
    get, path = "/api/permissions", tag = "organization", operation_id = "permissions_list",
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The catalogue", body = Catalogue),
    )
)]
pub async fn handle() -> Json<Catalogue> {
    let record = |permission: &Permission| PermissionRecord {
        permission: permission.to_string(),
        module: permission.module,
        action: permission.action,
        description: permission.description,
    };
    Json(Catalogue { permissions: permission::ALL.iter().map(record).collect() })
}
