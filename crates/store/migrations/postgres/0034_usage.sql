-- Requests and credits by the hour, and by the day (`…_by_day`), for each project, API key, end user, application and
-- operation. The largest project identifier is all projects together, and requests without one. An empty name is
-- requests without that property.
CREATE TABLE usage_counts (
    org_id UUID NOT NULL REFERENCES orgs (id),
    dimension TEXT NOT NULL,
    hour BIGINT NOT NULL,
    project_id UUID NOT NULL,
    name TEXT NOT NULL,
    requests BIGINT NOT NULL,
    blocked BIGINT NOT NULL,
    masked BIGINT NOT NULL,
    credits BIGINT NOT NULL,
    PRIMARY KEY (org_id, dimension, project_id, hour, name)
);

-- The ledger of a period is read by time.
CREATE INDEX credit_entries_by_time ON credit_entries (org_id, created_at, sequence);
