"""Whom a node dials again, and when."""

from peer.refusal import GOING_AWAY, UNKNOWN_FRAME
from peer.transport import accept, context, listen

from .refusals import code_before_hello, expect_code
from .report import check, expect
from .world import soon

AGAIN = 4
"""Seconds in which a node dials again whom it has nothing against."""


def expect_dialled(world):
    """That the node dials a peer whose session with it was a good one, once that is over."""
    listener = listen()
    try:
        with world.session(world.larger, world.store, port=listener.getsockname()[1]) as session:
            session.run_until(lambda: session.is_acknowledged, soon())
            session.close(GOING_AWAY, "the peer stops", soon())
        connection = accept(listener, world.larger, soon(AGAIN))
        connection.close()
        expect(connection.peer_device == world.node_me.device, "another device dialled")
    finally:
        listener.close()


@check("a peer that was refused once, and was good since, is dialled again soon")
def forgiven(world):
    expect_code(code_before_hello(world, b"\0\0\0\x3e"), UNKNOWN_FRAME)
    expect_dialled(world)


@check("a connection that says nothing does not keep the node from dialling")
def idle(world):
    connection = world.dial(world.larger)
    try:
        connection.receive(soon())
        expect_dialled(world)
    finally:
        connection.close()


# Last, for each connection that ends at once makes the next pause longer.
@check("a node that dials again goes on from the last session, by a ticket that it uses once")
def resumed(world):
    listener = listen()
    tls = context(world.larger, is_server=True)
    tls.num_tickets = 1
    try:
        with world.session(world.larger, world.store, port=listener.getsockname()[1]) as session:
            session.run_until(lambda: session.is_acknowledged, soon())
            session.close(GOING_AWAY, "the peer stops", soon())
        for is_resumed in (False, True):
            connection = accept(listener, world.larger, soon(6 * AGAIN), tls)
            try:
                connection.receive(soon())
                expect(connection.socket.session_reused == is_resumed, "resumed:", connection.socket.session_reused)
                expect(connection.peer_device == world.node_me.device, "another device dialled")
            finally:
                connection.close()
    finally:
        listener.close()
