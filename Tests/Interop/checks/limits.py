"""The limits of a write: what is as large as they allow is taken; with one more byte it is set aside, or refused (18)."""

from peer.encoding import encode
from peer.refusal import MALFORMED
from peer.session import Closed
from peer.store import Store
from peer.writes import CURRENT_ACTIVITY, ITEM, MOST_CONTENT, full

from .exchange import send
from .report import check, expect
from .world import soon

UNKNOWN_KIND = 1001
HEAD_OF_LONG = 3
HEAD_OF_HUGE = 5


def is_taken(world, draft):
    before = set_aside(world)
    with world.session(world.larger, Store()) as session:
        try:
            send(session, draft)
        except Closed as closed:
            expect(closed.code == MALFORMED, "the node closed with", closed.code)
            return False
        # One that is taken may overwrite what was set aside.
        return set_aside(world) <= before


def set_aside(world):
    """How many records the node says that it has quarantined."""
    troubles = world.baton("status")["troubles"]
    [trouble] = [trouble for trouble in troubles if "wrong signature" not in trouble] or ["0 records"]
    return int(trouble.split()[0])


@check("a record that can't be read is set aside and told of, and the others in its batch are taken")
def aside(world):
    before = set_aside(world)
    store = Store()
    with world.session(world.larger, store) as session:
        good = [full(CURRENT_ACTIVITY, [world.larger.device, "aside", name], {1: "t", 2: name}) for name in "ab"]
        [first], [bad], [last] = (store.write(draft) for draft in (good[0], full(CURRENT_ACTIVITY, nested(33), {}), good[1]))
        session.send_batch(session.outbox.whole(0, [first, bad, last]))
        session.run_until(lambda: session.is_acknowledged, soon())
    expect(set_aside(world) == before + 1, "it tells of", set_aside(world), "rather than", before + 1)
    with world.session(world.smaller, Store()) as session:
        session.run_until(lambda: all(session.store.record(write.kind, [world.larger.device, "aside", name])
                                      for write, name in ((first, "a"), (last, "b"))), soon())
        session.run_until(lambda: session.store.complete.get(origin_of(first)) is not None, soon())
        expect(session.store.complete[origin_of(first)] == 1, "it claims", session.store.complete[origin_of(first)])


def origin_of(write):
    return write.dot.life, write.dot.lane


def expect_limit(world, draft, limit):
    """That `draft` of the limit is taken, and `draft` of one more is not."""
    expect(is_taken(world, draft(limit)), limit, "is refused")
    expect(not is_taken(world, draft(limit + 1)), limit + 1, "is taken")


def nested(depth):
    value = 0
    for _ in range(depth):
        value = [value]
    return value


@check("a value, and a name, are at most 32 deep, each by itself")
def depth(world):
    expect_limit(world, lambda depth: full(UNKNOWN_KIND, ["deep"], {1: nested(depth)}), 32)
    expect_limit(world, lambda depth: full(UNKNOWN_KIND, nested(depth), {1: nested(32)}), 32)


@check("a name has at most 4,096 bytes, and a scope 64 texts of 1,024 bytes together")
def names(world):
    expect_limit(world, lambda size: full(UNKNOWN_KIND, "n" * (size - HEAD_OF_LONG), {}), 4_096)
    expect_limit(world, lambda size: full(ITEM, ["limits"], {1: 1}, ("s" * (size - HEAD_OF_LONG),)), 1_024)
    expect_limit(world, lambda count: full(ITEM, ["limits"], {1: 1}, ("s",) * count), 64)


@check("a content has at most 524,288 bytes, and a write 1,024 fields")
def contents(world):
    scope = ("limits",)
    beside = len(encode(scope)) + len(encode({1: b""})) - 1 + HEAD_OF_HUGE
    expect_limit(world, lambda size: full(ITEM, ["limits"], {1: bytes(size - beside)}, scope), MOST_CONTENT)
    expect_limit(world, lambda count: full(ITEM, ["limits"], dict.fromkeys(range(count), 1)), 1_024)
