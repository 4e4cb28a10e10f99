-- Rows in which something triggered, from new to old: a search for a guardrail passes over the others.
CREATE INDEX logs_triggered ON logs (org_id, id) WHERE triggered_guardrails <> '[]';
