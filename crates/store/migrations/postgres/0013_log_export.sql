-- Streams that rows of the log are exported to. Whoever holds the lease exports, until `leased_until`.
CREATE TABLE log_exports (
    stream TEXT NOT NULL PRIMARY KEY,
    started_at BIGINT NOT NULL,
    holder_id UUID,
    leased_until BIGINT NOT NULL
);

-- The number of an organisation's last row that a stream has. An organisation without is exported from its first row.
CREATE TABLE log_export_positions (
    stream TEXT NOT NULL REFERENCES log_exports (stream),
    org_id UUID NOT NULL REFERENCES orgs (id),
    position BIGINT NOT NULL,
    PRIMARY KEY (stream, org_id)
);
