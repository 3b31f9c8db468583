"""What a node and the peer tell each other."""

from peer.devices import SignedDevice, is_signed
from peer.encoding import encode
from peer.messages import ContinueAnswer, ContinueRequest, Standing
from peer.store import wall_clock
from peer.words import LARGEST, key_hash, spelled, vector_digest
from peer.writes import CURRENT_ACTIVITY, DEVICE, deletion, full, partial, values_of

from .report import check, expect
from .world import PATIENCE, soon

SHELL = "org.baton.shell"
TYPE = "org.example.editing"


def activity_of_node(world, store, instance):
    return store.record(CURRENT_ACTIVITY, [world.node_me.device, SHELL, instance])


def name_of_ours(world):
    return [world.larger.device, "org.example.python", "window"]


def ours(world):
    return spelled(key_hash(CURRENT_ACTIVITY, encode(name_of_ours(world))))


def is_seen(record, **fields):
    """Whether a record is there with these values in its fields, which are named `_2` for field 2."""
    if record is None or not record.is_there:
        return False
    seen = values_of(record.fields())
    return all(seen.get(int(name[1:])) == value for name, value in fields.items())


def send(session, *drafts):
    """Writes, and waits until the node has kept it."""
    written = session.write(*drafts)
    session.run_until(lambda: session.is_acknowledged, soon())
    return written


@check("hellos and standings open a session, and the vector is the one of the digest")
def opening(world):
    world.store.write(full(CURRENT_ACTIVITY, name_of_ours(world), {1: TYPE, 2: "Written before"}))
    with world.session(world.larger, world.store) as session:
        standings = [message for message in session.received if isinstance(message, Standing)]
        expect(len(standings) == 1, "the node sent", len(standings), "standings")
        expect(vector_digest(standings[0].vector) == session.peer.digest, "another vector than hello's digest")
        session.run_until(lambda: session.is_acknowledged, soon())
        expect(session.peer.port == world.port, "hello has port", session.peer.port)
    expect(world.listed(ours(world))["title"] == "Written before", "the node lists another title")


def called(world):
    """What the node calls its devices, by their identifiers."""
    devices = world.baton("devices")["devices"]
    return {device["device"]["id"]: device["device"]["name"] for device in devices}


@check("a device enters itself by a record that it signs, and nobody else can change that")
def entered(world):
    larger, name = spelled(world.larger.device), world.larger.folder.name
    with world.session(world.larger, world.store) as session:
        send(session, SignedDevice(world.larger, {1: name, 2: 1000}))
        expect(called(world)[larger] == name, "the node says", called(world))
        session.run_until(lambda: session.store.record(DEVICE, [world.node_me.device]), soon())
        record = session.store.record(DEVICE, [world.node_me.device])
        expect(is_signed(record, world.node_me), "the node's own record is not signed")
    with world.session(world.smaller) as session:
        send(
            session,
            full(DEVICE, [world.larger.device], {1: "unsigned", 4: 1000}),
            SignedDevice(world.smaller, {1: "forged", 4: 1000}, about=world.larger.device),
            SignedDevice(world.smaller, {1: "second"}),
        )
        names = called(world)
        expect((names[larger], names[spelled(world.smaller.device)]) == (name, "second"), "it says", names)


@check("what starts, changes and ends on the node does so here")
def started(world):
    with world.session(world.larger, world.store) as session:
        started = world.baton("start", TYPE, "--instance", "a", "--title", "One", "--info", "line:=42")
        identifier = started["activity"]["id"]
        session.run_until(lambda: is_seen(activity_of_node(world, world.store, "a"), _1=TYPE, _2="One"), soon())
        record = activity_of_node(world, world.store, "a")
        expect(is_seen(record, _3={"line": 42}), "the payload is", values_of(record.fields()).get(3))
        expect(spelled(record.key) == identifier, "the node says", identifier)
        world.baton("update", identifier, "--title", "Two")
        session.run_until(lambda: is_seen(activity_of_node(world, world.store, "a"), _2="Two"), soon())
        world.baton("finish", identifier)
        session.run_until(lambda: not activity_of_node(world, world.store, "a").is_there, soon())


