-- Saved views of the log: filters, period and columns, as JSON. A shared one is visible to the whole organization.
CREATE TABLE log_views (
    id BLOB NOT NULL PRIMARY KEY,
    org_id BLOB NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    name TEXT NOT NULL,
    shared BOOLEAN NOT NULL,
    content TEXT NOT NULL
);
CREATE INDEX log_views_by_org ON log_views (org_id, id);
CREATE INDEX log_views_by_user ON log_views (user_id);
