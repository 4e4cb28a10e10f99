-- Challenges: the tokens that users confirm with, by their digest. `binding` is a keyed digest of everything that was judged.
CREATE TABLE challenges (
    hash BYTEA NOT NULL PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id),
    principal_id UUID NOT NULL,
    binding BYTEA NOT NULL,
    expires_at BIGINT NOT NULL,
    answered_at BIGINT
);
CREATE INDEX challenges_by_expiry ON challenges (expires_at);

-- What waits for a reviewer. The text stands in the log alone, for as long as the row is kept.
CREATE TABLE reviews (
    org_id UUID NOT NULL REFERENCES orgs (id),
    id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    log_id UUID NOT NULL,
    project_id UUID,
    principal TEXT NOT NULL,
    decision TEXT,
    decided_at BIGINT,
    decided_by TEXT,
    note TEXT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX reviews_undecided ON reviews (org_id, id) WHERE decision IS NULL;

-- How far end users are trusted. `subject` is a keyed digest of who; from `neutral_at` on the value counts as never moved.
CREATE TABLE trust_scores (
    org_id UUID NOT NULL REFERENCES orgs (id),
    subject BYTEA NOT NULL,
    value DOUBLE PRECISION NOT NULL,
    moved_at BIGINT NOT NULL,
    neutral_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, subject)
);
CREATE INDEX trust_scores_by_end ON trust_scores (neutral_at);
