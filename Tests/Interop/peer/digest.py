"""The state digest: one number for all that is seen of a store."""

import hashlib

from .encoding import decode, encode
from .words import LEAST_STAMP
from .writes import CLEARS, encode_fields

EXPIRATION = encode(0)


def state_digest(lanes, now=0):
    total = 0
    for lane in lanes:
        for record in lane.records.values():
            if record.is_there and record.kind not in CLEARS and not is_expired(record, now):
                total += int.from_bytes(hashlib.sha256(told(record)).digest(), "big")
    return (total % 2**256).to_bytes(32, "big")


def is_expired(record, now):
    value, _ = record.seen().get(EXPIRATION, (None, None))
    expiration = None if value is None else decode(value)
    if not isinstance(expiration, int) or isinstance(expiration, bool):
        return False
    return -(2**63) <= expiration < 2**63 and expiration <= now


def told(record):
    seen = record.seen()
    incarnation = record.incarnation if record.is_full else LEAST_STAMP
    parts = [encode(record.kind), record.name, encode_stamp(incarnation), encode_fields(record.fields())]
    parts += [name + encode_stamp(stamp) for name, (_, stamp) in seen.items() if stamp is not None]
    return b"".join(parts)


def encode_stamp(stamp):
    return encode(stamp.time) + encode(stamp.life)
