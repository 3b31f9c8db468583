"""A batch: writes of one lane, with tables of what they have in common."""

from dataclasses import dataclass

from .encoding import Encoded, encode
from .numbered import Message
from .words import encode_vector
from .writes import COUNT, DELETION, FULL, PARTIAL, encode_fields

MOST_LIVES, MOST_SCOPES, MOST_WRITES = 15_360, 5_120, 5_120
MOST_SHARED = 128
PARTS = {FULL: 11, DELETION: 8, PARTIAL: 12, COUNT: 13}


@dataclass
class Batch(Message):
    number: int
    lane: int
    complete: dict | None
    writes: list
    token: bytes
    """Where its sender goes on behind it; a token of resuming, which only the sender understands."""

    @property
    def is_whole(self):
        return self.complete is not None

    def encoded(self):
        base = min((time for write in self.writes for time in write.times), default=0)
        tables = Tables(base)
        writes = [Encoded(tables.encode(write)) for write in self.writes]
        body = {1: self.number, 2: self.lane, 4: base, 5: list(tables.lives), 6: list(tables.scopes), 7: writes,
                8: self.token}
        if self.is_whole:
            body[3] = Encoded(encode_vector(self.complete))
        return encode(body)


class Tables:
    """The tables of a batch that is written."""

    def __init__(self, base):
        self.base = base
        self.lives, self.scopes = {}, {}
        self.last_name = b""

    def life(self, life):
        return self.lives.setdefault(life, len(self.lives))

    def scope(self, scope):
        return self.scopes.setdefault(scope, len(self.scopes))

    def stamp(self, stamp):
        return [stamp.time - self.base, self.life(stamp.life)]

    def record(self, write):
        if write.action == DELETION:
            return [write.key]
        shared = shared_length(self.last_name, write.name)
        self.last_name = write.name
        return [shared, write.name[shared:]]

    def encode(self, write):
        parts = [self.life(write.dot.life), write.dot.sequence, write.dot.place, write.kind, *self.record(write)]
        parts += [*self.stamp(write.stamp), write.action]
        if write.base is not None:
            parts += self.stamp(write.base)
        if write.scope is not None:
            parts.append(self.scope(write.scope))
        if write.action != DELETION:
            parts.append(Encoded(encode_fields(write.fields)))
        return encode(parts)


def shared_length(before, name):
    length, most = 0, min(len(before), len(name), MOST_SHARED)
    while length < most and before[length] == name[length]:
        length += 1
    return length
