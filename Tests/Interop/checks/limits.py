"""The limits of a write: what is as large as they allow is taken, and one more byte is refused (18)."""

from peer.encoding import encode
from peer.refusal import MALFORMED
from peer.session import Closed
from peer.store import Store
from peer.writes import ITEM, MOST_CONTENT, full

from .exchange import send
from .report import check, expect

UNKNOWN_KIND = 1001
HEAD_OF_LONG = 3
HEAD_OF_HUGE = 5


def is_taken(world, draft):
    with world.session(world.larger, Store()) as session:
        try:
            send(session, draft)
        except Closed as closed:
            expect(closed.code == MALFORMED, "the node closed with", closed.code)
            return False
        return True


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
