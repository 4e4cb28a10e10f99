use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_auth::{audit, permission};
use guardengine_engine::fields::{FieldError, Fields};
use guardengine_store::{McpTool, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::response::stored;
use crate::{
    app::Tenants,
    http::{Answer, Body, Caller, Error, FromFields, Json, PathId},
};

/// Longest name of a tool, in bytes.
const MAX_NAME: usize = 200;
/// Length of a digest, in characters.
const DIGEST: usize = 64;

/// A tool of an MCP server, as it was accepted.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServerTool {
    /// Name.
    name: String,
    /// True if the server sends another definition than the accepted one: the tool is neither offered nor called.
    is_changed: bool,
    /// SHA-256 of the accepted definition, in hexadecimal.
    digest: String,
    /// The accepted definition.
    definition: Value,
    /// SHA-256 of the changed definition; null without a change.
    changed_digest: Option<String>,
    /// The changed definition; null without a change.
    changed_definition: Option<Value>,
    #[schema(value_type = String, format = DateTime)]
    first_seen_at: Timestamp,
    /// Time when the change was seen; null without a change.
    #[schema(value_type = Option<String>, format = DateTime)]
    changed_at: Option<Timestamp>,
}

impl ServerTool {
    fn of(tool: McpTool) -> Result<Self, Error> {
        let read = |definition: &str| serde_json::from_str(definition).map_err(Error::internal);
        Ok(Self {
            is_changed: tool.changed_digest.is_some(),
            definition: read(&tool.definition)?,
            changed_definition: tool.changed_definition.as_deref().map(read).transpose()?,
            name: tool.name,
            digest: tool.digest,
            changed_digest: tool.changed_digest,
            first_seen_at: tool.first_seen_at,
            changed_at: tool.changed_at,
        })
    }
}

/// The tools of an MCP server.
#[derive(Debug, Serialize, ToSchema)]
pub struct ServerTools {
    tools: Vec<ServerTool>,
}

/// List the tools of an MCP server
///
/// Tools are kept as they were first listed through `/mcp/{connector_id}`, by name. Connectors of other types have none.
#[utoipa::path(
    get, path = "/api/connectors/{id}/tools", tag = "connectors", operation_id = "connectors_tools",
    params(("id" = uuid::Uuid, Path, description = "Connector identifier")),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The tools", body = ServerTools),
        (status = 404, description = "Connector not found", body = ErrorBody),
    )
)]
pub async fn list(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
) -> Answer<ServerTools> {
    let connector = stored(&tenants, &caller, id).await?;
    let tools = tenants.db.mcp_tools(connector.org_id, connector.id).await?;
    Ok(Json(ServerTools { tools: tools.into_iter().map(ServerTool::of).collect::<Result<_, _>>()? }))
}

/// The change to accept.
#[derive(Debug, ToSchema)]
#[expect(dead_code, reason = "describes the body")]
pub struct ToolAcceptance {
    /// Name of the tool.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// `changed_digest` of the change.
    #[schema(min_length = 64, max_length = 64)]
    digest: String,
}

/// A change to accept, as it was read.
pub struct Acceptance {
    name: String,
    digest: String,
}

impl FromFields for Acceptance {
    fn from_fields(fields: Fields<'_>) -> Result<Self, FieldError> {
        Ok(Self {
            name: fields.required_text("name", MAX_NAME)?.to_owned(),
            digest: fields.required_text("digest", DIGEST)?.to_owned(),
        })
    }
}

/// Accept the changed definition of a tool
///
/// The tool is offered and called again. `digest` says which change was looked at: a later one stays refused.
#[utoipa::path(
    post, path = "/api/connectors/{id}/tools/accept", tag = "connectors", operation_id = "connectors_accept_tool",
    params(("id" = uuid::Uuid, Path, description = "Connector identifier")),
    request_body = ToolAcceptance,
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The tool", body = ServerTool),
        (status = 404, description = "Connector or change not found", body = ErrorBody),
    )
)]
pub async fn accept(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    PathId(id): PathId,
    Body(Acceptance { name, digest }): Body<Acceptance>,
) -> Answer<ServerTool> {
    let connector = stored(&tenants, &caller, id).await?;
    let mut tx = tenants.audited().await?;
    let tool = tx.accept_mcp_tool((connector.org_id, id), &name, &digest).await?;
    let tool = tool.ok_or_else(|| Error::not_found("change of this tool"))?;
    let details = json!({ "name": connector.name, "accepted_tool": name, "digest": digest });
    audit::commit(tx, &caller, permission::UPDATE_CONNECTOR, id, details).await?;
    Ok(Json(ServerTool::of(tool)?))
}
