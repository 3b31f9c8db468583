"""The test vectors, read and written by the peer."""

import itertools
import json
from hashlib import sha256

from peer import frames, messages, properties
from peer.digest import state_digest
from peer.encoding import decode, encode
from peer.merge import Lane
from peer.refusal import MALFORMED, Refusal
from peer.words import key_hash

from .report import check, expect
from .world import ROOT


# What belongs to features that this peer does not offer: 1, collection; 2, repair; 3, streams; 4, pings.
OF_FEATURES = {"hello-with-reports", "standing-within-a-snapshot", "batch-ahead", "batch-range-first",
               "batch-range-last", "reports", "hello-with-state", "check", "sums", "batch-repair", "batch-repair-last",
               "stream-open", "stream-opened", "stream-refused", "stream-data", "stream-credit", "stream-end",
               "stream-taken", "stream-abort", "ping", "pong"}
# The parts of large vectors, which this peer does not tell, and passes over.
OF_PARTS = {"hello-with-parts", "standing-of-parts"}


def vectors(name):
    return json.loads((ROOT / f"Tests/Vectors/{name}.json").read_text())


def read(data):
    length, kind = frames.read_head(data[: frames.HEAD_SIZE])
    body = data[frames.HEAD_SIZE :]
    expect(length == len(body), "the length is", length)
    return messages.read(kind, body)


@check("the vectors of messages are read, and written alike")
def forms(world):
    for vector in vectors("peer-messages") + vectors("writes"):
        if vector["name"] in OF_FEATURES | OF_PARTS:
            continue
        data = bytes.fromhex(vector["hex"])
        expect(messages.frame(read(data)) == data, vector["name"])
    for vector in vectors("property-values"):
        data = bytes.fromhex(vector["hex"])
        properties.check(data)
        expect(encode(decode(data)) == data, vector["name"])


@check("the vectors of refusals are refused with their codes here")
def refused(world):
    for vector in vectors("refusals"):
        data = bytes.fromhex(vector["hex"])
        try:
            properties.check(data) if vector.get("value") else read(data)
        except Refusal as refusal:
            expect(refusal.code == vector.get("close_code", MALFORMED), vector["name"], refusal)
        else:
            raise AssertionError(f"{vector['name']} was read")


@check("the vectors of merges come to their digests, in whatever order")
def merged(world):
    for vector in vectors("merges"):
        writes = [write for frame in vector["frames"] for write in read(bytes.fromhex(frame)).writes]
        for order in itertools.permutations(writes):
            lane = Lane()
            for write in order:
                lane.merge(write, complete={})
            expect(state_digest([lane]).hex() == vector["digest"], vector["name"])
            again = Lane()
            for _, write in lane.survivors():
                again.merge(write, complete={})
            expect(state_digest([again]).hex() == vector["digest"], vector["name"], "from its survivors")


@check("the vectors of hashes and digests agree")
def derived(world):
    for vector in vectors("derived-values"):
        data = bytes.fromhex(vector["hex"])
        if "key_hash" in vector:
            expect(key_hash(vector["kind"], data).hex() == vector["key_hash"], vector["name"])
        else:
            expect(sha256(data).hexdigest() == vector["sha256"], vector["name"])