@check("what starts, changes and ends here does so on the node")
def started_here(world):
    name = name_of_ours(world)
    with world.session(world.larger, world.store) as session:
        [write] = send(session, full(CURRENT_ACTIVITY, name, {1: TYPE, 2: "One", 3: {"line": 1}, 6: 1000, 7: 2000}))
        listed = world.listed(ours(world))
        expect((listed["title"], listed["info"]) == ("One", {"line": 1}), "the node lists", listed)
        expect(listed["device"]["name"] == world.larger.folder.name, "the node names", listed["device"])
        send(session, partial(CURRENT_ACTIVITY, name, write.stamp, {2: "Two"}))
        expect(world.listed(ours(world))["title"] == "Two", "a partial write is not listed")
        send(session, deletion(CURRENT_ACTIVITY, name))
        expect(world.listed(ours(world)) is None, "it is listed after its end")


def steps(session):
    """The steps of a continuation that the node has asked for, in order."""
    return [message.step for message in session.received if isinstance(message, ContinueRequest)]


@check("the node continues what goes on here, in its latest state")
def continued_here(world):
    name, fresh = name_of_ours(world), {"line": 43}
    with world.session(world.larger, world.store) as session:
        [write] = send(session, full(CURRENT_ACTIVITY, name, {1: TYPE, 2: "Handed over", 3: {"line": 42}}))

        def answer(request):
            expect((request.kind, request.key) == (CURRENT_ACTIVITY, write.key), "the node asked for another")
            noted = {3: fresh} if request.step == 1 else {8: [world.node_me.device, wall_clock()]}
            session.write(partial(CURRENT_ACTIVITY, name, write.stamp, noted))
            return world.store.record(CURRENT_ACTIVITY, name).fields()

        session.answer_continue = answer
        command = world.start_baton("continue", ours(world))
        session.run_until(lambda: steps(session) == [1, 2], soon())
        result = world.result(command)
        expect((result["source"], result["activity"]["info"]) == ("node", fresh), "the command says", result)
        session.run_until(lambda: session.is_acknowledged, soon())
        listed = world.listed(ours(world))
        expect(listed["continued"]["device"]["name"] == "node", "it is continued on", listed["continued"])


@check("the node is told that an activity is over, and does not use the replica")
def over_here(world):
    with world.session(world.larger, world.store) as session:
        command = world.start_baton("continue", ours(world))
        session.run_until(lambda: any(isinstance(message, ContinueRequest) for message in session.received), soon())
        output, errors = command.communicate(timeout=PATIENCE)
        expect(command.returncode == 11, "exit status", command.returncode, output, errors)
        send(session, deletion(CURRENT_ACTIVITY, name_of_ours(world)))


@check("what goes on on the node is continued here, and the node notes it in field 8")
def continued_there(world):
    with world.session(world.larger, world.store) as session:
        world.baton("start", TYPE, "--instance", "b", "--title", "From the node", "--info", "line:=7")
        session.run_until(lambda: activity_of_node(world, world.store, "b"), soon())
        session.ask(1, CURRENT_ACTIVITY, activity_of_node(world, world.store, "b").key)
        session.run_until(lambda: 1 in session.answers, soon())
        fields = values_of(session.answers[1].fields)
        expect((fields[2], fields[3]) == ("From the node", {"line": 7}), "the answer has", fields)
        expect(fields[8][0] == world.larger.device, "field 8 of the answer has", fields[8])
        session.run_until(lambda: is_seen(activity_of_node(world, world.store, "b"), _8=fields[8]), soon())


@check("what is no activity of the node's own is not continued there, for reason 1")
def nothing_there(world):
    with world.session(world.larger, world.store) as session:
        [write] = send(session, full(CURRENT_ACTIVITY, name_of_ours(world), {1: TYPE}))
        asked = {
            1: (CURRENT_ACTIVITY, write.key),
            2: (DEVICE, world.store.record(DEVICE, [world.node_me.device]).key),
            2**64 - 1: (LARGEST, bytes(16)),
        }
        for number, (kind, key) in asked.items():
            session.ask(number, kind, key)
        session.run_until(lambda: len(session.answers) == len(asked), soon())
        expected = {number: ContinueAnswer(number, reason=1) for number in asked}
        expect(session.answers == expected, "it said", session.answers)
