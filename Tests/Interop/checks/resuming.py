"""Going on after a cut: by a token, each side gets what it lacks, and not all of it again."""

import copy
import os

from peer.batch import Batch
from peer.encoding import Encoded
from peer.messages import Acknowledgement
from peer.outbox import MANY_PLACES
from peer.store import Store
from peer.words import LANES, MOST_TOKEN, beyond, covers
from peer.writes import FULL, full, partial

from .exchange import send
from .report import check, expect
from .world import soon

KINDS = (1000, 1001)
"""One of each lane."""
LARGE = 60_000
MANY = 28
PART = 3
"""As many batches of a lane are taken before the connection is cut."""


def write_many(store, lane):
    return store.write(*(full(KINDS[lane], ["resumed", number], {1: bytes(LARGE)}) for number in range(MANY)))


def batches(session, lane):
    return [message for message in session.received if isinstance(message, Batch) and message.lane == lane]


def writes_in(batches):
    return [write for batch in batches for write in batch.writes]


def has_all(store, other, lanes=LANES):
    return not any(lane in lanes for _, lane in beyond(other.complete, store.complete))


def cut_within(world, store, lane):
    """Takes a part of a lane, and is cut off; the writes that came."""
    with world.session(world.smaller, store) as session:
        session.run_until(lambda: len(batches(session, lane)) == PART, soon())
        expect(not any(batch.is_whole for batch in batches(session, lane)), "the part is all of lane", lane)
        return [write for each in LANES for write in writes_in(batches(session, each))]


def take_all(world, store, lanes=LANES):
    """Takes what is left of some lanes; the writes that came."""
    with world.session(world.smaller, store) as session:
        session.run_until(lambda: has_all(store, world.store, lanes), soon())
        return [write for lane in lanes for write in writes_in(batches(session, lane))]


@check("after a cut the node tells the peer's own tokens back, and gets only what it lacks")
def told_back(world):
    for lane in LANES:
        write_many(world.store, lane)
        kept = world.store.lanes[lane]
        with world.session(world.larger, world.store) as session:
            while not isinstance(session.next_message(soon()), Acknowledgement):
                pass
            told = [batch.token for batch in session.sent if batch.lane == lane]
            expect(not any(batch.is_whole for batch in session.sent if batch.lane == lane), "the part is everything")
        with world.session(world.larger, world.store) as session:
            token = session.peer.tokens.get(lane)
            expect(token in told, "the node told back", token)
            session.run_until(lambda: session.is_acknowledged, soon())
            sent = writes_in(batch for batch in session.sent if batch.lane == lane)
            left = {write for place, write in kept.survivors() if place > kept.place(token)}
            expect(0 < len(left) < MANY and set(sent) == left, len(sent), "writes were sent")
    world.store.write(full(KINDS[0], ["later"], {1: 1}))
    with world.session(world.larger, world.store) as session:
        expected = {lane: kept.token(kept.arrived - (lane == 0)) for lane, kept in enumerate(world.store.lanes)}
        expect(session.peer.tokens == expected, "the node told back", session.peer.tokens)
        session.run_until(lambda: session.is_acknowledged, soon())


@check("after a cut a peer that tells the node's token gets what it lacks, and nothing twice")
def resumed(world):
    store, came = Store(), []
    for lane in LANES:
        came += cut_within(world, store, lane)
        changed = [write for write in came if (write.dot.lane, write.action) == (lane, FULL)][-1]
        with world.session(world.larger, world.store) as session:
            send(session, partial(changed.kind, Encoded(changed.name), changed.stamp, {2: "changed meanwhile"}))
    came += take_all(world, store)
    expect(len(came) == len(set(came)), len(came) - len(set(came)), "writes came twice")
    expect(world.store.writes() <= store.writes(), "missing:", len(world.store.writes() - store.writes()))


@check("without a token, or with one that is none, a peer gets all that its vector does not cover")
def rubbish(world):
    store = Store()
    cut_within(world, store, lane=0)
    tokens = store.tokens
    token = tokens[world.node_me.device, 0]
    others = [None, b"", os.urandom(MOST_TOKEN), bytes([token[0] ^ 1]) + token[1:], token[:-1]]
    # Places that the node never told.
    others += [token[:-8] + place.to_bytes(8, "big") for place in (65_535, 2**63 - 1, 2**64 - 1)]
    expected = {write for _, write in world.store.lanes[0].survivors() if not covers(store.complete, write.dot)}
    for other in others:
        again = copy.deepcopy(store)
        again.tokens = {} if other is None else {(world.node_me.device, lane): other for lane in LANES}
        came = take_all(world, again, lanes=(0,))
        expect(expected <= set(came), "with the token", other, len(expected - set(came)), "writes did not come")
    resumed = take_all(world, store, lanes=(0,))
    expect(len(resumed) < len(expected), "with the token as many came:", len(resumed))


@check("a peer that has it all is told a token too, once many places were passed over")
def passed_over(world):
    with world.session(world.larger, world.store) as session:
        send(session, *(full(KINDS[1], ["small", number], {}) for number in range(MANY_PLACES)))
        session.run_until(lambda: tokens_alone(session), soon())
    world.store.tokens.clear()
    world.store.write(full(KINDS[0], ["behind"], {1: 1}))
    with world.session(world.larger, world.store) as session:
        session.run_until(lambda: tokens_alone(session), soon())
    token = world.store.tokens[world.node_me.device, 1]
    world.store.write(full(KINDS[0], ["behind"], {1: 2}))
    with world.session(world.larger, world.store) as session:
        expect(session.standing is not None, "the digests are the same")
        answer_comes(session)
        expect(not tokens_alone(session), "it was told again behind its token", token)


def tokens_alone(session):
    return [batch.token for batch in batches(session, 1) if not batch.writes and not batch.complete]


def answer_comes(session):
    """Waits until the node has answered, and so has sent what it had to say before."""
    session.ask(1, KINDS[0], bytes(16))
    session.run_until(lambda: 1 in session.answers and session.is_acknowledged, soon())
