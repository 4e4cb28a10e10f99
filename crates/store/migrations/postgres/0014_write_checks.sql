-- The row that health checks write, to notice a database that is full, locked or read-only.
CREATE TABLE write_checks (
    id BIGINT NOT NULL PRIMARY KEY,
    number BIGINT NOT NULL,
    filler BYTEA NOT NULL
);
INSERT INTO write_checks (id, number, filler) VALUES (1, 0, '');
