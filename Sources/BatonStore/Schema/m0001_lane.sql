-- One lane of an account's state, in a database of its own: activities, or the index.

-- One row: whose state this is. A database is never taken for that of another account, device or lane, whatever lies
-- beside it in the folder.
CREATE TABLE account (
    only       INTEGER PRIMARY KEY CHECK (only = 1),
    identifier BLOB NOT NULL CHECK (length(identifier) = 16),
    lane       INTEGER,
    -- NULL until a program opens the database that knows the device.
    device     BLOB
) STRICT;

-- Lives are stored once and numbered, because almost every row names two of them.
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

-- Covers all tombstones that this store garbage-collected.
CREATE TABLE dropped (
    life     INTEGER PRIMARY KEY REFERENCES lives,
    sequence INTEGER NOT NULL CHECK (sequence > 0)
) STRICT;

-- What each device has stored durably, as it reported.
CREATE TABLE reports (
    device   BLOB NOT NULL CHECK (length(device) = 16),
    life     INTEGER NOT NULL REFERENCES lives,
    sequence INTEGER NOT NULL CHECK (sequence > 0),
    PRIMARY KEY (device, life)
) STRICT, WITHOUT ROWID;

-- How far the snapshot of each peer has come, while it is not complete.
CREATE TABLE snapshots (
    device BLOB PRIMARY KEY CHECK (length(device) = 16),
    -- The last record that came.
    kind   INTEGER NOT NULL,
    hash   BLOB NOT NULL CHECK (length(hash) = 16),
    -- What the peer claimed when the snapshot began, as the protocol encodes it, and its resume token then.
    start  BLOB NOT NULL,
    token  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Records that have any trace, each with the write that opens it: a full write or a deletion. Almost every record is
-- this one row. A change replaces its content where it stands, so it touches no index but those of what it changes.
CREATE TABLE records (
    number    INTEGER PRIMARY KEY,
    kind      INTEGER NOT NULL,
    -- Stands for the key, and orders the records of a kind.
    hash      BLOB NOT NULL CHECK (length(hash) = 16),
    -- The name of the key; NULL where only a deletion is left.
    name      BLOB,
    -- When the record expires, in milliseconds since 1970; NULL if it does not exist or does not expire.
    expires   INTEGER,
    -- The place of the write in the order of arrival, which counts the rows of both tables of writes. A number is never
    -- used again, so that a place always means the same write. NULL, like all that follows, where only further writes
    -- are here.
    arrival   INTEGER,
    -- The dot. Only a faulty device makes two writes with one dot; both are kept.
    life      INTEGER REFERENCES lives,
    sequence  INTEGER,
    place     INTEGER,
    -- The stamp.
    time      INTEGER,
    time_life INTEGER REFERENCES lives,
    -- 0 a full write, 1 a deletion.
    action    INTEGER CHECK (action BETWEEN 0 AND 1),
    -- The parts of the scope of a full write, as the protocol encodes them; NULL for a deletion.
    scope     BLOB,
    -- The fields, as the protocol encodes them; NULL for a deletion.
    fields    BLOB,
    UNIQUE (kind, hash),
    CHECK ((arrival IS NULL) = (action IS NULL))
) STRICT;

-- To find what has expired at a given time.
CREATE INDEX records_by_expiration ON records (expires) WHERE expires IS NOT NULL;

-- To read what arrived behind a place.
CREATE UNIQUE INDEX records_by_arrival ON records (arrival) WHERE arrival IS NOT NULL;

-- To read the clears (kinds 0 and 1) that arrived behind a place, which are sent first.
CREATE INDEX clears_by_arrival ON records (arrival) WHERE kind <= 1;

-- To find the clears that every device has, and the latest one that some device lacks.
CREATE INDEX clears_by_dot ON records (life, sequence, time) WHERE kind <= 1 AND action = 0;

-- To find the earliest clear.
CREATE INDEX clears_by_time ON records (time) WHERE kind <= 1 AND action = 0;

-- To find the deletions that every device has.
CREATE INDEX records_by_deletion ON records (life, sequence, time) WHERE action = 1;

-- To find the earliest deletion.
CREATE INDEX deletions_by_time ON records (time) WHERE action = 1;

-- To find the newest items.
CREATE INDEX records_by_time ON records (time) WHERE kind = 9 AND action = 0;

-- To find what a clear covers: what lies within a scope begins with its bytes.
CREATE INDEX records_by_scope ON records (scope) WHERE scope IS NOT NULL;

-- The other writes that survive: partial writes and counts. Merged, all writes of one record are its state.
CREATE TABLE further_writes (
    arrival   INTEGER PRIMARY KEY,
    record    INTEGER NOT NULL REFERENCES records,
    life      INTEGER NOT NULL REFERENCES lives,
    sequence  INTEGER NOT NULL,
    place     INTEGER NOT NULL,
    time      INTEGER NOT NULL,
    time_life INTEGER NOT NULL REFERENCES lives,
    -- 2 a partial write, 3 a count.
    action    INTEGER NOT NULL CHECK (action BETWEEN 2 AND 3),
    -- The incarnation that a partial write changes, or the beginning of what is counted.
    base      INTEGER NOT NULL,
    base_life INTEGER NOT NULL REFERENCES lives,
    -- The parts of the scope of a count; NULL for a partial write.
    scope     BLOB,
    fields    BLOB NOT NULL
) STRICT;

-- To read them with their record.
CREATE INDEX further_writes_by_record ON further_writes (record);

-- To find the counts that a clear covers.
CREATE INDEX further_writes_by_scope ON further_writes (scope, record) WHERE scope IS NOT NULL;

-- One row: how far things have come.
CREATE TABLE progress (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    -- The largest hybrid time that any write taken here spoke of.
    time    INTEGER NOT NULL,
    -- Every write up to this place was once seen to be claimed. Claims only grow, so it stays true; what was settled
    -- since is found by looking further from here.
    settled INTEGER NOT NULL,
    -- The last place that was given out in the order of arrival.
    head    INTEGER NOT NULL,
    -- The sum of the digests of all records that exist.
    digest  BLOB NOT NULL CHECK (length(digest) = 32),
    -- Names the order of arrival, as long as a number in it means one write.
    arrival_order BLOB NOT NULL CHECK (length(arrival_order) = 16),
    -- The latest stamp of all that was garbage-collected.
    horizon INTEGER NOT NULL,
    -- The digest is over the records that had not expired at this time, in milliseconds since 1970; NULL if it is over
    -- all.
    digest_time INTEGER,
    -- What had expired at this time was swept, or is being swept; NULL if nothing was.
    swept INTEGER,
    -- How often records were removed without a new place in the order of arrival: swept after they had expired, or
    -- forgotten with their tombstones. A reader that remembers records compares it, as the order doesn't tell it.
    removals INTEGER NOT NULL DEFAULT 0,
    -- A short form of the row of `account`. Every transaction writes this table, so it stands in every journal: a
    -- journal that belongs to another database is recognized by it.
    owner BLOB
) STRICT;
INSERT INTO progress (only, time, settled, head, digest, arrival_order, horizon)
VALUES (1, 0, 0, 0, zeroblob(32), zeroblob(16), 0);

-- The resume token of each peer: where to go on in the peer's own order of arrival, as it said with its last writes.
CREATE TABLE peers (
    device BLOB PRIMARY KEY CHECK (length(device) = 16),
    token  BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- What this device keeps for itself and sends to nobody.
CREATE TABLE notes (
    space INTEGER NOT NULL,
    name  BLOB NOT NULL,
    value BLOB NOT NULL,
    PRIMARY KEY (space, name)
) STRICT, WITHOUT ROWID;

-- The client states from which indexing jobs may go on here. The newest ones are records; a newest one may cover what
-- has not arrived yet, and until that has arrived, the one before it is shown. Empty in the lane of activities.
CREATE TABLE shown_states (
    -- The hash in the record's identity.
    hash      BLOB PRIMARY KEY CHECK (length(hash) = 16),
    -- The name in the record's key.
    name      BLOB NOT NULL,
    -- The parts of the scope of its index, as the protocol encodes them.
    scope     BLOB NOT NULL,
    -- The dot of the write that brought it.
    life      INTEGER NOT NULL REFERENCES lives,
    sequence  INTEGER NOT NULL,
    place     INTEGER NOT NULL,
    -- Its stamp.
    time      INTEGER NOT NULL,
    time_life INTEGER NOT NULL REFERENCES lives,
    -- Its fields, as the protocol encodes them; one field says what it covers.
    fields    BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- To find the client states that a clear ends.
CREATE INDEX shown_states_by_scope ON shown_states (scope);

-- The words of the items that exist, in columns from the one that counts most to the one that counts least; a row has
-- the number of its record. The table holds only the words of texts, so removing a row takes the same texts again. The
-- tokenizer is this program's own. Words that were typed in part are completed from the table of words.
CREATE VIRTUAL TABLE search USING fts5(
    title, names, keywords, description, body,
    content = '', tokenize = 'baton'
);

-- The words in the full-text table. They complete a word that was typed in part, and tell how rare a word is.
CREATE TABLE words (
    -- As the tokenizer folds it.
    word  BLOB PRIMARY KEY,
    -- How many items have it.
    items INTEGER NOT NULL,
    -- The number of bits of that number, so that the index changes rarely.
    level INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- To find the most frequent words that begin with some letters; rare words are found without it.
CREATE INDEX words_by_level ON words (level, word) WHERE level > 2;

-- One row: by which rules the full-text table was filled, and how far.
CREATE TABLE search_progress (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    -- Stands for the rules by which words are made; a program with other rules fills the table again.
    rules   INTEGER NOT NULL,
    -- The words of records up to this number are in it; NULL if those of all are.
    through INTEGER,
    -- Whether FTS5's segments may still have words that no item has any more: 0 no, 1 words of texts that were replaced,
    -- 2 also words of items that were removed.
    removed INTEGER NOT NULL CHECK (removed BETWEEN 0 AND 2),
    -- 1 while the segments are being rewritten without the words that were removed before.
    is_rewriting INTEGER NOT NULL CHECK (is_rewriting IN (0, 1))
) STRICT;
INSERT INTO search_progress (only, rules, through, removed, is_rewriting) VALUES (1, 0, 0, 0, 0);

-- Batches that apps stage piece by piece because they are too large for one transaction. A batch that has not ended is
-- invisible; one that has ended is merged in small steps, and then removed.
CREATE TABLE batches (
    -- Not used again while something of the batch is staged.
    number     INTEGER PRIMARY KEY CHECK (number BETWEEN 1 AND 0x7fffffff),
    -- What the node calls it.
    identifier INTEGER NOT NULL,
    -- How many drafts were staged, and how many of these were merged.
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

-- The drafts that apps staged.
CREATE TABLE staged (
    -- The number of the batch in the upper half, the place in the batch in the lower one.
    number INTEGER PRIMARY KEY,
    -- The identity of the record that is written.
    kind   INTEGER NOT NULL,
    hash   BLOB NOT NULL CHECK (length(hash) = 16),
    -- As the program encodes it.
    draft  BLOB NOT NULL
) STRICT;

-- To look up a record that has drafts which are not merged yet.
CREATE INDEX staged_by_record ON staged (hash);

-- To find clears (kinds 0 and 1), which have their effect when the batch ends.
CREATE INDEX staged_clears ON staged (number) WHERE kind <= 1;

-- Clears whose sweep has not finished; records are read as these leave them.
CREATE TABLE sweeps (
    -- The parts of the scope that was cleared, as the protocol encodes them.
    scope         BLOB PRIMARY KEY,
    -- The stamp of the clear.
    time          INTEGER NOT NULL,
    time_life     INTEGER NOT NULL REFERENCES lives,
    -- The record behind which the sweep goes on, in the order of scopes and numbers.
    after_scope   BLOB NOT NULL,
    after_record  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How much each app has in its indexes, counting the items that exist, and the clears.
CREATE TABLE usage (
    -- The first part of the items' scopes, as the protocol encodes it.
    app   BLOB PRIMARY KEY,
    items INTEGER NOT NULL,
    -- The bytes of their scopes and fields.
    bytes INTEGER NOT NULL,
    -- How many scopes of the app have a clear.
    clears INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row: how far the items are counted that were here before they were counted.
CREATE TABLE usage_progress (
    only    INTEGER PRIMARY KEY CHECK (only = 1),
    -- Records up to this number are counted; NULL if all are.
    through INTEGER
) STRICT;
INSERT INTO usage_progress (only, through) VALUES (1, 0);

-- Activities by the columns that find them, so that a list reads only what it shows. Empty in the lane of the index.
CREATE TABLE activities (
    record  INTEGER PRIMARY KEY REFERENCES records,
    -- Whether it has ended, and is kept so that a person can go back to it.
    ended   INTEGER NOT NULL CHECK (ended IN (0, 1)),
    -- The hash in the record's identity.
    hash    BLOB NOT NULL CHECK (length(hash) = 16),
    -- The device where it is going on, or was; NULL if the activity does not say.
    device  BLOB CHECK (length(device) = 16),
    -- When it was changed last, began, ended and expires, in milliseconds since 1970.
    changed INTEGER NOT NULL,
    started INTEGER NOT NULL,
    finish  INTEGER NOT NULL,
    expires INTEGER,
    -- The beginning of the SHA-256 of its type.
    type    BLOB NOT NULL CHECK (length(type) = 16),
    -- The device to which the person sent it.
    sent    BLOB CHECK (length(sent) = 16),
    -- The hash of the current activity that it was before it ended.
    origin  BLOB CHECK (length(origin) = 16),
    -- How many bytes its fields have.
    bytes   INTEGER NOT NULL
) STRICT;

-- To list the activities of a device, and to count them.
CREATE INDEX activities_by_device ON activities (ended, device, changed DESC, hash, expires, bytes);

-- To list the activities that have ended.
CREATE INDEX activities_by_change ON activities (changed DESC, hash) WHERE ended = 1;

-- To find activities that have ended by their identifiers, and by those that they had before.
CREATE INDEX activities_by_hash ON activities (hash) WHERE ended = 1;
CREATE INDEX activities_by_origin ON activities (origin, finish DESC) WHERE origin IS NOT NULL;

-- One row: whether the table has all activities; a restored backup has none.
CREATE TABLE activities_progress (
    only     INTEGER PRIMARY KEY CHECK (only = 1),
    is_whole INTEGER NOT NULL
) STRICT;
INSERT INTO activities_progress (only, is_whole) VALUES (1, 0);

-- Searches of the person that led to something. They stay on this device.
CREATE TABLE searches (
    -- The folded words, with a space between two.
    words BLOB NOT NULL,
    -- The app in which the search was made; empty for a search of all apps.
    app   TEXT NOT NULL,
    -- The text as it was typed last.
    text  TEXT NOT NULL,
    -- How often the search was made.
    count INTEGER NOT NULL,
    -- When it was made last, in milliseconds since 1970.
    last  INTEGER NOT NULL,
    PRIMARY KEY (words, app)
) STRICT, WITHOUT ROWID;

-- Numbers, dates and beginnings of texts of the items that exist, by which queries find them. Like the full-text table,
-- it has those of records up to `search_progress.through`.
CREATE TABLE facts (
    -- The attribute, and the type of the value.
    subject INTEGER NOT NULL,
    -- A number, a date in whole seconds since 1970, or the beginning of a folded text.
    value   ANY NOT NULL,
    record  INTEGER NOT NULL,
    -- When the item was indexed, in 1024 milliseconds since 1970; the least such number if it does not say.
    indexed INTEGER NOT NULL,
    PRIMARY KEY (subject, value, record)
) STRICT, WITHOUT ROWID;

-- Vectors that stand for the meaning of texts of items or activities, if a program of the person makes them; an empty one
-- says that the text has none. They stay on this device.
CREATE TABLE vectors (
    -- The record; a negative number made of a hash stands for an activity that this device keeps for itself.
    record INTEGER PRIMARY KEY,
    -- A signed byte for each number.
    vector BLOB NOT NULL
) STRICT;

-- One row, if there are vectors: the model that made them.
CREATE TABLE vector_model (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    name TEXT NOT NULL
) STRICT;

-- Changes of how many items have a word, which the table of words does not have yet: those of the large steps in which a
-- batch is merged, until it is.
CREATE TABLE word_changes (
    number  INTEGER PRIMARY KEY,
    -- Words with their changes, as the program encodes them.
    changes BLOB NOT NULL
) STRICT;
