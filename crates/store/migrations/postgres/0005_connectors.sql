-- `settings` holds what may be read, by field; `secrets` what may not, each sealed under the organisation's data key.
-- `version` counts changes of either: what a check found out holds for the version that was checked. `status` and
-- what follows it is what the last check or use said.
CREATE TABLE connectors (
    id UUID NOT NULL PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id),
    connector_type TEXT NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    settings TEXT NOT NULL,
    secrets TEXT NOT NULL,
    version BIGINT NOT NULL,
    status TEXT NOT NULL,
    failures BIGINT NOT NULL,
    last_error TEXT,
    last_checked_at BIGINT,
    next_check_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, name_key)
);
CREATE INDEX connectors_by_check ON connectors (next_check_at) WHERE enabled;

-- The connectors that a policy's tickets name: none of them goes while it is named.
CREATE TABLE policy_connectors (
    policy_id UUID NOT NULL REFERENCES policies (id) ON DELETE CASCADE,
    connector_id UUID NOT NULL REFERENCES connectors (id),
    PRIMARY KEY (policy_id, connector_id)
);
CREATE INDEX policy_connectors_by_connector ON policy_connectors (connector_id);
