"""What a session still has to send: surviving writes, cut into batches, within the window."""

from .batch import MOST_WRITES, Batch
from .words import LANES, beyond, covers, join, of_lane

ENOUGH = 262_144
WINDOW = 1_048_576


class Outbox:
    def __init__(self, store, peer_has):
        self.store = store
        self.peer_has = peer_has
        self.number = 0
        self.cursors = [0 for _ in LANES]
        self.unacknowledged = {}
        """Sizes of bodies by the number of the batch."""

    @property
    def is_open(self):
        return sum(self.unacknowledged.values()) < WINDOW

    def next_batch(self):
        """The next batch, if there is something to say and room to say it."""
        for lane in LANES if self.is_open else ():
            batch = self.read(lane)
            if batch is not None:
                return batch
        return None

    def read(self, lane):
        writes, size, is_whole = [], 0, True
        for place, write in self.store.lanes[lane].survivors():
            if place <= self.cursors[lane] or covers(self.peer_has, write.dot):
                continue
            if size >= ENOUGH or len(writes) == MOST_WRITES:
                is_whole = False
                break
            writes.append((place, write))
            size += write.size
        complete = of_lane(beyond(self.store.complete, self.peer_has), lane)
        if not writes and not complete:
            return None
        if writes:
            self.cursors[lane] = writes[-1][0]
        self.number += 1
        if is_whole:
            join(self.peer_has, complete)
        return Batch(self.number, lane, complete if is_whole else None, [write for _, write in writes])
