-- Old ledger entries are summed up by day and operation: `entries` counts the changes that an entry stands for.
ALTER TABLE credit_entries ADD COLUMN entries BIGINT NOT NULL DEFAULT 1;

-- The sequence of the last ledger entry that is summed up.
CREATE TABLE credit_rollups (
    org_id BLOB NOT NULL PRIMARY KEY REFERENCES orgs (id),
    sequence BIGINT NOT NULL
);
