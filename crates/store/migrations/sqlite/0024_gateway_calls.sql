-- What the model behind the gateway reported of a call, and how long it took. Entries from before, and calls that were
-- not passed on, have none.
ALTER TABLE logs ADD COLUMN prompt_tokens BIGINT;
ALTER TABLE logs ADD COLUMN completion_tokens BIGINT;
ALTER TABLE logs ADD COLUMN upstream_time_ms BIGINT;

-- The connectors that a project's gateway names: none of them goes while it is named.
CREATE TABLE project_connectors (
    project_id BLOB NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    connector_id BLOB NOT NULL REFERENCES connectors (id),
    PRIMARY KEY (project_id, connector_id)
);
CREATE INDEX project_connectors_by_connector ON project_connectors (connector_id);

-- Connectors that are gone already keep their routes, which then serve nothing.
INSERT INTO project_connectors (project_id, connector_id)
SELECT DISTINCT projects.id, connectors.id
FROM projects, json_each(projects.gateway, '$.routes') AS route
JOIN connectors ON connectors.org_id = projects.org_id AND lower(hex(connectors.id)) IN (
    replace(json_extract(route.value, '$.connector_id'), '-', ''),
    replace(json_extract(route.value, '$.fallback_connector_id'), '-', ''))
WHERE projects.gateway IS NOT NULL;
