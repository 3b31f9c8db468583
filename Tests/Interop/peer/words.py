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


def spelled(value):
    """Bytes in base 32, such as an identifier in its 26 characters."""
    count = (8 * len(value) + 4) // 5
    bits = int.from_bytes(value, "big") << (5 * count - 8 * len(value))
    return "".join(ALPHABET[bits >> shift & 31] for shift in range(5 * count - 5, -1, -5))


def unspelled(text):
    """The bytes that are spelled by a text."""
    bits = 0
    for character in text:
        bits = bits << 5 | ALPHABET.index(character)
    count = 5 * len(text) // 8
    return (bits >> (5 * len(text) - 8 * count)).to_bytes(count, "big")


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
