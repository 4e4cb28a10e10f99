-- Long audio, which is evaluated in the background. Texts of the request and of the result are sealed. A job runs where
-- its file is: `place_id` names the data directory.
CREATE TABLE jobs (
    org_id BLOB NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    id BLOB NOT NULL,
    created_at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    project_id BLOB,
    user_id BLOB NOT NULL,
    principal TEXT NOT NULL,
    place_id BLOB NOT NULL,
    log_id BLOB NOT NULL,
    credits BIGINT NOT NULL,
    duration REAL NOT NULL,
    sealed_request BLOB NOT NULL,
    state TEXT NOT NULL,
    progress REAL NOT NULL,
    attempts BIGINT NOT NULL,
    runner_id BLOB,
    leased_until BIGINT NOT NULL,
    finished_at BIGINT,
    sealed_result BLOB,
    error TEXT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX jobs_by_place ON jobs (place_id, state, created_at);
CREATE INDEX jobs_by_end ON jobs (finished_at);
