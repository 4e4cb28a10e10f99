-- Rules that watch an organization. `condition` is a JSON object; `channels` and `recipients` are JSON arrays. A rule is
-- evaluated by whoever moves `next_check_at`. Times are null until they first occur.
CREATE TABLE alert_rules (
    org_id UUID NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    id UUID NOT NULL,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    project_id UUID,
    condition TEXT NOT NULL,
    channels TEXT NOT NULL,
    recipients TEXT NOT NULL,
    cooldown BIGINT NOT NULL,
    version BIGINT NOT NULL,
    state TEXT NOT NULL,
    firing_since BIGINT,
    last_fired_at BIGINT,
    summary TEXT,
    checked_at BIGINT,
    next_check_at BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, id),
    UNIQUE (org_id, name_key)
);
CREATE INDEX alert_rules_due ON alert_rules (next_check_at) WHERE enabled;

-- Messages of rules to their channels, sent once by whoever holds the claim: `attempts` counts claims.
CREATE TABLE alert_deliveries (
    org_id UUID NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    id UUID NOT NULL,
    rule_id UUID NOT NULL,
    connector_id UUID NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    recipients TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    last_error TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, id),
    FOREIGN KEY (org_id, rule_id) REFERENCES alert_rules (org_id, id) ON DELETE CASCADE
);
CREATE INDEX alert_deliveries_by_rule ON alert_deliveries (org_id, rule_id, id);
CREATE INDEX alert_deliveries_due ON alert_deliveries (next_attempt_at) WHERE state = 'queued';
