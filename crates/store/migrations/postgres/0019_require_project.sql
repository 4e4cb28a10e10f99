-- Whether guard requests of the organization must name a project, instead of getting the built-in policy.
ALTER TABLE orgs ADD COLUMN require_project BOOLEAN NOT NULL DEFAULT FALSE;
