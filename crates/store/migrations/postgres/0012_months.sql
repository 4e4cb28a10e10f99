-- no-transaction
-- The log by month: `logs` becomes a table of partitions by id, for ids begin with the time, and keys, pages and
-- foreign keys stay what they were. The table that there is becomes the first partition, up to the month after the
-- next one; upkeep makes those that follow. What no month takes, because a clock is off, the default partition does.
--
-- In three steps, so that nobody waits while the table is read: the bound is set, which takes a moment and holds for
-- new rows, then rows are held to it beside those who read and write, and then the tables change places, in a moment
-- again. Each step can be repeated. A version that knows no months goes on: it asks `logs` as before.
DO $$
DECLARE
    newest UUID;
    bound TIMESTAMP;
    beyond UUID;
    index_name TEXT;
BEGIN
    IF (SELECT relkind FROM pg_class WHERE oid = 'logs'::regclass) = 'p' THEN
        RETURN;
    END IF;

    -- At least a month away, that no row meets it before the tables have changed places; and above every row that there
    -- is, whatever clock gave it its id.
    SELECT last.id INTO newest FROM orgs
    CROSS JOIN LATERAL (SELECT id FROM logs WHERE org_id = orgs.id ORDER BY id DESC LIMIT 1) AS last
    ORDER BY last.id DESC LIMIT 1;
    bound := NOW() AT TIME ZONE 'UTC';
    IF newest IS NOT NULL THEN
        bound := GREATEST(bound, TO_TIMESTAMP(
            ('x' || SUBSTR(REPLACE(newest::TEXT, '-', ''), 1, 12))::BIT(48)::BIGINT / 1000.0) AT TIME ZONE 'UTC');
    END IF;
    bound := DATE_TRUNC('month', bound) + INTERVAL '2 months';
    -- The least id of that moment, as crates/store/src/id.rs has it.
    beyond := (LPAD(TO_HEX((EXTRACT(EPOCH FROM bound) * 1000)::BIGINT), 12, '0') || '70008000000000000000')::UUID;
    ALTER TABLE logs DROP CONSTRAINT IF EXISTS logs_are_earlier;
    EXECUTE FORMAT('ALTER TABLE logs ADD CONSTRAINT logs_are_earlier CHECK (id < %L) NOT VALID', beyond);
    COMMIT;

    ALTER TABLE logs VALIDATE CONSTRAINT logs_are_earlier;
    COMMIT;

    -- In the order in which rows are written, so that nobody waits for each other.
    LOCK TABLE orgs IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE logs IN ACCESS EXCLUSIVE MODE;
    ALTER TABLE logs RENAME TO logs_first;
    FOR index_name IN
        SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'logs_first'::regclass
    LOOP
        EXECUTE FORMAT('ALTER INDEX %I RENAME TO %I', index_name, REPLACE(index_name, 'logs_', 'logs_first_'));
    END LOOP;
    CREATE TABLE logs (
        LIKE logs_first INCLUDING DEFAULTS,
        PRIMARY KEY (org_id, id),
        FOREIGN KEY (org_id) REFERENCES orgs (id)
    ) PARTITION BY RANGE (id);
    -- Those of the first partition are found to be these, and not made anew. The numbers have an index in each partition
    -- and none here: a unique one over all would have to hold the id. That a number is given once is the lock's doing.
    CREATE INDEX logs_by_project ON logs (org_id, project_id, id);
    CREATE INDEX logs_by_username ON logs (org_id, username, id) WHERE username IS NOT NULL;
    CREATE INDEX logs_by_source_app ON logs (org_id, source_app, id) WHERE source_app IS NOT NULL;
    CREATE INDEX logs_by_decision ON logs (org_id, decision, id) WHERE triggered_guardrails <> '[]';
    CREATE INDEX logs_by_risk ON logs (org_id, risk_level, id) WHERE triggered_guardrails <> '[]';
    CREATE INDEX logs_triggered ON logs (org_id, id) WHERE triggered_guardrails <> '[]';
    CREATE INDEX logs_by_mark ON logs (org_id, mark, id) WHERE mark IS NOT NULL;
    CREATE INDEX logs_by_outcome ON logs (org_id, outcome, id) WHERE outcome IN ('would_block', 'not_judged');
    EXECUTE FORMAT('ALTER TABLE logs ATTACH PARTITION logs_first FOR VALUES FROM (MINVALUE) TO (%L)', beyond);
    ALTER TABLE logs_first DROP CONSTRAINT logs_are_earlier;
    CREATE TABLE logs_default PARTITION OF logs DEFAULT;
    CREATE UNIQUE INDEX logs_default_by_sequence ON logs_default (org_id, sequence);
END
$$;
