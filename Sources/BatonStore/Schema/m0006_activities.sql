-- Activities by what finds them, so that no list reads more of them than it shows. Empty in the lane of the index.
CREATE TABLE activities (
    record  INTEGER PRIMARY KEY REFERENCES records,
    -- Whether it has ended, and is kept for those who go back to it.
    ended   INTEGER NOT NULL CHECK (ended IN (0, 1)),
    -- Of the record's identity.
    hash    BLOB NOT NULL CHECK (length(hash) = 16),
    -- The device where it is going on, or was; NULL if it does not say.
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

-- To list those of a device, and to count them.
CREATE INDEX activities_by_device ON activities (ended, device, changed DESC, hash, expires, bytes);

-- To list those that have ended.
CREATE INDEX activities_by_change ON activities (changed DESC, hash) WHERE ended = 1;

-- To find those that have ended by their identifiers, and by those that they had before.
CREATE INDEX activities_by_hash ON activities (hash) WHERE ended = 1;
CREATE INDEX activities_by_origin ON activities (origin, finish DESC) WHERE origin IS NOT NULL;

-- One row: whether the table holds what stood here before it was there.
CREATE TABLE activities_progress (
    only     INTEGER PRIMARY KEY CHECK (only = 1),
    is_whole INTEGER NOT NULL
) STRICT;
INSERT INTO activities_progress (only, is_whole) VALUES (1, 0);

-- To find out whether a write is here, by its dot.
CREATE INDEX writes_by_dot ON writes (life, sequence);
