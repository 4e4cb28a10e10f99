-- The user behind a call: who called, or whose API key did. A name does not say it, for a user who left gives it free, and
-- somebody else may get it.
ALTER TABLE logs ADD COLUMN user_id UUID;
ALTER TABLE reviews ADD COLUMN user_id UUID;
ALTER TABLE tickets ADD COLUMN user_id UUID;
ALTER TABLE events ADD COLUMN user_id UUID;

-- Calls without a project are shown to their user. Earlier ones get the only user who had the name by then, and the user
-- of the API key; where several had it, owners and admins alone see them. Calls for a project are shown to its members,
-- whoever made them, and stay as they are.
WITH named AS (
    SELECT 'user:' || username AS principal, id, created_at AS since,
        LEAD(created_at) OVER (PARTITION BY username ORDER BY created_at, id) AS until,
        ROW_NUMBER() OVER (PARTITION BY username ORDER BY created_at, id) AS place
    FROM users
)
UPDATE logs SET user_id = named.id FROM named
WHERE place = 1 AND logs.project_id IS NULL AND logs.principal = named.principal
    AND logs.created_at >= since AND (until IS NULL OR logs.created_at < until);
WITH named AS (
    SELECT 'api_key:' || id::TEXT AS principal, org_id, user_id FROM api_keys
)
UPDATE logs SET user_id = named.user_id FROM named
WHERE logs.org_id = named.org_id AND logs.project_id IS NULL AND logs.principal = named.principal;
WITH named AS (
    SELECT 'user:' || username AS principal, id, created_at AS since,
        LEAD(created_at) OVER (PARTITION BY username ORDER BY created_at, id) AS until,
        ROW_NUMBER() OVER (PARTITION BY username ORDER BY created_at, id) AS place
    FROM users
)
UPDATE reviews SET user_id = named.id FROM named
WHERE place = 1 AND reviews.project_id IS NULL AND reviews.principal = named.principal
    AND reviews.created_at >= since AND (until IS NULL OR reviews.created_at < until);
WITH named AS (
    SELECT 'api_key:' || id::TEXT AS principal, org_id, user_id FROM api_keys
)
UPDATE reviews SET user_id = named.user_id FROM named
WHERE reviews.org_id = named.org_id AND reviews.project_id IS NULL AND reviews.principal = named.principal;
WITH named AS (
    SELECT 'user:' || username AS principal, id, created_at AS since,
        LEAD(created_at) OVER (PARTITION BY username ORDER BY created_at, id) AS until,
        ROW_NUMBER() OVER (PARTITION BY username ORDER BY created_at, id) AS place
    FROM users
)
UPDATE tickets SET user_id = named.id FROM named
WHERE place = 1 AND tickets.project_id IS NULL AND tickets.principal = named.principal
    AND tickets.created_at >= since AND (until IS NULL OR tickets.created_at < until);
WITH named AS (
    SELECT 'api_key:' || id::TEXT AS principal, org_id, user_id FROM api_keys
)
UPDATE tickets SET user_id = named.user_id FROM named
WHERE tickets.org_id = named.org_id AND tickets.project_id IS NULL AND tickets.principal = named.principal;
WITH named AS (
    SELECT 'user:' || username AS principal, id, created_at AS since,
        LEAD(created_at) OVER (PARTITION BY username ORDER BY created_at, id) AS until,
        ROW_NUMBER() OVER (PARTITION BY username ORDER BY created_at, id) AS place
    FROM users
)
UPDATE events SET user_id = named.id FROM named
WHERE place = 1 AND events.project_id IS NULL AND events.principal = named.principal
    AND events.created_at >= since AND (until IS NULL OR events.created_at < until);
WITH named AS (
    SELECT 'api_key:' || id::TEXT AS principal, org_id, user_id FROM api_keys
)
UPDATE events SET user_id = named.user_id FROM named
WHERE events.org_id = named.org_id AND events.project_id IS NULL AND events.principal = named.principal;
