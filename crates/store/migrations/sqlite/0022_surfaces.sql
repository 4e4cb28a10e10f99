-- The interface that took the call, and the identifier that the caller gave the call there. Entries from before came
-- through the service's own.
ALTER TABLE logs ADD COLUMN surface TEXT NOT NULL DEFAULT 'native';
ALTER TABLE logs ADD COLUMN foreign_id TEXT;
