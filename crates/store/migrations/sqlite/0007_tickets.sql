-- Tickets that decisions ask for, and comments on them. The id is the key under which they are sent once. `likeness` is a
-- keyed digest of guardrail, end user and connector: what is alike comments on the ticket `parent_id`, for a while and
-- unless that is `closed`. `content` is what is to be sent, and empty once it is. `attempts` counts those that were begun,
-- `failures` those that count towards giving up; a queued ticket is left alone until `next_attempt_at`.
CREATE TABLE tickets (
    org_id BLOB NOT NULL REFERENCES orgs (id),
    id BLOB NOT NULL,
    created_at BIGINT NOT NULL,
    log_id BLOB NOT NULL,
    project_id BLOB,
    principal TEXT NOT NULL,
    connector_id BLOB NOT NULL,
    system TEXT NOT NULL,
    guardrail TEXT NOT NULL,
    likeness BLOB NOT NULL,
    parent_id BLOB,
    closed BOOLEAN NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    external_id TEXT,
    external_key TEXT,
    external_url TEXT,
    last_error TEXT,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX tickets_queued ON tickets (next_attempt_at) WHERE state = 'queued';
CREATE INDEX tickets_alike ON tickets (org_id, likeness, id) WHERE parent_id IS NULL;
CREATE INDEX tickets_by_parent ON tickets (org_id, parent_id) WHERE parent_id IS NOT NULL;
