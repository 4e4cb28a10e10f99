-- Attempts are counted under a keyed digest of the name from now on. The names from before stood here as they were typed,
-- which could be a password: they are dropped.
DELETE FROM login_attempts;
