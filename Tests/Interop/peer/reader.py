"""A reader of deterministic CBOR, which refuses every other encoding of a value."""

import struct

from .forms import ARRAY, BYTES, CONSTANTS, FLOATS, MAP, NEGATIVE, SIMPLE, TAG, TEXT, UNSIGNED, encode_float
from .refusal import malformed

DEEPEST = 32


class Reader:
    """Reads one value after the other, and refuses whatever has another encoding than it must."""

    def __init__(self, data):
        self.data = data
        self.position = 0

    def take(self, count):
        end = self.position + count
        if end > len(self.data):
            raise malformed("truncated")
        taken = self.data[self.position : end]
        self.position = end
        return taken

    def next_major(self):
        if self.position >= len(self.data):
            raise malformed("truncated")
        return self.data[self.position] >> 5

    def head(self):
        """The major type, the five bits beside it, and the argument."""
        first = self.take(1)[0]
        major, info = first >> 5, first & 31
        if info < 24:
            return major, info, info
        if info > 27:
            raise malformed("a length that is indefinite or reserved")
        size = 1 << info - 24
        argument = int.from_bytes(self.take(size), "big")
        if major != SIMPLE and (argument < 24 or (size > 1 and argument < 1 << 4 * size)):
            raise malformed("not the shortest form")
        return major, info, argument

    def argument(self, major):
        found, _, argument = self.head()
        if found != major:
            raise malformed(f"type {found} in the place of {major}")
        return argument

    def unsigned(self, largest=2**64 - 1, least=0):
        argument = self.argument(UNSIGNED)
        if not least <= argument <= largest:
            raise malformed(f"{argument} is out of range")
        return argument

    def integer(self):
        """An integer of 64 bits with its sign."""
        major, _, argument = self.head()
        if major not in (UNSIGNED, NEGATIVE) or argument >= 1 << 63:
            raise malformed("no integer of 64 bits")
        return argument if major == UNSIGNED else -1 - argument

    def boolean(self):
        major, info, _ = self.head()
        if major != SIMPLE or info not in (20, 21):
            raise malformed("neither true nor false")
        return info == 21

    def flag(self):
        """A field that is true or absent."""
        if not self.boolean():
            raise malformed("a flag that is false, and not left out")
        return True

    def bytes(self, largest=None, exactly=None):
        length = self.argument(BYTES)
        if (exactly is not None and length != exactly) or (largest is not None and length > largest):
            raise malformed(f"{length} bytes")
        return self.take(length)

    def text(self, largest=None):
        length = self.argument(TEXT)
        if largest is not None and length > largest:
            raise malformed(f"a text of {length} bytes")
        return utf8(self.take(length))

    def array(self, largest=None):
        """The count of an array whose parts are read next."""
        return self.count(self.argument(ARRAY), largest, 1)

    def map(self, largest=None):
        """The count of a map whose entries are read next."""
        return self.count(self.argument(MAP), largest, 2)

    def count(self, count, largest, least_bytes):
        if largest is not None and count > largest:
            raise malformed(f"{count} entries")
        if count * least_bytes > len(self.data) - self.position:
            raise malformed("more entries than bytes")
        return count

    def raw(self):
        """The encoding of the next value, whatever it is; depth is counted from it on."""
        start = self.position
        self.skip(0)
        return self.data[start : self.position]

    def skip(self, depth):
        if depth > DEEPEST:
            raise malformed("too deep")
        start = self.position
        major, info, argument = self.head()
        if major == BYTES:
            self.take(argument)
        elif major == TEXT:
            utf8(self.take(argument))
        elif major == ARRAY:
            for _ in range(self.count(argument, None, 1)):
                self.skip(depth + 1)
        elif major == MAP:
            keys = Ascending()
            for _ in range(self.count(argument, None, 2)):
                key = self.position
                self.skip(depth + 1)
                keys.add(self.data[key : self.position])
                self.skip(depth + 1)
        elif major == TAG:
            self.skip(depth + 1)
        elif major == SIMPLE and info in FLOATS:
            value = struct.unpack(FLOATS[info], self.data[start + 1 : self.position])[0]
            if encode_float(value) != self.data[start : self.position]:
                raise malformed("a float in another form than the shortest")
        elif major == SIMPLE and info not in CONSTANTS:
            raise malformed("a simple value that is none here")

    def finish(self):
        if self.position != len(self.data):
            raise malformed("bytes behind the value")


class Ascending:
    """Refuses what is not larger than all that came before it."""

    def __init__(self):
        self.last = None

    def add(self, item):
        if self.last is not None and item <= self.last:
            raise malformed("out of order")
        self.last = item


def utf8(data):
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise malformed("no UTF-8") from None


def raw(data):
    """The one value that `data` must be, in its encoding."""
    reader = Reader(data)
    value = reader.raw()
    reader.finish()
    return value
