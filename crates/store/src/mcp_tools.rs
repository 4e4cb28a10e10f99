//! Tools of MCP servers, with the definitions that were accepted.

use uuid::Uuid;

use crate::{Db, NewEvent, Result, Timestamp, db::Tx, name::storable};

/// Tools that are kept of a server.
pub const MAX_TOOLS: usize = 500;

/// A tool of an MCP server.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct McpTool {
    /// Name, unique for the server.
    pub name: String,
    /// Digest of the accepted definition.
    pub digest: String,
    /// The accepted definition, as JSON.
    pub definition: String,
    /// Digest of the definition that the server sends now, if it differs.
    pub changed_digest: Option<String>,
    /// That definition.
    pub changed_definition: Option<String>,
    /// Time when the server first offered it.
    pub first_seen_at: Timestamp,
    /// Time when it was last seen to differ.
    pub changed_at: Option<Timestamp>,
}

/// A definition as a server sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenTool {
    /// Name.
    pub name: String,
    /// Digest of the definition.
    pub digest: String,
    /// The definition, as JSON.
    pub definition: String,
}

macro_rules! tool_columns {
    () => {
        "name, digest, definition, changed_digest, changed_definition, first_seen_at, changed_at"
    };
}

impl Db {
    /// Lists the tools of a server by name.
    pub async fn mcp_tools(&self, org_id: Uuid, connector_id: Uuid) -> Result<Vec<McpTool>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                tool_columns!(),
                " FROM mcp_tools WHERE org_id = $1 AND connector_id = $2 ORDER BY name"
            ))
            .bind(org_id)
            .bind(connector_id)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Returns the tool of a server with this name.
    pub async fn mcp_tool(
        &self,
        (org_id, connector_id): (Uuid, Uuid),
        name: &str,
    ) -> Result<Option<McpTool>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT ",
                tool_columns!(),
                " FROM mcp_tools WHERE org_id = $1 AND connector_id = $2 AND name = $3"
            ))
            .bind(org_id)
            .bind(connector_id)
            .bind(storable(name))
            .fetch_optional(pool)
            .await?
        }))
    }
}

impl Tx {
    /// Keeps the definitions of tools that are new, and those that differ from the accepted ones beside them. A definition
    /// that is the accepted one again has no change. `event` reports the changes, if there are any.
    pub async fn see_mcp_tools(
        &mut self,
        (org_id, connector_id): (Uuid, Uuid),
        tools: &[SeenTool],
        event: Option<&NewEvent>,
        now: Timestamp,
    ) -> Result<()> {
        on!(self.connection(), |c| {
            for tool in tools {
                sqlx::query(
                    "INSERT INTO mcp_tools (org_id, connector_id, name, digest, definition, first_seen_at)
                     VALUES ($1, $2, $3, $4, $5, $6)
                     ON CONFLICT (connector_id, name) DO UPDATE SET
                     changed_digest = CASE WHEN mcp_tools.digest = $4 THEN NULL ELSE $4 END,
                     changed_definition = CASE WHEN mcp_tools.digest = $4 THEN NULL ELSE $5 END,
                     changed_at = CASE WHEN mcp_tools.digest = $4 THEN NULL ELSE $6 END",
                )
                .bind(org_id)
                .bind(connector_id)
                .bind(storable(&tool.name))
                .bind(&tool.digest)
                .bind(storable(&tool.definition))
                .bind(now)
                .execute(&mut *c)
                .await?;
            }
        });
        self.insert_events(org_id, event.map_or(&[], std::slice::from_ref)).await
    }

    /// Accepts the changed definition with this digest. Returns the tool, or `None` if no such change is waiting.
    pub async fn accept_mcp_tool(
        &mut self,
        (org_id, connector_id): (Uuid, Uuid),
        name: &str,
        digest: &str,
    ) -> Result<Option<McpTool>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE mcp_tools SET digest = changed_digest, definition = changed_definition, changed_digest = NULL,
                 changed_definition = NULL, changed_at = NULL
                 WHERE org_id = $1 AND connector_id = $2 AND name = $3 AND changed_digest = $4 RETURNING ",
                tool_columns!()
            ))
            .bind(org_id)
            .bind(connector_id)
            .bind(storable(name))
            .bind(digest)
            .fetch_optional(c)
            .await?
        }))
    }
}
