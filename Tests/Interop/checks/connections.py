"""Several connections between two devices, and how they end."""

import socket

from peer import messages
from peer.batch import Batch
from peer.messages import Addresses, Close
from peer.refusal import BUSY, GOING_AWAY, LIFE_TAKEN, REPLACED, TIMEOUT
from peer.store import Store
from peer.writes import CURRENT_ACTIVITY, full

from .exchange import TYPE, send
from .refusals import code_of, expect_code
from .report import check, expect
from .world import PATIENCE, soon

MOST_CONNECTIONS = 8
OPENING_TIME = 10


@check("the device with the smaller identifier closes the older session (1), and the other does not")
def replaced(world):
    with world.session(world.larger) as older, world.session(world.larger) as newer:
        expect_code(code_of(older.connection), REPLACED)
        send(newer, full(CURRENT_ACTIVITY, [world.larger.device, "a", "newer"], {1: TYPE}))
    with world.session(world.smaller) as older, world.session(world.smaller) as newer:
        for number, session in enumerate((older, newer, older)):
            send(session, full(CURRENT_ACTIVITY, [world.smaller.device, "a", str(number)], {1: TYPE}))


@check("a ninth connection of one device is closed (4)")
def ninth(world):
    connections = []
    try:
        for _ in range(MOST_CONNECTIONS):
            connections.append(world.dial(world.smaller))
            kind, body = connections[-1].receive(soon())
            expect(isinstance(messages.read(kind, body), messages.Hello), "no hello came")
        connections.append(world.dial(world.smaller))
        expect_code(code_of(connections[-1]), BUSY)
    finally:
        for connection in connections:
            connection.close()


@check("addresses that mean something on the node's own machine only are told to nobody")
def addresses(world):
    with world.session(world.smaller, port=1) as session:
        send(session, full(CURRENT_ACTIVITY, [world.smaller.device, "a", "port"], {1: TYPE}))
        with world.session(world.larger, port=2) as other:
            # Addresses go out as a session opens, so they are there before what is acknowledged later.
            send(other, full(CURRENT_ACTIVITY, [world.larger.device, "a", "port"], {1: TYPE}))
            expect(not told(other, world.smaller), "it said", told(other, world.smaller))
            send(session, full(CURRENT_ACTIVITY, [world.smaller.device, "a", "port"], {1: TYPE, 2: "T"}))
            expect(not told(session, world.larger), "it said", told(session, world.larger))


def told(session, me):
    messages = [message for message in session.received if isinstance(message, Addresses)]
    return [address for message in messages for device, _, found in message.known if device == me.device
            for address in found]


@check("who says nothing for ten seconds is closed (2); without a handshake the connection ends")
def silent(world):
    connection = world.dial(world.smaller)
    plain = socket.create_connection(("127.0.0.1", world.port))
    try:
        connection.receive(soon())
        message = messages.read(*connection.receive(soon(OPENING_TIME + PATIENCE)))
        expect(isinstance(message, Close) and message.code == TIMEOUT, "the node said", message)
        plain.settimeout(OPENING_TIME + PATIENCE)
        expect(plain.recv(1) == b"", "the node spoke")
    finally:
        connection.close()
        plain.close()


@check("a peer that asks 64 times and does not read keeps nobody else waiting, and is answered once it reads")
def unread(world):
    with world.session(world.larger, world.store) as session:
        info = [argument for key in "ab" for argument in ("--info", f"{key}={key * 60_000}")]
        world.baton("start", TYPE, "--instance", "large", *info)
        mine = [world.node_me.device, "org.baton.shell", "large"]
        session.run_until(lambda: session.store.record(CURRENT_ACTIVITY, mine), soon())
        key = session.store.record(CURRENT_ACTIVITY, mine).key
        for number in range(64):
            session.ask(number, CURRENT_ACTIVITY, key)
        # With this change, all that was asked before is kept, and answered.
        world.baton("update", "--instance", "large", "--title", "asked by many")
        session.run_until(lambda: len(session.answers) == 64, soon())
        expect(all(answer.fields for answer in session.answers.values()), "one was not answered with the activity")
    world.baton("finish", "--instance", "large")


@check("whoever has more of the node's life than it named makes it begin another (8)")
def life_taken(world):
    store = Store()
    with world.session(world.larger, store) as session:
        session.run_until(lambda: store.complete, soon())
        known = dict(store.complete)
        lie = {origin: sequence + 1000 for origin, sequence in known.items() if origin[1] == 0}
        session.connection.send(messages.frame(Batch(len(session.sent) + 1, 0, lie, [], b"")))
        expect_code(code_of(session.connection), LIFE_TAKEN)
    with world.session(world.larger, store) as session:
        world.baton("start", "org.example.life", "--title", "another life")
        session.run_until(lambda: [origin for origin in store.complete if origin not in known], soon())
    expect(any("another machine uses the identity of this device" in line for line in world.node.lines), "it is not logged")
    expect(any("another machine" in text for text in world.baton("status")["troubles"]), "status does not tell")


@check("a node that stops says so to its peers (0)")
def stops(world):
    with world.session(world.larger, Store()) as session:
        world.node.child.terminate()
        expect_code(code_of(session.connection), GOING_AWAY)
        expect(world.node.child.wait(PATIENCE) == 0, "exit status", world.node.child.returncode)
