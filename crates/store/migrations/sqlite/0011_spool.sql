-- What becomes of the project's guard calls while the store does not answer: `refuse` or `spool`.
ALTER TABLE projects ADD COLUMN on_store_failure TEXT NOT NULL DEFAULT 'refuse';
