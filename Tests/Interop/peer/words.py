"""The words that everything else speaks in: identifiers, origins, dots, stamps, vectors and scopes."""

import hashlib
from typing import NamedTuple

from .encoding import encode
from .reader import Ascending
from .refusal import malformed

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
LARGEST = 2**63 - 1
LANES = ACTIVITIES, INDEX = 0, 1
LIFE_SIZE = 16
MOST_ORIGINS = 8_192
MOST_SCOPE_BYTES = 1_024
MOST_SCOPE_PARTS = 64
MOST_TOKEN = 32


class Stamp(NamedTuple):
    time: int
    life: bytes


LEAST_STAMP = Stamp(0, bytes(LIFE_SIZE))


class Dot(NamedTuple):
    life: bytes
    lane: int
    sequence: int
    place: int


def identifier(data):
    return hashlib.sha256(data).digest()[:16]


def key_hash(kind, name):
    return identifier(encode(kind) + name)


def spelled(identifier):
    """An identifier in its 26 characters."""
    bits = int.from_bytes(identifier, "big") << 2
    return "".join(ALPHABET[bits >> shift & 31] for shift in range(125, -1, -5))


def covers(vector, dot):
    return vector.get((dot.life, dot.lane), 0) >= dot.sequence


def join(vector, other):
    for origin, sequence in other.items():
        vector[origin] = max(vector.get(origin, 0), sequence)


def of_lane(vector, lane):
    return {origin: sequence for origin, sequence in vector.items() if origin[1] == lane}


def beyond(vector, other):
    """What a vector says that another does not."""
    return {origin: sequence for origin, sequence in vector.items() if other.get(origin, 0) < sequence}


def encode_vector(vector):
    return encode([[life, lane, sequence] for (life, lane), sequence in sorted(vector.items())])


def vector_digest(vector):
    return hashlib.sha256(encode_vector(vector)).digest()


def read_vector(reader):
    vector, order = {}, Ascending()
    for _ in range(reader.array(MOST_ORIGINS)):
        read_parts(reader, 3)
        origin = reader.bytes(exactly=LIFE_SIZE), reader.unsigned(1)
        order.add(origin)
        vector[origin] = reader.unsigned(LARGEST, least=1)
    return vector


def read_parts(reader, count):
    if reader.array() != count:
        raise malformed(f"an array that has not {count} parts")


def read_scope(reader):
    count, start = reader.array(), reader.position
    if count > MOST_SCOPE_PARTS:
        raise malformed("a scope of too many parts")
    scope = tuple(reader.text() for _ in range(count))
    if reader.position - start > MOST_SCOPE_BYTES:
        raise malformed("a scope that is too long")
    return scope


def lies_within(scope, outer):
    return scope[: len(outer)] == outer
