"""Frames: a length, a kind and a body."""

from .refusal import TOO_LARGE, UNKNOWN_FRAME, Refusal

HELLO, STANDING, BATCH, ACKNOWLEDGEMENT, CONTINUE_REQUEST, CONTINUE_ANSWER, ADDRESSES = range(1, 8)
CLOSE = 0x3F
LOCAL_HELLO, LOCAL_REQUEST, LOCAL_ANSWER = 0x40, 0x41, 0x42
PAIRING = range(0x60, 0x68)

BETWEEN_NODES = frozenset({*range(HELLO, ADDRESSES + 1), CLOSE})
OF_OTHERS = frozenset({LOCAL_HELLO, LOCAL_REQUEST, LOCAL_ANSWER, *PAIRING})

HEAD_SIZE = 4
LARGEST_BODY = 2_097_152


def frame(kind, body):
    return len(body).to_bytes(3, "big") + bytes([kind]) + body


def read_head(head):
    """The length and the kind; the length is judged first."""
    length, kind = int.from_bytes(head[:3], "big"), head[3]
    if length > LARGEST_BODY:
        raise Refusal(TOO_LARGE, f"a body of {length} bytes")
    if kind not in BETWEEN_NODES | OF_OTHERS:
        raise Refusal(UNKNOWN_FRAME, f"a frame of kind {kind:#04x}")
    return length, kind
