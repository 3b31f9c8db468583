"""A session with one peer, driven by whoever waits for something to happen in it."""

from . import messages
from .batch import Batch
from .messages import Acknowledgement, Addresses, Close, ContinueAnswer, ContinueRequest, Hello, Standing
from .outbox import Outbox
from .refusal import IDENTITY, Refusal, malformed, unexpected
from .transport import Ended
from .words import join, vector_digest

PROGRAM = "interop"
MOST_ORIGINS_OF_PEER = 16_384


class Closed(Exception):
    """The peer said close; `code` says why."""

    def __init__(self, code, reason):
        super().__init__(f"{reason} (code {code})")
        self.code = code


class Session:
    def __init__(self, connection, store, me, name, port=None, features=()):
        self.connection = connection
        self.store = store
        self.me, self.name, self.port, self.features = me, name, port, list(features)
        self.peer = None
        self.is_open = False
        self.received = []
        """Every message, in the order in which they came."""
        self.sent = []
        """Every batch, likewise."""
        self.standing = None
        """What the peer said that it has, if it did."""
        self.acknowledges = True
        self.batches = 0
        self.outbox = None
        self.asked, self.answers = set(), {}
        self.answer_continue = None
        """Gives the fields of a record that the peer continues, or None."""

    def send(self, message):
        self.connection.send(messages.frame(message))

    def open(self, deadline):
        """Says hello, and what is here if the digests differ."""
        vector = dict(self.store.complete)
        digest = vector_digest(vector)
        tokens = self.store.tokens_of(self.connection.peer_device)
        self.send(
            Hello(self.me.account, self.me.device, self.name, digest, PROGRAM, self.port, self.features, tokens))
        self.peer = self.expect(Hello, deadline)
        if (self.peer.account, self.peer.device) != (self.me.account, self.connection.peer_device):
            raise Refusal(IDENTITY, "a hello of another account or device than the certificate's")
        if self.peer.digest == digest:
            self.outbox = Outbox(self.store, vector, self.peer.tokens)
        else:
            self.send(Standing(vector))
            self.standing = self.expect(Standing, deadline)
            if vector_digest(self.standing.vector) != self.peer.digest:
                raise unexpected("another vector than the hello's")
            self.outbox = Outbox(self.store, dict(self.standing.vector), self.peer.tokens)
        self.is_open = True
        self.push()
        return self

    def expect(self, form, deadline):
        message = self.next_message(deadline)
        if not isinstance(message, form):
            raise unexpected(f"{type(message).__name__} in the place of {form.__name__}")
        return message

    def next_message(self, deadline):
        message = messages.read(*self.connection.receive(deadline))
        self.received.append(message)
        if isinstance(message, Close):
            raise Closed(message.code, message.reason)
        return message

    def run_until(self, condition, deadline):
        """Handles what comes until a condition holds."""
        while not condition():
            self.step(deadline)

    def step(self, deadline):
        self.handle(self.next_message(deadline))
        self.push()

    def push(self):
        """Sends every batch for which there is room."""
        while (batch := self.outbox.next_batch()) is not None:
            self.send_batch(batch)

    def send_batch(self, batch):
        self.outbox.unacknowledged[batch.number] = len(batch.encoded())
        self.sent.append(batch)
        self.send(batch)

    def write(self, *drafts):
        writes = self.store.write(*drafts)
        self.push()
        return writes

    @property
    def is_acknowledged(self):
        return not self.outbox.unacknowledged

    def handle(self, message):
        match message:
            case Batch():
                self.receive_batch(message)
            case Acknowledgement():
                self.receive_acknowledgement(message.number)
            case ContinueRequest():
                self.receive_request(message)
            case ContinueAnswer():
                if message.number not in self.asked:
                    raise unexpected("an answer to what was not asked")
                self.asked.remove(message.number)
                self.answers[message.number] = message
            case Addresses():
                pass
            case _:
                raise unexpected(f"{type(message).__name__} in an open session")

    def receive_batch(self, batch):
        if batch.number != self.batches + 1:
            raise unexpected("a batch out of turn")
        self.batches = batch.number
        join(self.outbox.peer_has, batch.complete or {})
        if len(self.outbox.peer_has) > MOST_ORIGINS_OF_PEER:
            raise malformed("too many origins")
        self.store.receive(batch.lane, batch.writes, batch.complete)
        self.store.tokens[self.connection.peer_device, batch.lane] = batch.token
        if self.acknowledges:
            self.acknowledge()

    def acknowledge(self):
        self.send(Acknowledgement(self.batches))

    def receive_acknowledgement(self, number):
        if number not in self.outbox.unacknowledged:
            raise unexpected("an acknowledgement of what is not on the way")
        for sent in [sent for sent in self.outbox.unacknowledged if sent <= number]:
            del self.outbox.unacknowledged[sent]

    def receive_request(self, request):
        fields = self.answer_continue(request) if self.answer_continue else None
        if fields is None:
            self.send(ContinueAnswer(request.number, reason=1))
        else:
            self.send(ContinueAnswer(request.number, fields))

    def ask(self, number, kind, key):
        self.asked.add(number)
        self.send(ContinueRequest(number, kind, key))

    def close(self, code, reason, deadline):
        """Says close, and waits until the peer has hung up: a reset could overtake the message."""
        self.send(Close(code, reason))
        try:
            while True:
                self.connection.receive(deadline)
        except (Ended, OSError):
            self.connection.close()
