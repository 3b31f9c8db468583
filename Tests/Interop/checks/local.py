"""The local protocol: what an app says to its node."""

from peer import frames
from peer.local import App
from peer.refusal import MALFORMED, TOO_LARGE, UNEXPECTED, UNKNOWN_FRAME, VERSION
from peer.transport import Ended

from .report import check, expect
from .world import soon

LIST, CONTINUE, STATUS, DEVICES = 4, 5, 6, 7
FAILURE, ACTIVITIES, STATUS_ANSWER, DEVICES_ANSWER = 0, 2, 4, 5
NOTHING_FITS, TOO_OLD = 11, 12


def app(world, **options):
    return App(world.home / "run" / "node.sock", soon(), **options)


def answers(world, *requests):
    """Answers by the numbers of the requests, all of which are sent before the first is awaited."""
    client = app(world)
    try:
        expect(client.receive(soon())[0] == frames.LOCAL_HELLO, "no hello came")
        for number, (request, argument) in enumerate(requests):
            client.request(number, request, argument)
        found = {}
        while len(found) < len(requests):
            kind, (number, answer, value) = client.receive(soon())
            expect(kind == frames.LOCAL_ANSWER, "a frame of kind", kind)
            found[number] = (answer, value)
        return [found[number] for number in range(len(requests))]
    finally:
        client.close()


@check("an app learns of the node's status, devices and activities")
def requests(world):
    status, devices, activities = answers(world, (STATUS, None), (DEVICES, None), (LIST, {}))
    expect((status[0], devices[0], activities[0]) == (STATUS_ANSWER, DEVICES_ANSWER, ACTIVITIES), "the forms differ")
    me = world.node_me
    expect((status[1][1], status[1][2]) == (me.account, [me.device, "node", True]), "the status is", status[1])
    expect(me.device in [device[1][0] for device in devices[1]], "the devices are", devices[1])
    is_last, summaries = activities[1]
    expect(is_last and len(summaries) == len(world.baton("list")["activities"]), "the list has", len(summaries))


@check("a request that the node does not know fails (12), and one that fits nothing (11)")
def unknown(world):
    newer, lost = answers(world, (99, {"a": 1}), (CONTINUE, {1: "no such activity"}))
    expect((newer[0], newer[1][0]) == (FAILURE, TOO_OLD), "it answered", newer)
    expect((lost[0], lost[1][0]) == (FAILURE, NOTHING_FITS), "it answered", lost)


@check("an app of another version gets a hello and a close (22)")
def version(world):
    client = app(world, version=2)
    try:
        kind, hello = client.receive(soon())
        expect((kind, hello[1]) == (frames.LOCAL_HELLO, 1), "it said", kind, hello)
        expect(close_of(client) == VERSION, "another code")
    finally:
        client.close()


@check("what is no frame of an app is refused as between nodes")
def refused(world):
    for data, code in [
        (frames.frame(0x01, b"\xa0"), UNEXPECTED),
        (frames.frame(0x3E, b""), UNKNOWN_FRAME),
        (b"\x20\x00\x01\x41", TOO_LARGE),
        (frames.frame(0x41, b"\x83\x18\x01\x06\xf6"), MALFORMED),
        (frames.frame(0x40, b"\xa2\x01\x01\x02\x61x"), UNEXPECTED),
    ]:
        client = app(world)
        try:
            client.receive(soon())
            client.connection.send(data)
            found = close_of(client)
            expect(found == code, data[:6].hex(), "was refused with", found)
        finally:
            client.close()


def close_of(client):
    kind, value = client.receive(soon())
    expect(kind == frames.CLOSE, "a frame of kind", kind)
    try:
        client.connection.take(1, soon())
    except Ended:
        return value[1]
    raise AssertionError("the node says more after its close")
