"""A store: two lanes, what is complete in them, and a clock; all of it in memory."""

import os
import time

from .digest import state_digest
from .encoding import encode
from .merge import Lane
from .words import LANES, LARGEST, LIFE_SIZE, Dot, Stamp, join, key_hash
from .writes import lane_of

TICKS_PER_MILLISECOND = 65_536


def wall_clock():
    return time.time_ns() // 1_000_000


class Store:
    def __init__(self):
        self.lanes = [Lane() for _ in LANES]
        self.complete = {}
        self.tokens = {}
        """By peer and lane, the resume token of the last batch that was kept."""
        self.life = os.urandom(LIFE_SIZE)
        self.clock = 0

    def tick(self):
        self.clock = min(LARGEST, max(self.clock + 1, wall_clock() * TICKS_PER_MILLISECOND))
        return Stamp(self.clock, self.life)

    def write(self, *drafts):
        """Keeps writes of one's own as one transaction of their lane."""
        lane = lane_of(drafts[0].kind)
        sequence = self.complete.get((self.life, lane), 0) + 1
        writes = [
            draft.write(Dot(self.life, lane, sequence, place), self.tick()) for place, draft in enumerate(drafts)
        ]
        self.receive(lane, writes, {(self.life, lane): sequence})
        return writes

    def tokens_of(self, peer):
        return {lane: self.tokens[peer, lane] for lane in LANES if (peer, lane) in self.tokens}

    def receive(self, lane, writes, complete):
        for write in writes:
            self.lanes[lane].merge(write, self.complete)
            self.clock = max(self.clock, *write.times)
        join(self.complete, complete or {})

    def record(self, kind, name):
        return self.lanes[lane_of(kind)].records.get((kind, key_hash(kind, encode(name))))

    def records(self, kind):
        return [record for record in self.lanes[lane_of(kind)].records.values() if record.kind == kind]

    def writes(self):
        """Everything that survives, in both lanes."""
        return {write for lane in self.lanes for _, write in lane.survivors()}

    def digest(self):
        return state_digest(self.lanes, wall_clock())
