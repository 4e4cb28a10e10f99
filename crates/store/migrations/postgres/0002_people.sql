-- Roles are joined to memberships by name with every request, and listed by id.
CREATE UNIQUE INDEX roles_by_name ON roles (org_id, name);
CREATE INDEX roles_by_org ON roles (org_id, id);

-- The organisation's own rate limits: a JSON object, COUNT/WINDOW by name. Absent: the configuration's hold.
ALTER TABLE orgs ADD COLUMN limits TEXT;
