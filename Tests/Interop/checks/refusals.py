"""What a node refuses, and with which code."""

import json

from peer import frames, messages
from peer.batch import Batch
from peer.encoding import decode, encode
from peer.messages import Acknowledgement, ContinueAnswer, Hello, Standing
from peer.refusal import (BACKWARDS, IDENTITY, MALFORMED, NOT_SENT, OUT_OF_ORDER, TOO_LARGE, UNEXPECTED,
                          UNKNOWN_FRAME)
from peer.store import Store
from peer.transport import Ended
from peer.words import vector_digest
from peer.writes import CURRENT_ACTIVITY, full

from .report import check, expect
from .world import ROOT, soon


def hello(world, **changes):
    me = world.larger
    values = dict(account=me.account, device=me.device, name="x", digest=vector_digest({}), version="x")
    return messages.frame(Hello(**(values | changes)))


def code_of(connection):
    """The code with which the node closes; what it says before is passed over."""
    while True:
        message = messages.read(*connection.receive(soon()))
        if isinstance(message, messages.Close):
            break
    try:
        expect(not connection.take(1, soon()), "the node says more after its close")
    except Ended:
        pass
    return message.code


def code_before_hello(world, *data):
    connection = world.dial(world.larger)
    try:
        for part in data:
            connection.send(part)
        return code_of(connection)
    finally:
        connection.close()


def code_in_session(world, *data):
    with world.session(world.larger, Store()) as session:
        for part in data:
            session.connection.send(part)
        return code_of(session.connection)


def batch(world, number=1, lane=0, complete=None, instance="refused"):
    [write] = Store().write(full(CURRENT_ACTIVITY, [world.larger.device, "a", instance], {1: "t"}))
    return Batch(number, lane, complete, [write], b"")


def expect_code(found, expected):
    expect(found == expected, "the node closed with", found, "rather than", expected)


@check("another account or device than the certificate's is refused (21)")
def identity(world):
    expect_code(code_before_hello(world, hello(world, account=bytes(16))), IDENTITY)
    expect_code(code_before_hello(world, hello(world, device=world.smaller.device)), IDENTITY)


@check("what comes out of turn is refused (19)")
def out_of_turn(world):
    standing = messages.frame(Standing({}))
    acknowledgement = messages.frame(Acknowledgement(1))
    before = [standing, acknowledgement, messages.frame(batch(world)), messages.frame(ContinueAnswer(1, reason=1))]
    for data in before:
        expect_code(code_before_hello(world, data), UNEXPECTED)
        if data != standing:
            expect_code(code_before_hello(world, hello(world), data), UNEXPECTED)
    expect_code(code_before_hello(world, hello(world), hello(world)), UNEXPECTED)
    for data in [hello(world), standing, messages.frame(ContinueAnswer(1, reason=1))]:
        expect_code(code_in_session(world, data), UNEXPECTED)


@check("numbers of batches that do not follow (26), and of acknowledgements that are not on the way (25), are refused")
def numbers(world):
    for number in (0, 2):
        expect_code(code_in_session(world, messages.frame(batch(world, number=number))), OUT_OF_ORDER)
    first = messages.frame(batch(world, instance="taken"))
    expect_code(code_in_session(world, first, messages.frame(batch(world))), OUT_OF_ORDER)
    for number in (0, 2**64 - 1):
        expect_code(code_in_session(world, messages.frame(Acknowledgement(number))), NOT_SENT)


@check("claims that go backwards in a session are refused (23)")
def backwards(world):
    claims = [messages.frame(Batch(number, 0, {(b"\1" * 16, 0): sequence}, [], b""))
              for number, sequence in ((1, 3), (2, 2))]
    expect_code(code_in_session(world, *claims), BACKWARDS)


@check("a standing with another vector than the hello's is refused (19)")
def another_vector(world):
    vector = {(b"\1" * 16, 0): 1}
    other = {(b"\1" * 16, 0): 2}
    for told, sent in ((vector, other), (vector, {}), ({}, vector)):
        greeting = hello(world, digest=vector_digest(told))
        expect_code(code_before_hello(world, greeting, messages.frame(Standing(sent))), UNEXPECTED)


@check("a write or a complete of the wrong lane is refused (18)")
def wrong_lane(world):
    expect_code(code_in_session(world, messages.frame(batch(world, lane=1))), MALFORMED)
    other = messages.frame(batch(world, complete={(bytes(16), 1): 1}))
    expect_code(code_in_session(world, other), MALFORMED)


@check("a batch of a repair that stands before a range is refused (18)")
def ahead_and_repair(world):
    body = decode(batch(world).encoded()) | {10: True, 11: True}
    expect_code(code_in_session(world, frames.frame(messages.KINDS[Batch], encode(body))), MALFORMED)


@check("a frame that is too large, or of no kind, is refused by its head (16, 17)")
def heads(world):
    limit = frames.LARGEST_BODY
    for ask in (code_before_hello, code_in_session):
        expect_code(ask(world, (limit + 1).to_bytes(3, "big") + b"\x08"), TOO_LARGE)
        expect_code(ask(world, limit.to_bytes(3, "big") + b"\x3e"), UNKNOWN_FRAME)


@check("frames of an app or of a pairing are refused (19), or (18) if they are no CBOR")
def frames_of_others(world):
    for kind in frames.OF_OTHERS:
        expect_code(code_in_session(world, frames.frame(kind, b"\xa0")), UNEXPECTED)
        expect_code(code_in_session(world, frames.frame(kind, b"\xa0\xa0")), MALFORMED)


def refused_frames():
    for vector in json.loads((ROOT / "Tests/Vectors/refusals.json").read_text()):
        if not vector.get("value"):
            yield vector["name"], bytes.fromhex(vector["hex"]), vector["close_code"]


@check("each frame of refusals.json is refused with its code, at first and in a session")
def vectors(world):
    wrong = []
    for name, data, expected in refused_frames():
        for ask in (code_before_hello, code_in_session):
            code = ask(world, data)
            if code != expected:
                wrong.append(f"{name}: {code} rather than {expected}")
    expect(not wrong, "; ".join(wrong))


@check("after all this the node is well, and has nothing of what it refused")
def still_well(world):
    expect(not any(listed["instance"] == "refused" for listed in world.baton("list")["activities"]), "it is listed")
    troubles = world.baton("status")["troubles"]
    known = ("quarantined", "wrong signature")
    expect(all(any(word in trouble for word in known) for trouble in troubles), "the node has troubles:", troubles)
