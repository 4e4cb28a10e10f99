-- The scope of an API key: the only project that it may use, and the permissions that it keeps, a JSON array of names.
-- NULL: no limit. Keys from before have none.
ALTER TABLE api_keys ADD COLUMN project_id UUID;
ALTER TABLE api_keys ADD COLUMN permissions TEXT;
CREATE INDEX api_keys_by_project ON api_keys (project_id) WHERE project_id IS NOT NULL;
