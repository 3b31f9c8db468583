"""A node that dials: the peer listens."""

from peer.refusal import GOING_AWAY
from peer.session import Session
from peer.transport import accept, listen
from peer.writes import CURRENT_ACTIVITY, full

from .exchange import TYPE, activity_of_node, is_seen, send
from .report import check, expect
from .world import soon


@check("the node dials a peer whose port it knows from hello, and the session opens the same way")
def dialled(world):
    listener = listen()
    try:
        port = listener.getsockname()[1]
        with world.session(world.larger, world.store, port=port) as session:
            session.close(GOING_AWAY, "the peer stops", soon())
        connection = accept(listener, world.larger, soon())
        expect(connection.peer_device == world.node_me.device, "another device dialled")
        name = world.larger.folder.name
        session = Session(connection, world.store, world.larger, name, port=port).open(soon())
        world.baton("start", TYPE, "--instance", "d", "--title", "Dialled")
        session.run_until(lambda: is_seen(activity_of_node(world, world.store, "d"), _2="Dialled"), soon())
        send(session, full(CURRENT_ACTIVITY, [world.larger.device, "a", "listener"], {1: TYPE, 2: "Listened"}))
        status = world.baton("status")["peers"]
        [peer] = [peer for peer in status if peer["device"]["name"] == name]
        expect((peer["connected"], peer["inStep"]) == (True, True), "the node says", peer)
        session.close(GOING_AWAY, "the peer stops", soon())
    finally:
        listener.close()
