"""What a node keeps for others: every kind of record, in whatever form."""

from peer.encoding import Encoded, Tag, encode
from peer.batch import Batch
from peer.messages import Standing
from peer.store import Store, wall_clock
from peer.words import encode_vector, key_hash, of_lane
from peer.writes import (CLIENT_STATE, CURRENT_ACTIVITY, DELETION, ENGAGEMENT, ITEM, SAVED_ACTIVITY, STATEMENT, count,
                         full, partial)

from .exchange import TYPE, activity_of_node, is_seen, send
from .report import check, expect
from .world import soon

APP, INDEX = "org.example.python", "notes"
SCOPE = (APP, "items", INDEX)
CLEAR_OF_INDEX = 1
UNKNOWN_KINDS = (1000, 1001)
DAY = 86_400_000


def item_name(identifier):
    return [APP, INDEX, identifier]


@check("items, counters, client states, clears and kinds of no version yet are kept")
def written(world):
    device = world.larger.device
    every_value = {
        1: wall_clock(),
        32: "Title",
        34: ["Überschrift", {"de": "Titel"}],
        40: bytes(range(256)),
        44: Tag(1, 1.5),
        86: -(2**63),
        133: 1e300,
        134: float("nan"),
        229: Tag(32, "https://example.org"),
        "org_example_set": Tag(258, [1, 2, "drei"]),
        "org_example_sealed": Tag(1650553857, [bytes(16), b"box"]),
        "": Tag(37, bytes(16)),
        2**64 - 1: [None, True, False, -0.0, 0.5, float("-inf")],
        (77, device): {"part": 1},
    }
    with world.session(world.larger, world.store) as session:
        [work, _] = send(
            session,
            full(ITEM, item_name("work"), every_value, SCOPE + ("work",)),
            full(ITEM, item_name("home"), {1: 1, 32: "Cleared later"}, SCOPE + ("home", "garden")),
        )
        send(session, partial(ITEM, item_name("work"), work.stamp, {32: "Another title", "new": 1}))
        engagement = [ITEM, key_hash(ITEM, encode(item_name("work")))]
        [opened] = send(session, count(ENGAGEMENT, engagement, {(1, device): [1, wall_clock()]}, SCOPE + ("work",)))
        again = {(1, device): [2, wall_clock()]}
        send(session, count(ENGAGEMENT, engagement, again, SCOPE + ("work",), begun=opened.stamp))
        garden = [ITEM, key_hash(ITEM, encode(item_name("home")))]
        send(session, count(ENGAGEMENT, garden, {(1, device): [1, 1]}, SCOPE + ("home", "garden")))
        covers = Encoded(encode_vector(of_lane(world.store.complete, 1)))
        send(session, full(CLIENT_STATE, [APP, INDEX], {1: b"state", 2: covers, 3: wall_clock()}, SCOPE))
        send(session, full(CLEAR_OF_INDEX, list(SCOPE + ("home",)), {}))
        send(session, full(CLEAR_OF_INDEX, {"no": "scope"}, {}))
        send(session, full(STATEMENT, [9, "a statement of a newer version"], {}))
        send(session, full(SAVED_ACTIVITY, [APP, "saved"], {1: TYPE, 9: Tag(258, [])}, (APP, "activities")))
        for kind in UNKNOWN_KINDS:
            send(session, full(kind, {"a": [1, {}]}, {0: "no date", 1: {"x": 1.5}}, ("any", "scope")))
        send(session, full(CURRENT_ACTIVITY, [device, APP, "1"], {0: 1, 1: TYPE, 2: "Expired"}))
        send(session, full(CURRENT_ACTIVITY, [device, APP, "2"], {0: wall_clock() + DAY, 1: TYPE, 999: "unknown"}))
    garden_item = world.store.record(ITEM, item_name("home"))
    expect(not garden_item.is_there and garden_item.opening.is_deletion, "the clear did not end the item here")
    expect(not world.store.record(ENGAGEMENT, garden).is_there, "the clear did not end the counter here")


@check("a peer that lost everything gets all of it back, byte for byte")
def everything_back(world):
    with world.session(world.larger, Store()) as session:
        session.run_until(lambda: session.store.complete == world.store.complete, soon())
        missing, extra = world.store.writes() - session.store.writes(), session.store.writes() - world.store.writes()
        expect(not missing and not extra, "missing:", missing, "extra:", extra)
        expect(session.store.digest() == world.store.digest(), "the state digests differ")
        deleted = [write for write in session.store.writes() if (write.kind, write.action) == (ITEM, DELETION)]
        expect(len(deleted) == 1, "the cleared item came back as", deleted)


@check("with equal digests no standings are sent, and what is new comes next")
def in_step(world):
    with world.session(world.larger, world.store) as session:
        expect(len(session.received) == 1, "beside hello came", session.received[1:])
        world.baton("start", TYPE, "--instance", "c", "--title", "New")
        session.run_until(lambda: is_seen(activity_of_node(world, world.store, "c"), _2="New"), soon())
        expect(not any(isinstance(message, Standing) for message in session.received), "a standing came")
        batches = [message for message in session.received if isinstance(message, Batch)]
        expect(sum(len(batch.writes) for batch in batches) == 1, "more than the new write came")


@check("another device gets what this one wrote")
def passed_on(world):
    with world.session(world.smaller, Store()) as session:
        session.run_until(lambda: world.store.writes() <= session.store.writes(), soon())


@check("a field of a message that this version has not is passed over")
def unknown_field(world):
    with world.session(world.larger, world.store, features=[1, 65_536]) as session:
        batch = world.store.write(full(CURRENT_ACTIVITY, [world.larger.device, APP, "3"], {1: TYPE, 2: "Passed"}))
        sent = session.outbox.next_batch()
        expect(sent.writes == batch, "the batch holds", sent.writes)
        body = sent.encoded()
        extended = bytes([body[0] + 1]) + body[1:] + encode(99) + encode([{"deep": [1]}])
        session.connection.send(len(extended).to_bytes(3, "big") + b"\x03" + extended)
        session.outbox.unacknowledged[sent.number] = len(extended)
        session.run_until(lambda: session.is_acknowledged, soon())
    expect(any(listed["title"] == "Passed" for listed in world.baton("list")["activities"]), "it is not listed")


# The peer itself keeps less on the way than it may.
NODES_INDEX_WINDOW = 2_097_152


@check("the node stops sending when a window is unacknowledged, and goes on later")
def window(world):
    large = [full(ITEM, item_name(f"large-{number}"), {1: 1, 40: bytes(400_000)}, SCOPE) for number in range(12)]
    with world.session(world.larger, world.store) as session:
        for draft in large:
            send(session, draft)
    with world.session(world.larger, Store()) as session:
        session.acknowledges = False
        session.run_until(lambda: unacknowledged(session) >= NODES_INDEX_WINDOW, soon())
        session.ask(1, CURRENT_ACTIVITY, bytes(16))
        session.run_until(lambda: 1 in session.answers, soon())
        expect(unacknowledged(session) < NODES_INDEX_WINDOW + 524_288, "the node sent", unacknowledged(session))
        expect(session.store.complete != world.store.complete, "the node sent everything")
        session.acknowledges = True
        session.acknowledge()
        session.run_until(lambda: session.store.complete == world.store.complete, soon())


def unacknowledged(session):
    return sum(len(message.encoded()) for message in session.received if isinstance(message, Batch))
