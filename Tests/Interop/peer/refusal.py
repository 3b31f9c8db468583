"""Why a peer is refused: the codes of a close message."""

GOING_AWAY, REPLACED, TIMEOUT, STORAGE, BUSY = 0, 1, 2, 3, 4
SILENT, UNREAD, LIFE_TAKEN = 6, 7, 8
TOO_LARGE, UNKNOWN_FRAME, MALFORMED, UNEXPECTED, WINDOW, IDENTITY, VERSION = 16, 17, 18, 19, 20, 21, 22
BACKWARDS, IDLE, NOT_SENT, OUT_OF_ORDER = 23, 24, 25, 26


class Refusal(Exception):
    """What came breaks a rule of the page; `code` is what the close message says of it."""

    def __init__(self, code, reason):
        super().__init__(f"{reason} (code {code})")
        self.code = code
        self.reason = reason


def malformed(reason):
    return Refusal(MALFORMED, reason)


def unexpected(reason):
    return Refusal(UNEXPECTED, reason)
