"""The merge rule and the state digest, written from `Protocol.md` alone."""

import hashlib

LEAST = (0, bytes(16))
AWAITED, FULL, DELETION = 0, 1, 2
CLEARS = (0, 1)
UPDATES_MOST = 1024


def is_permanent(kind):
    return kind < 8


def writes_of(batch, encode, decode):
    """The writes of a decoded batch, with what its tables say put in its place."""
    lane, base, lives, writes = batch[2], batch[4], batch[5], batch[7]
    scopes = [tuple(scope) for scope in batch[6]]
    last = b""
    for write in writes:
        life, sequence, place, kind, *parts = write
        if isinstance(parts[0], bytes):
            name, (time, stamp_life, action, *rest) = parts[0], parts[1:]
        else:
            name = last = last[: parts[0]] + parts[1]
            time, stamp_life, action, *rest = parts[2:]
        found = {
            "dot": (lives[life], lane, sequence, place),
            "kind": kind,
            "stamp": (base + time, lives[stamp_life]),
            "action": action,
        }
        if action == 1:
            found["hash"] = name
        else:
            found["name"] = name
            found["hash"] = hashlib.sha256(encode(kind) + found["name"]).digest()[:16]
        if action >= 2:
            found["base"] = (base + rest[0], lives[rest[1]])
        if action in (0, 3):
            found["scope"] = scopes[rest[-2]]
        if action != 1:
            found["fields"] = {encode(key): encode(value) for key, value in rest[-1].items()}
        if kind in CLEARS and action == 0:
            found["clears"] = tuple(decode(name))
        yield found


def content(scope, fields, encode, head):
    pairs = b"".join(key + fields[key] for key in sorted(fields))
    return encode(list(scope)) + head(5, len(fields)) + pairs


class Record:
    def __init__(self, kind):
        self.kind, self.name = kind, None
        self.incarnation, self.opening = LEAST, (AWAITED,)
        self.updates, self.counters = {}, {}

    def begin(self, stamp):
        if stamp > self.incarnation:
            self.incarnation, self.opening, self.updates = stamp, (AWAITED,), {}
            self.counters = {name: c for name, c in self.counters.items() if c[0] > stamp}
        return stamp == self.incarnation

    def merge(self, write, order):
        """Whether the write became the opening."""
        action = write["action"]
        if action in (0, 1):
            opening = (DELETION, write["dot"])
            if action == 0:
                opening = (FULL, write["dot"], order(write), write["scope"], write["fields"])
            if not self.begin(write["stamp"]):
                return False
            if {self.opening[0], opening[0]} == {FULL, DELETION}:
                opening = (DELETION, max(self.opening[1], opening[1]))
            if self.opening[:3] >= opening[:3]:
                return False
            self.opening, self.name = opening, write.get("name", self.name)
            if opening[0] == DELETION:
                self.updates = {}
            return True
        if action == 2 and (not self.begin(write["base"]) or self.opening[0] == DELETION):
            return False
        if action == 3 and write["base"] <= self.incarnation:
            return False
        self.name = write["name"]
        for name, value in write["fields"].items():
            if action == 2:
                candidate = (write["stamp"], write["dot"], value)
                self.updates[name] = max(self.updates.get(name, candidate), candidate)
                if len(self.updates) > UPDATES_MOST:
                    del self.updates[min(self.updates, key=lambda name: (self.updates[name][:2], name))]
            else:
                candidate = (write["base"], write["stamp"], write["dot"], value)
                place = (name, write["scope"])
                self.counters[place] = max(self.counters.get(place, candidate), candidate)
        return False

    def clear(self, ends):
        if self.opening[0] == FULL and ends(self.opening[3], self.incarnation):
            self.opening, self.updates = (DELETION, self.opening[1]), {}
        self.counters = {n: c for n, c in self.counters.items() if not ends(n[1], c[0])}

    def seen(self, encode):
        """By encoded name: value and stamp; nothing if the record is not there."""
        if self.opening[0] != FULL and not self.counters:
            return None
        fields = {}
        if self.opening[0] == FULL:
            fields = {name: (value, self.incarnation) for name, value in self.opening[4].items()}
            for name, (stamp, _, value) in self.updates.items():
                if stamp >= self.incarnation:
                    fields[name] = (value, stamp)
        last = {}
        for (name, scope), counter in self.counters.items():
            candidate = (counter, b"".join(encode(text) for text in scope))
            last[name] = max(last.get(name, candidate), candidate)
        for name, ((_, stamp, _, value), _) in last.items():
            fields[name] = (value, stamp)
        return dict(sorted(fields.items()))

    def changed(self):
        """The names of fields that are seen otherwise than the full write has them, in order."""
        names = {name for name, _ in self.counters}
        if self.opening[0] == FULL:
            names |= {name for name, update in self.updates.items() if update[0] >= self.incarnation}
        return sorted(names)


class Lane:
    """One lane of a store that claims nothing."""

    def __init__(self, encode, head):
        self.encode, self.head = encode, head
        self.records, self.clears = {}, {}

    def ends(self, scope, stamp):
        return any(
            within(scope, cleared) and time > stamp for cleared, time in self.clears.items()
        )

    def merge(self, write):
        kind, action = write["kind"], write["action"]
        if not is_permanent(kind) and action == 0 and self.ends(write["scope"], write["stamp"]):
            write = {**write, "action": 1}
            del write["name"]
            action = 1
        if not is_permanent(kind) and action == 3 and self.ends(write["scope"], write["base"]):
            return
        if (action >= 2 and not write["fields"]) or (is_permanent(kind) and action != 0):
            return
        record = self.records.setdefault((kind, write["hash"]), Record(kind))
        opened = record.merge(write, lambda w: content(w["scope"], w["fields"], self.encode, self.head))
        if not (opened and "clears" in write):
            return
        scope = write["clears"]
        self.clears[scope] = max(self.clears.get(scope, LEAST), write["stamp"])
        for other in self.records.values():
            if not is_permanent(other.kind):
                other.clear(self.ends)

    def digest(self):
        total = 0
        for record in self.records.values():
            fields = record.seen(self.encode)
            if fields is None or record.kind in CLEARS:
                continue
            begun = record.incarnation if record.opening[0] == FULL else LEAST
            data = self.encode(record.kind) + record.name + self.stamp(begun)
            data += self.head(5, len(fields))
            data += b"".join(name + value for name, (value, _) in fields.items())
            for name in record.changed():
                data += name + self.stamp(fields[name][1])
            total += int.from_bytes(hashlib.sha256(data).digest(), "big")
        return (total % 2**256).to_bytes(32, "big").hex()

    def stamp(self, stamp):
        return self.encode(stamp[0]) + self.encode(stamp[1])


def within(scope, other):
    return len(other) > 0 and scope[: len(other)] == other
