"""Property-list values: what an app's payload is made of."""

from .forms import ARRAY, BYTES, FLOATS, MAP, NEGATIVE, SIMPLE, TAG, TEXT, UNSIGNED
from .reader import Ascending, Reader, raw
from .refusal import malformed

DATE, URL, UUID, SET = 1, 32, 37, 258


def check(data):
    """Refuses bytes that are not one property-list value."""
    judge(Reader(raw(data)))


def judge(reader):
    major, info, argument = reader.head()
    if major in (UNSIGNED, NEGATIVE) and argument >= 1 << 63:
        raise malformed("an integer beyond 64 bits")
    if major in (BYTES, TEXT):
        reader.take(argument)
    elif major in (ARRAY, MAP):
        for _ in range(argument * (2 if major == MAP else 1)):
            judge(reader)
    elif major == TAG:
        judge_tag(reader, argument)


def judge_tag(reader, tag):
    major, info, argument = Reader(reader.data[reader.position :]).head()
    fits = {
        DATE: major == SIMPLE and info in FLOATS,
        URL: major == TEXT,
        UUID: major == BYTES and argument == 16,
        SET: major == ARRAY,
    }
    if not fits.get(tag, False):
        raise malformed(f"tag {tag} around what it may not have")
    if tag != SET:
        return judge(reader)
    members = Ascending()
    for _ in range(reader.array()):
        start = reader.position
        judge(reader)
        members.add(reader.data[start : reader.position])
