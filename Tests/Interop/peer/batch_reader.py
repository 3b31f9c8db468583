"""Reads a batch, and refuses one of another form than its only one."""

from .batch import MOST_LIVES, MOST_SCOPES, MOST_SHARED, MOST_WRITES, PARTS, Batch, shared_length
from .forms import ARRAY, TEXT, UNSIGNED
from .numbered import read_numbered, require
from .reader import Ascending, Reader, raw
from .refusal import malformed
from .words import LARGEST, LIFE_SIZE, MOST_TOKEN, Dot, Stamp, key_hash, read_scope, read_vector
from .writes import COUNT, DELETION, FULL, MOST_CONTENT, MOST_FIELDS, MOST_NAME, PARTIAL, Write, lane_of


def read_batch(body):
    reader = Reader(body)
    found, tables = {}, None

    def writes():
        require(found, 2, 4, 5, 6)
        nonlocal tables
        tables = ReadTables(found[2], found[4], found[5], found[6])
        return [tables.write(reader) for _ in range(reader.array(MOST_WRITES))]

    read_numbered(reader, found, {
        1: reader.unsigned,
        2: lambda: reader.unsigned(1),
        3: lambda: read_vector(reader),
        4: lambda: reader.unsigned(LARGEST),
        5: lambda: [reader.bytes(exactly=LIFE_SIZE) for _ in range(reader.array(MOST_LIVES))],
        6: lambda: [read_scope(reader) for _ in range(reader.array(MOST_SCOPES))],
        7: writes,
        8: lambda: reader.bytes(MOST_TOKEN),
    })
    require(found, 1, 2, 4, 5, 6, 7, 8)
    tables.finish()
    reader.finish()
    complete = found.get(3)
    if complete is not None and any(lane != found[2] for _, lane in complete):
        raise malformed("a complete of another lane")
    return Batch(found[1], found[2], complete, found[7], found[8])


class Table:
    """A table of a batch that is read: each entry once, all used, in the order of their first use."""

    def __init__(self, entries):
        self.entries = entries
        self.used = 0
        if len(set(entries)) != len(entries):
            raise malformed("an entry stands twice in its table")

    def __getitem__(self, place):
        if place >= len(self.entries) or place > self.used:
            raise malformed("a place beyond the table, or before its turn")
        self.used = max(self.used, place + 1)
        return self.entries[place]

    def finish(self):
        if self.used != len(self.entries):
            raise malformed("an entry that nothing uses")


class ReadTables:
    def __init__(self, lane, base, lives, scopes):
        self.lane, self.base = lane, base
        self.lives, self.scopes = Table(lives), Table(scopes)
        self.last_name = b""
        self.is_base_used = base == 0

    def finish(self):
        self.lives.finish()
        self.scopes.finish()
        if not self.is_base_used:
            raise malformed("no time is the base")

    def stamp(self, reader):
        later = reader.unsigned(LARGEST - self.base)
        self.is_base_used |= later == 0
        return Stamp(self.base + later, self.lives[reader.unsigned()])

    def write(self, reader):
        parts = reader.array()
        if parts not in PARTS.values():
            raise malformed(f"a write of {parts} parts")
        life = self.lives[reader.unsigned()]
        dot = Dot(life, self.lane, reader.unsigned(LARGEST, least=1), reader.unsigned(2**32 - 1))
        kind = reader.unsigned(LARGEST)
        if lane_of(kind) != self.lane:
            raise malformed("a kind of the other lane")
        if parts == PARTS[DELETION]:
            name, key = None, reader.bytes(exactly=16)
        else:
            name = self.name(reader)
            key = key_hash(kind, name)
        stamp = self.stamp(reader)
        action = reader.unsigned(COUNT)
        if PARTS[action] != parts:
            raise malformed("an action that has another number of parts")
        base = self.stamp(reader) if action in (PARTIAL, COUNT) else None
        scope = self.scopes[reader.unsigned()] if action in (FULL, COUNT) else None
        fields = () if action == DELETION else read_fields(reader)
        write = Write(dot, kind, key, name, stamp, action, base, scope, fields)
        if len(write.content) > MOST_CONTENT:
            raise malformed("a content that is too large")
        return write

    def name(self, reader):
        shared, rest = reader.unsigned(MOST_SHARED), reader.bytes(MOST_NAME)
        if shared > len(self.last_name):
            raise malformed("more is shared than there was")
        name = self.last_name[:shared] + rest
        if len(name) > MOST_NAME or shared != shared_length(self.last_name, name):
            raise malformed("a name that is too long, or shares less than it could")
        self.last_name = name
        return raw(name)


def read_fields(reader):
    fields, order = [], Ascending()
    for _ in range(reader.map(MOST_FIELDS)):
        name = read_field_name(reader)
        order.add(name)
        fields.append((name, reader.raw()))
    return tuple(fields)


def read_field_name(reader):
    name = reader.raw()
    inside = Reader(name)
    major = inside.next_major()
    if major == ARRAY:
        if inside.array() != 2:
            raise malformed("a part of a field that has not two parts")
        inside.unsigned()
        inside.bytes(exactly=16)
    elif major not in (UNSIGNED, TEXT):
        raise malformed("no field name")
    return name
