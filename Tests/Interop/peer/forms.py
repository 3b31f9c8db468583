"""The forms of CBOR: major types, heads and floating-point numbers."""

import math
import struct

UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE = range(8)
CONSTANTS = {20: False, 21: True, 22: None}
FLOATS = {25: ">e", 26: ">f", 27: ">d"}


def head(major, argument):
    if argument < 24:
        return bytes([major << 5 | argument])
    for info, size in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if argument < 1 << 8 * size:
            return bytes([major << 5 | info]) + argument.to_bytes(size, "big")
    raise OverflowError(argument)


def encode_float(value):
    if math.isnan(value):
        return b"\xf9\x7e\x00"
    for info, form in FLOATS.items():
        try:
            packed = struct.pack(form, value)
        except OverflowError:
            continue
        if struct.unpack(form, packed)[0] == value:
            return bytes([SIMPLE << 5 | info]) + packed
    raise AssertionError("every float keeps its value in eight bytes")
