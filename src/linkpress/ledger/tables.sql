-- Tables of a ledger. Each database replaces the placeholders: {counted} by the type of a key that the database
-- numbers itself, and {text} by the type of a text that is sorted by code points.

CREATE TABLE holders (
    id {counted},
    kind {text} NOT NULL CHECK (kind IN ('volume', 'feed')),
    name {text} NOT NULL,
    title {text} NOT NULL,
    isbn {text},
    UNIQUE (kind, name)
);

-- The column beat is the time when a build last reported that it is alive, in seconds since 1970.
CREATE TABLE builds (
    holder INTEGER PRIMARY KEY REFERENCES holders (id) ON DELETE CASCADE,
    token {text} NOT NULL,
    host {text} NOT NULL,
    pid BIGINT NOT NULL,
    started {text} NOT NULL,
    beat DOUBLE PRECISION NOT NULL
);

CREATE TABLE puzzles (
    fingerprint {text} PRIMARY KEY,
    holder INTEGER NOT NULL REFERENCES holders (id) ON DELETE CASCADE,
    slot {text} NOT NULL,
    published BOOLEAN NOT NULL,
    made {text} NOT NULL,
    rows INTEGER NOT NULL,
    cols INTEGER NOT NULL,
    pairs INTEGER NOT NULL,
    solids INTEGER NOT NULL,
    board {text} NOT NULL,
    rule {text} NOT NULL,
    proof {text} NOT NULL,
    technique {text},
    score INTEGER,
    recipe {text} NOT NULL,
    seed {text} NOT NULL,
    attempt INTEGER NOT NULL
) {without_rowid};

CREATE INDEX puzzles_of_holder ON puzzles (holder, slot);
