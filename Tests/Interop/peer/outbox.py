"""What a session still has to send: surviving writes, cut into batches, within the window."""

from .batch import MOST_WRITES, Batch
from .words import INDEX, LANES, beyond, covers, join, of_lane

ENOUGH = 262_144
WINDOW = 1_048_576
INDEX_WINDOW = WINDOW // 2
MANY_PLACES = 1_000


class Outbox:
    def __init__(self, store, peer_has, tokens):
        self.store = store
        self.peer_has = peer_has
        self.number = 0
        self.cursors = [store.lanes[lane].place(tokens.get(lane)) for lane in LANES]
        self.told = list(self.cursors)
        """Places that the peer was told as tokens."""
        self.unacknowledged = {}
        """Sizes of bodies by the number of the batch."""

    def is_open(self, lane):
        """The index leaves room, so that an activity need not wait for it."""
        return sum(self.unacknowledged.values()) < (INDEX_WINDOW if lane == INDEX else WINDOW)

    def next_batch(self):
        """The next batch, if there is something to say and room to say it."""
        for lane in filter(self.is_open, LANES):
            batch = self.read(lane)
            if batch is not None:
                return batch
        return None

    def whole(self, lane, writes):
        """A whole batch of these, as if they were all that there is of the lane."""
        complete = of_lane(beyond(self.store.complete, self.peer_has), lane)
        self.cursors[lane] = self.told[lane] = self.store.lanes[lane].arrived
        self.number += 1
        join(self.peer_has, complete)
        return Batch(self.number, lane, complete, writes, b"")

    def read(self, lane):
        kept = self.store.lanes[lane]
        writes, size, is_whole = [], 0, True
        for place, write in kept.survivors():
            if place <= self.cursors[lane] or covers(self.peer_has, write.dot):
                continue
            if size >= ENOUGH or len(writes) == MOST_WRITES:
                is_whole = False
                break
            writes.append((place, write))
            size += write.size
        complete = of_lane(beyond(self.store.complete, self.peer_has), lane)
        self.cursors[lane] = kept.arrived if is_whole else writes[-1][0]
        if not writes and not complete and self.cursors[lane] - self.told[lane] < MANY_PLACES:
            return None
        self.told[lane] = self.cursors[lane]
        self.number += 1
        if is_whole:
            join(self.peer_has, complete)
        writes, token = [write for _, write in writes], kept.token(self.told[lane])
        return Batch(self.number, lane, complete if is_whole else None, writes, token)
