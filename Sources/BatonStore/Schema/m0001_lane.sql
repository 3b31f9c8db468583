-- One lane of an account's state, in a database of its own: activities, or the index.

-- One row: whose state this is. It is shown to no other account, whatever lies beside it in the folder.
CREATE TABLE account (
    only       INTEGER PRIMARY KEY CHECK (only = 1),
    identifier BLOB NOT NULL CHECK (length(identifier) = 16)
) STRICT;

-- Lives are spelled out once and numbered, because almost every row names two of them.
CREATE TABLE lives (
    number INTEGER PRIMARY KEY,
    life   BLOB NOT NULL UNIQUE CHECK (length(life) = 16)
) STRICT;

-- What this store claims: every write of the life up to the sequence is here, or was overwritten or
-- deleted by what is.
CREATE TABLE complete (
    life     INTEGER PRIMARY KEY REFERENCES lives,
    sequence INTEGER NOT NULL CHECK (sequence > 0)
) STRICT;

-- What covers all traces of deletions that this store let go.
CREATE TABLE dropped (
    life     INTEGER PRIMARY KEY REFERENCES lives,
    sequence INTEGER NOT NULL CHECK (sequence > 0)
) STRICT;

-- What each device has for good, as it reported.
CREATE TABLE reports (
    device   BLOB NOT NULL CHECK (length(device) = 16),
    life     INTEGER NOT NULL REFERENCES lives,
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    PRIMARY KEY (device, life)
) STRICT, WITHOUT ROWID;

-- How far the snapshot of each peer came that has not come to its end.
CREATE TABLE snapshots (
    device BLOB PRIMARY KEY CHECK (length(device) = 16),
    -- The last record that came.
    kind   INTEGER NOT NULL,
    hash   BLOB NOT NULL CHECK (length(hash) = 16),
    -- What the peer claimed when the snapshot began, as the protocol encodes it, and its place then.
    start  BLOB NOT NULL,
    token  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Records of which there is any trace.
CREATE TABLE records (
    number  INTEGER PRIMARY KEY,
    kind    INTEGER NOT NULL,
    -- Stands for the key, and orders the records of a kind.
    hash    BLOB NOT NULL CHECK (length(hash) = 16),
    -- The name of the key; NULL where only a deletion is left.
    name    BLOB,
    -- When the record expires, in milliseconds since 1970; NULL where it is not there or does not.
    expires INTEGER,
    UNIQUE (kind, hash)
) STRICT;

-- To tell what has expired at a given time.
CREATE INDEX records_by_expiration ON records (expires) WHERE expires IS NOT NULL;

-- The writes that survive; merged, those of one record are its state. They stand in the order in which
-- they arrived here, and a number is never used again, so that a place in that order means one thing.
CREATE TABLE writes (
    arrival   INTEGER PRIMARY KEY AUTOINCREMENT,
    record    INTEGER NOT NULL REFERENCES records,
    -- The dot. Two writes with one dot come from a faulty device only; both are kept.
    life      INTEGER NOT NULL REFERENCES lives,
    sequence  INTEGER NOT NULL,
    place     INTEGER NOT NULL,
    -- The stamp.
    time      INTEGER NOT NULL,
    time_life INTEGER NOT NULL REFERENCES lives,
    -- 0 a full write, 1 a deletion, 2 a partial write, 3 a count.
    action    INTEGER NOT NULL CHECK (action BETWEEN 0 AND 3),
    -- The incarnation that a partial write changes, or the beginning of what is counted; NULL for the others.
    base      INTEGER,
    base_life INTEGER REFERENCES lives,
    -- The parts of the scope of a full write or a count, as the protocol encodes them; NULL for the others.
    scope     BLOB,
    -- The fields, as the protocol encodes them; NULL for a deletion.
    fields    BLOB
) STRICT;

-- To merge a write, the others of its record are read.
CREATE INDEX writes_by_record ON writes (record);

-- To find the traces of deletions that every device has.
CREATE INDEX writes_by_deletion ON writes (life, sequence) WHERE action = 1;

-- To find what a clear covers: what lies within a scope begins with its bytes.
CREATE INDEX writes_by_scope ON writes (scope) WHERE scope IS NOT NULL;

-- One row: how far things have come.
CREATE TABLE progress (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    -- The largest hybrid time that any write taken here spoke of.
    time    INTEGER NOT NULL,
    -- A place up to where every write was once seen to be claimed. Claims only grow, so it stays true; what
    -- was settled since is found by looking on from here.
    settled INTEGER NOT NULL,
    -- The sum of the digests of all records that are there.
    digest  BLOB NOT NULL CHECK (length(digest) = 32),
    -- Names the order of arrival, as long as a number in it means one write.
    arrival_order BLOB NOT NULL CHECK (length(arrival_order) = 16),
    -- The latest stamp of all that was let go.
    horizon INTEGER NOT NULL
) STRICT;
INSERT INTO progress (only, time, settled, digest, arrival_order, horizon)
VALUES (1, 0, 0, zeroblob(32), zeroblob(16), 0);

-- Where each peer is to go on in its own order of arrival, as it told with the last writes that it sent.
CREATE TABLE peers (
    device BLOB PRIMARY KEY CHECK (length(device) = 16),
    token  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- What this device keeps for itself and tells nobody.
CREATE TABLE notes (
    space INTEGER NOT NULL,
    name  BLOB NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (space, name)
) STRICT, WITHOUT ROWID;
