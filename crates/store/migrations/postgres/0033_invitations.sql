-- Invitations to an organization, each by a link whose token is stored as a hash.
CREATE TABLE invitations (
    id UUID PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    token_hash BYTEA NOT NULL UNIQUE,
    role TEXT NOT NULL,
    note TEXT,
    creator_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    acceptor_id UUID REFERENCES users (id) ON DELETE CASCADE,
    accepted_at BIGINT,
    revoked_at BIGINT
);
CREATE INDEX invitations_by_org ON invitations (org_id, id);
-- Form in which log entries of new projects store texts. Null: as the service does without it.
ALTER TABLE orgs ADD COLUMN default_log_content TEXT;
