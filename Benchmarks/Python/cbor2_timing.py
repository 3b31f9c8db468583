"""Measures cbor2's C implementation for a benchmark that stands at the other end of its pipes.

The first line of the input is a list of values in JSON, each the hexadecimal text of its encoding. Each further line
asks for something to be done a number of times, going round the values; the answer is a line with the nanoseconds
that each time took.
"""

import io
import json
import sys
import time

import cbor2
from cbor2.decoder import CBORDecoder, semantic_decoders
from cbor2.types import CBORTag

# Tags stay tags, so that what is encoded here is what was encoded there.
semantic_decoders.clear()


def with_tags(value):
    """The same value with the tags that the C implementation knows."""
    if isinstance(value, CBORTag):
        return cbor2.CBORTag(value.tag, with_tags(value.value))
    if isinstance(value, dict):
        return {with_tags(key): with_tags(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [with_tags(part) for part in value]
    return value


def timed(operation, values, count):
    values = (values * (count // len(values) + 1))[:count]
    started = time.perf_counter_ns()
    for value in values:
        operation(value)
    return (time.perf_counter_ns() - started) / count


def main():
    if {cbor2.dumps.__module__, cbor2.loads.__module__} != {"_cbor2"}:
        sys.exit("cbor2 is here without its C implementation")
    encodings = [bytes.fromhex(text) for text in json.loads(sys.stdin.readline())]
    values = [with_tags(CBORDecoder(io.BytesIO(data)).decode()) for data in encodings]
    for data, value in zip(encodings, values):
        if cbor2.dumps(value, canonical=True) != data:
            sys.exit(f"cbor2 writes {data.hex()} otherwise")
    operations = {
        "encode-canonical": (lambda value: cbor2.dumps(value, canonical=True), values),
        "encode": (cbor2.dumps, values),
        "decode": (cbor2.loads, encodings),
    }
    for line in sys.stdin:
        name, count = line.split()
        print(timed(*operations[name], int(count)), flush=True)


main()
