-- Times are microseconds since the Unix epoch, ids UUIDv7, JSON is text.
-- `name_key` is the trimmed, case-folded name that is unique.

CREATE TABLE orgs (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL UNIQUE,
    credits BIGINT NOT NULL CHECK (credits >= 0),
    entry_count BIGINT NOT NULL,
    sealed_data_key BYTEA,
    created_at BIGINT NOT NULL
);

-- The sequence follows the balance: no clock, no gap.
CREATE TABLE credit_entries (
    org_id UUID NOT NULL REFERENCES orgs (id),
    sequence BIGINT NOT NULL,
    entry_id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    operation TEXT NOT NULL,
    amount BIGINT NOT NULL,
    balance_after BIGINT NOT NULL,
    log_id UUID,
    PRIMARY KEY (org_id, sequence)
);

CREATE TABLE users (
    id UUID NOT NULL PRIMARY KEY,
    username TEXT NOT NULL,
    username_key TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE memberships (
    org_id UUID NOT NULL REFERENCES orgs (id),
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);

CREATE TABLE roles (
    id UUID NOT NULL PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    permissions TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, name_key)
);

CREATE TABLE settings (
    name TEXT NOT NULL PRIMARY KEY,
    value BYTEA NOT NULL
);

CREATE TABLE signing_keys (
    id UUID NOT NULL PRIMARY KEY,
    sealed BYTEA NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    org_id UUID NOT NULL REFERENCES orgs (id),
    refresh_hash BYTEA NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    last_active_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT
);
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE used_refresh_tokens (
    hash BYTEA NOT NULL PRIMARY KEY,
    session_id UUID NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    used_at BIGINT NOT NULL
);
CREATE INDEX used_refresh_tokens_by_session ON used_refresh_tokens (session_id);

CREATE TABLE pre_auth_tokens (
    hash BYTEA NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL,
    used_at BIGINT
);
CREATE INDEX pre_auth_tokens_by_expiry ON pre_auth_tokens (expires_at);

CREATE TABLE login_attempts (
    username_key TEXT NOT NULL PRIMARY KEY,
    attempts BIGINT NOT NULL,
    window_ends_at BIGINT NOT NULL,
    locked_until BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id UUID NOT NULL PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id),
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    hash BYTEA NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    name TEXT NOT NULL,
    is_active BOOLEAN NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    last_used_at BIGINT,
    usage_count BIGINT NOT NULL
);
CREATE INDEX api_keys_by_org ON api_keys (org_id, id);

CREATE TABLE policies (
    id UUID NOT NULL PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    version BIGINT NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, name_key)
);

CREATE TABLE policy_versions (
    policy_id UUID NOT NULL REFERENCES policies (id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (policy_id, version)
);

CREATE TABLE projects (
    id UUID NOT NULL PRIMARY KEY,
    org_id UUID NOT NULL REFERENCES orgs (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    policy_id UUID NOT NULL REFERENCES policies (id),
    shadow_policy_id UUID REFERENCES policies (id),
    log_content TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (org_id, name_key)
);
CREATE INDEX projects_by_policy ON projects (policy_id);
CREATE INDEX projects_by_shadow_policy ON projects (shadow_policy_id);

CREATE TABLE project_members (
    project_id UUID NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    user_id UUID NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    PRIMARY KEY (project_id, user_id)
);
CREATE INDEX project_members_by_user ON project_members (user_id);

-- Projects and policies may go; the rows that they decided stay.
CREATE TABLE logs (
    org_id UUID NOT NULL REFERENCES orgs (id),
    id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    endpoint TEXT NOT NULL,
    direction TEXT NOT NULL,
    project_id UUID,
    project_name TEXT,
    policy_id UUID,
    policy_version BIGINT,
    decision TEXT NOT NULL,
    shadow_decision TEXT,
    outcome TEXT NOT NULL,
    triggered_guardrails TEXT NOT NULL,
    confidence DOUBLE PRECISION NOT NULL,
    safety_score BIGINT NOT NULL,
    risk_level TEXT NOT NULL,
    reason TEXT,
    source_app TEXT,
    context TEXT,
    device_id TEXT,
    username TEXT,
    principal TEXT NOT NULL,
    conversation_id TEXT,
    text TEXT,
    lang_code TEXT,
    processing_time_ms BIGINT NOT NULL,
    credits BIGINT NOT NULL,
    correlation_id TEXT NOT NULL,
    model_version TEXT NOT NULL,
    PRIMARY KEY (org_id, id)
);
CREATE INDEX logs_by_project ON logs (org_id, project_id, id);

CREATE TABLE pii_tokens (
    org_id UUID NOT NULL REFERENCES orgs (id),
    token TEXT NOT NULL,
    kind TEXT NOT NULL,
    sealed BYTEA NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, token)
);

-- The nil id stands for the installation as a whole, so there is no reference to orgs.
CREATE TABLE audit_heads (
    org_id UUID NOT NULL PRIMARY KEY,
    sequence BIGINT NOT NULL,
    hash BYTEA NOT NULL
);

CREATE TABLE audit_entries (
    org_id UUID NOT NULL,
    sequence BIGINT NOT NULL,
    id UUID NOT NULL,
    created_at BIGINT NOT NULL,
    principal TEXT NOT NULL,
    address TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    details TEXT NOT NULL,
    previous_hash BYTEA NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (org_id, sequence)
);
