"""Steps that the checks of the extension share: running a check, and places in a page."""

import time

from browsers import Failure, eventually


def expect(condition, what):
    if not condition:
        raise Failure(str(what))


def attempt(check, world):
    """Runs a check and prints how it went; returns how many checks failed, which is 0 or 1."""
    began = time.monotonic()
    try:
        check(world)
        print(f"ok      {check.__doc__} ({time.monotonic() - began:.1f} s)", flush=True)
        return 0
    except Failure as failure:
        print(f"FAILED  {check.__doc__}\n        {failure}", flush=True)
        return 1


def scroll_to(tab, part):
    """Scrolls so that a part of the page is at the top, as a person does: by an event in a visible page."""
    tab.run(f"document.getElementById('p{part}').scrollIntoView()")


def part_in_view(tab):
    """Returns the number of the part that is at or near the top of the page."""
    return tab.run(
        "return [...document.querySelectorAll('p')].findIndex((one) => one.getBoundingClientRect().bottom > 0)")


def wait_for_place(tab, part, most=25):
    """Waits until a page is near a part: a text that is pointed to is put in the middle of the window."""
    return eventually(
        lambda: f"part {part} in view, not {part_in_view(tab)}",
        lambda: abs(part_in_view(tab) - part) <= most and part_in_view(tab) > 0, 30)
