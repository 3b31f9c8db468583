"""Runs checks one after the other; a line for each."""

import time
import traceback

checks = []


def check(name):
    """Makes a check of a function that takes the world."""

    def add(function):
        checks.append((name, function))
        return function

    return add


def expect(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)))


def run_all(world, is_verbose):
    """How many checks failed."""
    started, failed = time.monotonic(), 0
    for name, function in checks:
        try:
            function(world)
            print(f"interop: {name}", flush=True)
        except Exception as error:
            failed += 1
            print(f"interop: FAILED: {name}: {type(error).__name__}: {error}", flush=True)
            if is_verbose:
                traceback.print_exc()
    seconds = time.monotonic() - started
    print(f"interop: {len(checks) - failed} of {len(checks)} checks passed, in {seconds:.1f} s")
    return failed
