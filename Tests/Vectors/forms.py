"""Holds the vectors against `baton.cddl`, with a validator of CDDL that is not ours: pycddl."""

import pathlib
import re

import pycddl

SCHEMA = pathlib.Path(__file__).parents[2] / "Sources/BatonCore/BatonCore.docc/baton.cddl"

# The rule of the schema for the body of each kind of frame.
RULES = {
    0x01: "hello",
    0x02: "standing",
    0x03: "batch",
    0x04: "acknowledgement",
    0x05: "continue-request",
    0x06: "continue-answer",
    0x07: "addresses",
    0x08: "reports",
    0x09: "check",
    0x0A: "sums",
    0x0B: "ping",
    0x0C: "ping",
    0x10: "stream-open",
    0x11: "stream-word",
    0x12: "stream-reason",
    0x13: "stream-data",
    0x14: "stream-credit",
    0x15: "stream-word",
    0x16: "stream-word",
    0x17: "stream-reason",
    0x3F: "close",
    0x40: "local-hello",
    0x41: "local-request",
    0x42: "local-answer",
    0x60: "pairing-request",
    0x61: "pairing-grant",
    0x62: "pairing-refusal",
    0x63: "pairing-joined",
    0x64: "pairing-answer",
    0x65: "pairing-confirmation",
    0x66: "pairing-welcome",
    0x67: "pairing-introduction",
}

# Rules of the page that CDDL can't say, by the reasons of the vectors: order, bytes, and what another value allows.
BEYOND_CDDL = {"keysOutOfOrder", "redundant", "notCanonical", "truncated", "trailingBytes", "invalidText"}


class Forms:
    """The rules of the schema, each parsed once."""

    def __init__(self):
        self.text = SCHEMA.read_text(encoding="utf-8")
        self.schemas = {}
        self.arguments = {name: self.cases_of(name) for name in ("local-request", "local-answer")}

    def cases_of(self, rule):
        """The type of the third part of each array of a rule, by the second.

        So a wrong argument is told by itself; and what newer versions may add lets nothing pass that has a number here.
        """
        cases = {}
        text = re.search(rf"^{rule} = .*(?:\n +/ .*)*", self.text, flags=re.MULTILINE)[0]
        for line in text.splitlines():
            case = re.search(r"\[number: uint, (\d+)(?:\.\.(\d+))?, (?:[a-z-]+: )?(.*)\]\s*(?:;.*)?$", line)
            if case:
                for number in range(int(case[1]), int(case[2] or case[1]) + 1):
                    cases[number] = case[3]
        return cases

    def validate(self, rule, data):
        """Raises an error where the bytes have not the form of the rule, which is a name or a type."""
        if rule not in self.schemas:
            self.schemas[rule] = pycddl.Schema(f"start = {rule}\n{self.text}")
        try:
            self.schemas[rule].validate_cbor(data)
        except pycddl.ValidationError as error:
            raise ValueError(f"not of the form {rule}: {error}") from error

    def check(self, kind, data, value, encode):
        """The body of a frame must have the form of its kind."""
        rule = RULES[kind]
        if rule not in self.arguments:
            return self.validate(rule, data)
        _, number, argument = value
        return self.validate(self.arguments[rule][number], encode(argument))

    def check_refusal(self, kind, data, reason):
        """The body must not have the form of its kind, if the reason is one that a form can tell."""
        if reason in BEYOND_CDDL:
            return
        rule = RULES[kind]
        try:
            self.validate(rule, data)
        except ValueError:
            return
        raise ValueError(f"must be refused ({reason}), but is of the form {rule}")
