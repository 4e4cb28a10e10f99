-- What happened, for those who want to be told: numbered by organisation in the order of commits, as rows of the log are,
-- for the organisation's row is locked while they are written. `principal` is whose call it was, where there was one;
-- what concerns the organisation as a whole has neither that nor a project. `payload` is a JSON object.
ALTER TABLE orgs ADD COLUMN event_count BIGINT NOT NULL DEFAULT 0;
CREATE TABLE events (
    org_id UUID NOT NULL REFERENCES orgs (id),
    sequence BIGINT NOT NULL,
    id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    project_id UUID,
    principal TEXT,
    payload TEXT NOT NULL,
    PRIMARY KEY (org_id, sequence)
);
CREATE INDEX events_by_time ON events (org_id, created_at, sequence);

-- Who is told over a webhook. `kinds` and `projects` are JSON arrays, or null for all. `position` is the number of the last
-- event that is done with; `replays` counts the times that somebody else set it. `claims` counts claims, and whoever holds
-- the last one delivers until `leased_until`. After a failure it is left alone until `next_attempt_at`.
CREATE TABLE event_subscriptions (
    org_id UUID NOT NULL REFERENCES orgs (id),
    id UUID NOT NULL,
    connector_id UUID NOT NULL UNIQUE REFERENCES connectors (id),
    kinds TEXT,
    projects TEXT,
    enabled BOOLEAN NOT NULL,
    version BIGINT NOT NULL,
    position BIGINT NOT NULL,
    replays BIGINT NOT NULL,
    claims BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    failing_since BIGINT,
    last_error TEXT,
    last_delivered_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, id)
);

-- Whether it is told that nobody decided in time.
ALTER TABLE reviews ADD COLUMN expiry_told BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX reviews_to_expire ON reviews (expires_at) WHERE decision IS NULL AND NOT expiry_told;
