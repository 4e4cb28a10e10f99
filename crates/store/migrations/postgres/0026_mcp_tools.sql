-- The tools of MCP servers, as they were accepted: a tool whose definition changes is not offered until somebody accepts
-- the change.
CREATE TABLE mcp_tools (
    org_id UUID NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    connector_id UUID NOT NULL REFERENCES connectors (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    digest TEXT NOT NULL,
    definition TEXT NOT NULL,
    changed_digest TEXT,
    changed_definition TEXT,
    first_seen_at BIGINT NOT NULL,
    changed_at BIGINT,
    PRIMARY KEY (connector_id, name)
);
CREATE INDEX mcp_tools_by_org ON mcp_tools (org_id);
