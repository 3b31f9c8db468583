-- The client states from which indexing jobs may go on here. The newest ones are records; one of them may cover what
-- has not arrived yet, and until it has, the one before it is shown. Empty in the lane of activities.
CREATE TABLE shown_states (
    -- Of the record's identity.
    hash      BLOB PRIMARY KEY CHECK (length(hash) = 16),
    -- Of the record's key.
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
    -- Its fields, as the protocol encodes them; one says what it covers.
    fields    BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- To find what a clear takes away.
CREATE INDEX shown_states_by_scope ON shown_states (scope);
