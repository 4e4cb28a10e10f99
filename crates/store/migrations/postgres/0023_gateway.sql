-- Routes from models to connectors, as JSON. Projects from before have no gateway.
ALTER TABLE projects ADD COLUMN gateway TEXT;
