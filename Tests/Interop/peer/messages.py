"""The messages between nodes, but for the batch."""

from dataclasses import dataclass, field

from . import frames
from .batch import Batch
from .batch_reader import read_batch, read_fields
from .encoding import Encoded, encode
from .numbered import Message, read_numbered, require
from .reader import Ascending, Reader, raw
from .refusal import malformed, unexpected
from .words import LANES, LARGEST, MOST_TOKEN, encode_vector, read_vector
from .writes import encode_fields

NAME_SIZE = 64
FIRST_TOKEN = 11
"""The field of a hello that holds the token of lane 0."""


@dataclass
class Hello(Message):
    account: bytes
    device: bytes
    name: str
    digest: bytes
    version: str
    port: int | None = None
    features: list = field(default_factory=list)
    tokens: dict = field(default_factory=dict)
    """By lane, the resume token that the sender keeps of its peer."""
    clock: int | None = None
    """What the sender's clock shows."""

    def encoded(self):
        body = {1: self.account, 2: self.device, 3: self.name, 4: self.digest, 6: self.version}
        if self.port is not None:
            body[5] = self.port
        if self.features:
            body[7] = self.features
        if self.clock is not None:
            body[14] = self.clock
        return encode(body | {lane + FIRST_TOKEN: token for lane, token in self.tokens.items()})


@dataclass
class Standing(Message):
    vector: dict

    def encoded(self):
        return encode({1: Encoded(encode_vector(self.vector))})


@dataclass
class Acknowledgement(Message):
    number: int

    def encoded(self):
        return encode({1: self.number})


@dataclass
class ContinueRequest(Message):
    number: int
    kind: int
    key: bytes
    takes: bool = False
    step: int = 0
    type: str | None = None
    """The type that the activity must still have."""

    def encoded(self):
        return encode(
            {1: self.number, 2: self.kind, 3: self.key}
            | ({4: True} if self.takes else {})
            | ({5: self.step} if self.step else {})
            | ({} if self.type is None else {6: self.type})
        )


@dataclass
class ContinueAnswer(Message):
    number: int
    fields: tuple | None = None
    reason: int | None = None
    is_saved: bool = False
    """Whether the app brought it up to date for this."""
    gone_to: bytes | None = None

    def encoded(self):
        if self.fields is None:
            return encode({1: self.number, 3: self.reason} | ({5: self.gone_to} if self.gone_to else {}))
        return encode(
            {1: self.number, 2: Encoded(encode_fields(self.fields))} | ({4: True} if self.is_saved else {}))


@dataclass
class Addresses(Message):
    known: list
    """Triples of a device, its name and its addresses."""

    def encoded(self):
        return encode({1: [{1: device, 2: name, 3: addresses} for device, name, addresses in self.known]})


@dataclass
class Close(Message):
    code: int
    reason: str

    def encoded(self):
        return encode({1: self.code, 2: self.reason})


KINDS = {
    Hello: frames.HELLO,
    Standing: frames.STANDING,
    Batch: frames.BATCH,
    Acknowledgement: frames.ACKNOWLEDGEMENT,
    ContinueRequest: frames.CONTINUE_REQUEST,
    ContinueAnswer: frames.CONTINUE_ANSWER,
    Addresses: frames.ADDRESSES,
    Close: frames.CLOSE,
}


def frame(message):
    return frames.frame(KINDS[type(message)], message.encoded())


def read(kind, body):
    """The message in a frame between nodes."""
    if kind in frames.OF_OTHERS:
        raw(body)
        raise unexpected(f"a frame of kind {kind:#04x} between nodes")
    if kind == frames.BATCH:
        return read_batch(body)
    reader = Reader(body)
    message = READERS[kind](reader)
    reader.finish()
    return message


def numbered(reader, required, known):
    found = read_numbered(reader, {}, known)
    require(found, *required)
    return found


def read_hello(reader):
    tokens = {lane + FIRST_TOKEN: lambda: reader.bytes(MOST_TOKEN) for lane in LANES}
    found = numbered(reader, (1, 2, 3, 4, 6), {
        1: lambda: reader.bytes(exactly=16),
        2: lambda: reader.bytes(exactly=16),
        3: lambda: reader.text(NAME_SIZE),
        4: lambda: reader.bytes(exactly=32),
        5: lambda: reader.unsigned(65_535),
        6: lambda: reader.text(NAME_SIZE),
        7: lambda: read_features(reader),
        14: reader.integer,
    } | tokens)
    told = {lane: found[lane + FIRST_TOKEN] for lane in LANES if lane + FIRST_TOKEN in found}
    return Hello(
        found[1], found[2], found[3], found[4], found[6], found.get(5), found.get(7, []), told, found.get(14))


def read_features(reader):
    features, order = [], Ascending()
    for _ in range(reader.array(64)):
        features.append(reader.unsigned())
        order.add(features[-1])
    if not features:
        raise malformed("no features, and not left out")
    return features


def read_standing(reader):
    return Standing(numbered(reader, (1,), {1: lambda: read_vector(reader)})[1])


def read_continue_request(reader):
    found = numbered(reader, (1, 2, 3), {
        1: reader.unsigned,
        2: lambda: reader.unsigned(LARGEST),
        3: lambda: reader.bytes(exactly=16),
        4: reader.flag,
        5: lambda: reader.unsigned(2),
        6: reader.text,
    })
    return ContinueRequest(found[1], found[2], found[3], found.get(4, False), found.get(5, 0), found.get(6))


def read_continue_answer(reader):
    found = numbered(reader, (1,), {
        1: reader.unsigned,
        2: lambda: read_fields(reader),
        3: reader.unsigned,
        4: reader.flag,
        5: lambda: reader.bytes(exactly=16),
    })
    if 2 not in found:
        require(found, 3)
    return ContinueAnswer(found[1], found.get(2), found.get(3), found.get(4, False), found.get(5))


def read_addresses(reader):
    def place():
        found = numbered(reader, (1, 2, 3), {
            1: lambda: reader.bytes(exactly=16),
            2: lambda: reader.text(NAME_SIZE),
            3: lambda: [reader.text(300) for _ in range(reader.array(8))],
        })
        return found[1], found[2], found[3]

    return Addresses(numbered(reader, (1,), {1: lambda: [place() for _ in range(reader.array(256))]})[1])


def read_close(reader):
    found = numbered(reader, (1, 2), {1: reader.unsigned, 2: lambda: reader.text(1_024)})
    return Close(found[1], found[2])


READERS = {
    frames.HELLO: read_hello,
    frames.STANDING: read_standing,
    frames.ACKNOWLEDGEMENT: lambda reader: Acknowledgement(numbered(reader, (1,), {1: reader.unsigned})[1]),
    frames.CONTINUE_REQUEST: read_continue_request,
    frames.CONTINUE_ANSWER: read_continue_answer,
    frames.ADDRESSES: read_addresses,
    frames.CLOSE: read_close,
}
