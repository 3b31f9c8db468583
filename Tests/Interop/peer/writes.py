"""A write: what one device says once of one record."""

from dataclasses import dataclass

from .encoding import decode, encode
from .forms import MAP, head
from .words import Dot, Stamp, key_hash

FULL, DELETION, PARTIAL, COUNT = range(4)
MOST_CONTENT = 524_288
MOST_NAME = 4_096
MOST_FIELDS = 1_024
SIZE_BESIDE_CONTENT = 112

CLEARS = (0, 1)
STATEMENT, CURRENT_ACTIVITY, ITEM, SAVED_ACTIVITY, CLIENT_STATE, DEVICE, ENGAGEMENT = 2, 8, 9, 10, 11, 12, 13


@dataclass(frozen=True)
class Write:
    """Fields are pairs of encodings, in the order of their names."""

    dot: Dot
    kind: int
    key: bytes
    name: bytes | None
    stamp: Stamp
    action: int
    base: Stamp | None = None
    """The incarnation that a partial write changes; the stamp at which counters were begun."""
    scope: tuple | None = None
    fields: tuple = ()

    @property
    def identity(self):
        return self.kind, self.key

    @property
    def content(self):
        scope = b"" if self.scope is None else encode(self.scope)
        return scope + (b"" if self.action == DELETION else encode_fields(self.fields))

    @property
    def size(self):
        return SIZE_BESIDE_CONTENT + len(self.name or self.key) + len(self.content)

    @property
    def times(self):
        return [stamp.time for stamp in (self.stamp, self.base) if stamp]


def lane_of(kind):
    return kind & 1


def is_permanent(kind):
    return kind < 8


def encode_fields(fields):
    return head(MAP, len(fields)) + b"".join(name + value for name, value in fields)


def fields_from(values):
    """Fields from a map of Python's."""
    return tuple(sorted((encode(name), encode(value)) for name, value in values.items()))


def values_of(fields):
    """A map of Python's from fields."""
    return decode(encode_fields(sorted(dict(fields).items())))


@dataclass(frozen=True)
class Draft:
    """A write of one's own that has no dot and no stamp yet."""

    kind: int
    name: object
    action: int
    base: Stamp | None = None
    scope: tuple | None = None
    values: dict | None = None

    def write(self, dot, stamp):
        name = encode(self.name)
        base = stamp if self.action == COUNT and self.base is None else self.base
        return Write(
            dot=dot,
            kind=self.kind,
            key=key_hash(self.kind, name),
            name=None if self.action == DELETION else name,
            stamp=stamp,
            action=self.action,
            base=base,
            scope=self.scope,
            fields=fields_from(self.values or {}),
        )


def full(kind, name, values, scope=()):
    return Draft(kind, name, FULL, scope=scope, values=values)


def deletion(kind, name):
    return Draft(kind, name, DELETION)


def partial(kind, name, base, values):
    return Draft(kind, name, PARTIAL, base=base, values=values)


def count(kind, name, values, scope=(), begun=None):
    return Draft(kind, name, COUNT, base=begun, scope=scope, values=values)
