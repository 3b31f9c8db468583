-- One letter is looked for as fast as two: the table of words is made anew, with beginnings of one letter in it.
DROP TABLE search;
CREATE VIRTUAL TABLE search USING fts5(
    title, names, keywords, description, body,
    content = '', tokenize = 'baton', prefix = '1 2'
);
UPDATE search_progress SET rules = 0, through = 0;

-- Batches that apps stage piece by piece because they are too large for one transaction. Nobody sees anything of one that
-- has not ended; one that has is merged in small steps, and is gone when all of it is.
CREATE TABLE batches (
    -- Never used again while something of the batch is staged.
    number     INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 0x7fffffff),
    -- What the node calls it.
    identifier INTEGER NOT NULL,
    -- How many drafts were staged, and how many of them were merged.
    count      INTEGER NOT NULL,
    merged     INTEGER NOT NULL DEFAULT 0,
    -- How many items are written in full, and how many bytes their drafts have.
    items      INTEGER NOT NULL,
    bytes      INTEGER NOT NULL,
    -- The dot and the time of the first draft; NULL before the batch has ended.
    life       INTEGER REFERENCES lives,
    sequence   INTEGER,
    time       INTEGER
) STRICT;

-- What apps staged.
CREATE TABLE staged (
    -- The number of the batch in the upper half, the place in the batch in the lower one.
    number INTEGER PRIMARY KEY,
    -- Of the record that is written.
    kind   INTEGER NOT NULL,
    hash   BLOB NOT NULL CHECK (length(hash) = 16),
    -- As the program encodes it.
    draft  BLOB NOT NULL
) STRICT;

-- To look up a record of which something is not merged yet.
CREATE INDEX staged_by_record ON staged (hash);

-- To find clears (kinds 0 and 1), which have their effect when the batch ends.
CREATE INDEX staged_clears ON staged (number) WHERE kind <= 1;

-- Clears of which not all that they end was looked for yet; until then, who reads a record asks these.
CREATE TABLE sweeps (
    -- The parts of what was cleared, as the protocol encodes them.
    scope         BLOB PRIMARY KEY,
    -- The stamp of the clear.
    time          INTEGER NOT NULL,
    time_life     INTEGER NOT NULL REFERENCES lives,
    -- Behind which write the search goes on, in the order of scopes and places.
    after_scope   BLOB NOT NULL,
    after_arrival INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How much each app has in its indexes: the items that are there.
CREATE TABLE usage (
    -- The first part of the items' scopes, as the protocol encodes it.
    app   BLOB PRIMARY KEY,
    items INTEGER NOT NULL,
    -- Of their scopes and fields.
    bytes INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: whether what stood here before this table was there is counted in it.
CREATE TABLE usage_progress (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    -- Records up to this number are counted; NULL if all are.
    through INTEGER
) STRICT;
INSERT INTO usage_progress (only, through) VALUES (1, 0);
