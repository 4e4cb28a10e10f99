-- Rows are numbered by organisation in the order in which they are committed: the organisation's row is locked while
-- they are written. Their ids carry the time of the request, and a slow one is committed after younger ones; who
-- follows the log by number loses none.
ALTER TABLE orgs ADD COLUMN log_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE logs ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0;
UPDATE logs SET sequence = numbered.place
FROM (SELECT org_id, id, ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY id) AS place FROM logs) AS numbered
WHERE logs.org_id = numbered.org_id AND logs.id = numbered.id;
UPDATE orgs SET log_count = (SELECT COUNT(*) FROM logs WHERE logs.org_id = orgs.id);
CREATE UNIQUE INDEX logs_by_sequence ON logs (org_id, sequence);
CREATE INDEX logs_by_username ON logs (org_id, username, id) WHERE username IS NOT NULL;
CREATE INDEX logs_by_source_app ON logs (org_id, source_app, id) WHERE source_app IS NOT NULL;
-- Whatever is not simply allowed, or is a risk, has triggered something.
CREATE INDEX logs_by_decision ON logs (org_id, decision, id) WHERE triggered_guardrails <> '[]';
CREATE INDEX logs_by_risk ON logs (org_id, risk_level, id) WHERE triggered_guardrails <> '[]';

-- Rows added up by the hour, and some by the day (`…_by_day`), in which they were made. The largest id stands for all
-- projects together, and for none.
CREATE TABLE hourly_counts (
    org_id UUID NOT NULL REFERENCES orgs (id),
    dimension TEXT NOT NULL,
    hour BIGINT NOT NULL,
    project_id UUID NOT NULL,
    name TEXT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (org_id, dimension, project_id, hour, name)
);

-- The number of the last row that is added up.
CREATE TABLE rollups (
    org_id UUID NOT NULL PRIMARY KEY REFERENCES orgs (id),
    sequence BIGINT NOT NULL
);

-- Guard requests that no row stands for, by the minute. The nil id stands for no project.
CREATE TABLE unjudged_requests (
    org_id UUID NOT NULL REFERENCES orgs (id),
    minute BIGINT NOT NULL,
    project_id UUID NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (org_id, minute, project_id)
);

-- The last entry that was forgotten for its age: where what is left of the chain begins.
CREATE TABLE audit_origins (
    org_id UUID NOT NULL PRIMARY KEY,
    sequence BIGINT NOT NULL,
    hash BYTEA NOT NULL
);
CREATE INDEX audit_entries_by_time ON audit_entries (org_id, created_at);
CREATE INDEX audit_entries_by_action ON audit_entries (org_id, action, sequence);
CREATE INDEX audit_entries_by_principal ON audit_entries (org_id, principal, sequence);
