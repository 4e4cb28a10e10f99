//! Connector types of MCP servers.

use super::{Category, ConnectorType, Field};
use crate::connectors::field_format::Format;

pub(super) const MCP_SERVER: ConnectorType = ConnectorType {
    name: "mcp_server",
    label: "MCP server",
    categories: &[Category::Tools],
    check: "Lists the tools, which calls none of them.",
    fields: &[
        Field::new(
            "base_url",
            Format::BaseUrl,
            "Address",
            "Address of the endpoint (streamable HTTP), such as https://tools.example.com/mcp.",
        ),
        Field::new("token", Format::Key, "Token", "If the server requires one: sent as a bearer token.")
            .optional(),
    ],
    model: None,
    check_is_visible: false,
};
