"""Merging: what one lane has come to, whatever the order in which its writes arrived."""

import os
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .encoding import encode
from .reader import Reader
from .refusal import Refusal
from .words import LEAST_STAMP, Dot, Stamp, covers, lies_within, read_scope
from .writes import CLEARS, COUNT, DELETION, FULL, PARTIAL, Write, is_permanent

MOST_UPDATES = 1_024


class Opening(NamedTuple):
    """Openings are ordered as the page says: full before deletion, then by dot, then by content."""

    is_deletion: bool
    dot: Dot
    content: bytes
    scope: tuple | None
    fields: tuple


class Update(NamedTuple):
    stamp: Stamp
    dot: Dot
    value: bytes


class Counter(NamedTuple):
    begun: Stamp
    stamp: Stamp
    dot: Dot
    value: bytes


@dataclass
class Record:
    kind: int
    key: bytes
    name: bytes | None = None
    incarnation: Stamp = LEAST_STAMP
    opening: Opening | None = None
    updates: dict = field(default_factory=dict)
    """By field name."""
    counters: dict = field(default_factory=dict)
    """By field name and scope."""

    @property
    def is_full(self):
        return self.opening is not None and not self.opening.is_deletion

    @property
    def is_there(self):
        return self.is_full or bool(self.counters)

    def begin(self, stamp):
        """Begins the incarnation of a stamp, and says whether it is now the record's."""
        if stamp > self.incarnation:
            self.incarnation, self.opening, self.updates = stamp, None, {}
            self.counters = {at: counter for at, counter in self.counters.items() if counter.begun > stamp}
        return stamp == self.incarnation

    def open(self, opening):
        if self.opening is None or self.opening < opening:
            self.opening = opening
            if opening.is_deletion:
                self.updates = {}
            return True
        return False

    def end(self):
        """What a clear makes of a full record."""
        self.open(self.opening._replace(is_deletion=True, content=b"", scope=None, fields=()))

    def seen(self):
        """The fields that are seen: by name the value, and the stamp of an update or a counter."""
        fields = {}
        if self.is_full:
            fields.update({name: (value, None) for name, value in self.opening.fields})
            fields.update({name: (update.value, update.stamp) for name, update in self.updates.items()})
        seen = sorted((name, counter, encode(scope)) for (name, scope), counter in self.counters.items())
        fields.update({name: (counter.value, counter.stamp) for name, counter, _ in seen})
        return dict(sorted(fields.items()))

    def fields(self):
        return tuple((name, value) for name, (value, _) in self.seen().items())

    def survivors(self):
        """The writes that make this record when they are merged into nothing."""
        if self.opening is not None:
            opening = self.opening
            yield self.write(
                opening.dot,
                self.incarnation,
                DELETION if opening.is_deletion else FULL,
                scope=opening.scope,
                fields=opening.fields,
            )
        groups = {}
        for name, update in self.updates.items():
            groups.setdefault((PARTIAL, update.stamp, update.dot, self.incarnation, None), {})[name] = update.value
        for (name, scope), counter in self.counters.items():
            groups.setdefault((COUNT, counter.stamp, counter.dot, counter.begun, scope), {})[name] = counter.value
        for (action, stamp, dot, base, scope), fields in groups.items():
            yield self.write(dot, stamp, action, base=base, scope=scope, fields=tuple(sorted(fields.items())))

    def write(self, dot, stamp, action, **parts):
        name = None if action == DELETION else self.name
        return Write(dot, self.kind, self.key, name, stamp, action, **parts)


class Lane:
    def __init__(self):
        self.records = {}
        self.clears = {}
        """By scope, the largest stamp."""
        self.arrivals = {}
        """By what a surviving write is known by, its place in the order of arrival."""
        self.arrived = 0
        self.order = os.urandom(16)
        """Names the order of arrival, so that a token of another one is known to be that."""

    def token(self, place):
        return self.order + place.to_bytes(8, "big")

    def place(self, token):
        """The place that a token names; the first, if it is none of this order."""
        if token is None or token[:-8] != self.order:
            return 0
        return int.from_bytes(token[-8:], "big")

    def is_cleared(self, scope, stamp):
        return any(outer and lies_within(scope, outer) and ended > stamp for outer, ended in self.clears.items())

    def merge(self, write, complete):
        if covers(complete, write.dot):
            return
        if not is_permanent(write.kind):
            if write.action == FULL and self.is_cleared(write.scope, write.stamp):
                write = replace(write, action=DELETION, name=None, scope=None, fields=())
            if write.action == COUNT and self.is_cleared(write.scope, write.base):
                return
        if write.action in (PARTIAL, COUNT) and not write.fields:
            return
        if is_permanent(write.kind) and write.action != FULL:
            return
        record = self.records.setdefault(write.identity, Record(write.kind, write.key))
        if not apply(write, record):
            return
        record.name = write.name or record.name
        self.arrived += 1
        self.arrivals[known_by(write)] = self.arrived
        if write.action == FULL and write.kind in CLEARS:
            self.clear(write)

    def clear(self, write):
        scope = scope_of(write.name)
        if scope is None:
            return
        self.clears[scope] = max(write.stamp, self.clears.get(scope, LEAST_STAMP))
        for record in self.records.values():
            if is_permanent(record.kind):
                continue
            if record.is_full and self.is_cleared(record.opening.scope, record.incarnation):
                record.end()
            record.counters = {
                (name, scope): counter
                for (name, scope), counter in record.counters.items()
                if not self.is_cleared(scope, counter.begun)
            }

    def survivors(self):
        """Surviving writes with their places, in the order of arrival."""
        writes = [write for record in self.records.values() for write in record.survivors()]
        return sorted(((self.arrivals[known_by(write)], write) for write in writes), key=lambda pair: pair[0])


def apply(write, record):
    """Step 5 of the page: whether the write changed something."""
    if write.action in (FULL, DELETION):
        is_deletion = write.action == DELETION
        content = b"" if is_deletion else write.content
        opening = Opening(is_deletion, write.dot, content, write.scope, write.fields)
        return record.begin(write.stamp) and record.open(opening)
    if write.action == PARTIAL:
        if not record.begin(write.base) or (record.opening is not None and record.opening.is_deletion):
            return False
        new = {name: Update(write.stamp, write.dot, value) for name, value in write.fields}
        changed = supersede(record.updates, new)
        rank = lambda name: (record.updates[name].stamp, record.updates[name].dot, name)
        for name in sorted(record.updates, key=rank)[:-MOST_UPDATES]:
            del record.updates[name]
        return changed
    if write.base <= record.incarnation:
        return False
    new = {(name, write.scope): Counter(write.base, write.stamp, write.dot, value) for name, value in write.fields}
    return supersede(record.counters, new)


def supersede(kept, new):
    later = {at: item for at, item in new.items() if at not in kept or kept[at] < item}
    kept.update(later)
    return bool(later)


def known_by(write):
    opens = write.action in (FULL, DELETION)
    return write.identity, write.dot, write.stamp, opens, write.base, None if opens else write.scope


def scope_of(name):
    """The scope that the name of a clear is, if it is one."""
    reader = Reader(name)
    try:
        scope = read_scope(reader)
        reader.finish()
    except Refusal:
        return None
    return scope
