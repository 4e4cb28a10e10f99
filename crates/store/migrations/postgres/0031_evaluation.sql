-- Labeled cases, runs of policy versions over them, and the scores of each case. Cases are sealed. A replica leases a run;
-- an organization has at most one running.
CREATE TABLE evaluation_datasets (
    id UUID PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    user_id UUID NOT NULL,
    principal TEXT NOT NULL,
    name TEXT NOT NULL,
    source TEXT NOT NULL,
    cases BIGINT NOT NULL,
    attacks BIGINT NOT NULL,
    bytes BIGINT NOT NULL
);
CREATE INDEX evaluation_datasets_by_org ON evaluation_datasets (org_id, id);
CREATE TABLE evaluation_cases (
    dataset_id UUID NOT NULL REFERENCES evaluation_datasets (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    sealed_case BYTEA NOT NULL,
    PRIMARY KEY (dataset_id, position)
);
CREATE TABLE evaluation_runs (
    id UUID PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    dataset_id UUID NOT NULL REFERENCES evaluation_datasets (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    user_id UUID NOT NULL,
    principal TEXT NOT NULL,
    policy_id UUID NOT NULL,
    policy_name TEXT NOT NULL,
    policy_version BIGINT NOT NULL,
    cases BIGINT NOT NULL,
    state TEXT NOT NULL,
    position BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    runner_id UUID,
    leased_until BIGINT NOT NULL,
    finished_at BIGINT,
    error TEXT,
    result TEXT
);
CREATE INDEX evaluation_runs_by_org ON evaluation_runs (org_id, id);
CREATE INDEX evaluation_runs_by_dataset ON evaluation_runs (dataset_id);
CREATE INDEX evaluation_runs_by_state ON evaluation_runs (state, created_at);
CREATE UNIQUE INDEX evaluation_runs_running ON evaluation_runs (org_id) WHERE state = 'running';
CREATE TABLE evaluation_results (
    run_id UUID NOT NULL REFERENCES evaluation_runs (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
);
