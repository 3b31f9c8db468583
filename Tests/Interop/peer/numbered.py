"""Numbered maps: the form of every message between nodes."""

from .forms import UNSIGNED
from .reader import Ascending
from .refusal import malformed

MOST_FIELDS = 64


class Message:
    """What can be sent in a frame."""


def read_numbered(reader, found, known):
    """Reads a numbered map into `found`: with its function, a field that is known; any other is passed over."""
    order = Ascending()
    for _ in range(reader.map(MOST_FIELDS)):
        if reader.next_major() != UNSIGNED:
            raise malformed("a key that is no number")
        number = reader.unsigned()
        order.add(number)
        if number in known:
            found[number] = known[number]()
        else:
            reader.raw()
    return found


def require(found, *numbers):
    for number in numbers:
        if number not in found:
            raise malformed(f"field {number} is missing")
