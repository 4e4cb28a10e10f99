-- Long audio, which is evaluated in the background. Texts of the request and of the result are sealed. A job runs where
-- its file is: `place_id` names the data directory.
CREATE TABLE jobs (
    org_id UUID NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    project_id UUID,
    user_id UUID NOT NULL,
    principal TEXT NOT NULL,
    place_id UUID NOT NULL,
    log_id UUID NOT NULL,
    credits BIGINT NOT NULL,
    duration DOUBLE PRECISION NOT NULL,
    sealed_request BYTEA NOT NULL,
    state TEXT NOT NULL,
    progress DOUBLE PRECISION NOT NULL,
    attempts BIGINT NOT NULL,
    runner_id UUID,
    leased_until BIGINT NOT NULL,
    finished_at BIGINT,
    sealed_result BYTEA,
    error TEXT,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX jobs_by_place ON jobs (place_id, state, created_at);
CREATE INDEX jobs_by_end ON jobs (finished_at);
