-- The audit trails are chained under a key from now on. It is sealed under the master key, so that whoever can only
-- write the database cannot write a chain.
CREATE TABLE audit_key (
    id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    sealed BLOB NOT NULL,
    created_at BIGINT NOT NULL
);

-- Whether the hash of the entry is a MAC under the key. Entries from before keep their plain hash.
ALTER TABLE audit_entries ADD COLUMN keyed BOOLEAN NOT NULL DEFAULT FALSE;

-- The MAC under the key of where the rest of the chain begins; empty until the key exists.
ALTER TABLE audit_origins ADD COLUMN mac BLOB NOT NULL DEFAULT x'';

-- The sequence that the last event about the head named.
ALTER TABLE audit_heads ADD COLUMN announced BIGINT NOT NULL DEFAULT 0;
