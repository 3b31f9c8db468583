"""Deterministic CBOR (RFC 8949, section 4.2.1): values of Python's, and their encodings."""

import struct
from dataclasses import dataclass

from .forms import ARRAY, BYTES, CONSTANTS, FLOATS, MAP, NEGATIVE, TAG, TEXT, UNSIGNED, encode_float, head
from .reader import Reader, raw


@dataclass(frozen=True)
class Tag:
    number: int
    value: object


@dataclass(frozen=True)
class Encoded:
    """A value that stands in its encoding already."""

    encoding: bytes


def encode(value):
    if isinstance(value, Encoded):
        return value.encoding
    if value is None or isinstance(value, bool):
        return {False: b"\xf4", True: b"\xf5", None: b"\xf6"}[value]
    if isinstance(value, int):
        return head(UNSIGNED, value) if value >= 0 else head(NEGATIVE, -1 - value)
    if isinstance(value, float):
        return encode_float(value)
    if isinstance(value, bytes):
        return head(BYTES, len(value)) + value
    if isinstance(value, str):
        utf8 = value.encode()
        return head(TEXT, len(utf8)) + utf8
    if isinstance(value, (list, tuple)):
        return head(ARRAY, len(value)) + b"".join(map(encode, value))
    if isinstance(value, dict):
        entries = sorted((encode(key), encode(value)) for key, value in value.items())
        return head(MAP, len(entries)) + b"".join(key + value for key, value in entries)
    if isinstance(value, Tag):
        return head(TAG, value.number) + encode(value.value)
    raise TypeError(type(value))


def decode(data):
    """One value as Python has it; arrays that are keys become tuples."""
    return build(Reader(raw(data)))


def build(reader):
    start = reader.position
    major, info, argument = reader.head()
    if major == UNSIGNED:
        return argument
    if major == NEGATIVE:
        return -1 - argument
    if major == BYTES:
        return reader.take(argument)
    if major == TEXT:
        return reader.take(argument).decode()
    if major == ARRAY:
        return [build(reader) for _ in range(argument)]
    if major == MAP:
        return {as_key(build(reader)): build(reader) for _ in range(argument)}
    if major == TAG:
        return Tag(argument, build(reader))
    if info in CONSTANTS:
        return CONSTANTS[info]
    return struct.unpack(FLOATS[info], reader.data[start + 1 : reader.position])[0]


def as_key(value):
    return tuple(value) if isinstance(value, list) else value
