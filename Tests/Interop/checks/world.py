"""An account, a home with a real node that runs, and peers of Python's beside it."""

import json
import re
import shutil
import subprocess
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from peer.session import Session
from peer.store import Store
from peer.transport import Me, dial

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 10


def soon(seconds=PATIENCE):
    """A deadline: by then, what a check waits for must have come."""
    return time.monotonic() + seconds


class World:
    def __init__(self, folder):
        self.folder = folder
        self.home = folder / "home"
        self.children = []
        self.store = Store()
        """What the device with the larger identifier has, from one check to the next."""

    def start(self, programs):
        self.programs = programs
        self.node_me, self.smaller, self.larger = self.make_account(self.folder / "account")
        identity = self.home / "accounts" / "default" / "identity"
        for folder in reversed(identity.parents[:3]):
            folder.mkdir(mode=0o700)
        shutil.copytree(self.node_me.folder, identity)
        # As `baton init` leaves it: the account's first device enters itself.
        (identity.parent / "first-device").touch(mode=0o600)
        self.node = NodeProcess(self.spawn("node", "--listen", "127.0.0.1:0", stderr=subprocess.PIPE))
        self.port = self.node.port(soon())
        # No settings were written beside that identity, so the node shares nothing before a person says so.
        self.baton("private", "off")

    def make_account(self, folder):
        """The node's device, one whose identifier is smaller, and one whose is larger."""
        for attempt in range(60):
            account = folder / str(attempt)
            names = ("node", "python-1", "python-2")
            subprocess.run([ROOT / "Certs/make-test-account", account, *names], check=True, timeout=PATIENCE)
            node, *others = (Me.read(account / name) for name in names)
            first, last = sorted(others, key=lambda me: me.device)
            if first.device < node.device < last.device:
                return node, first, last
        raise AssertionError("no account had the node between the two others")

    def command(self, *arguments):
        return [self.programs / "baton", *arguments, "--home", self.home]

    def spawn(self, *arguments, **options):
        child = subprocess.Popen(self.command(*arguments), text=True, **options)
        self.children.append(child)
        return child

    def baton(self, *arguments):
        """What a command prints as JSON."""
        return self.result(self.start_baton(*arguments))

    def start_baton(self, *arguments):
        return self.spawn(*arguments, "--json", stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def result(self, child):
        output, errors = child.communicate(timeout=PATIENCE)
        if child.returncode != 0:
            raise AssertionError(f"exit status {child.returncode}: {errors.strip()}")
        return json.loads(output) if output.strip() else None

    def listed(self, identifier):
        """An activity as the node lists it, or None."""
        activities = self.baton("list")["activities"]
        return next((activity for activity in activities if activity["id"] == identifier), None)

    def dial(self, me):
        return dial(me, self.port, soon())

    @contextmanager
    def session(self, me, store=None, **options):
        """An open session, which is closed at the end."""
        connection = self.dial(me)
        try:
            store = Store() if store is None else store
            yield Session(connection, store, me, me.folder.name, **options).open(soon())
        finally:
            connection.close()

    def close(self):
        """Ends every child that has not ended."""
        for child in self.children:
            if child.poll() is None:
                child.terminate()
        for child in self.children:
            try:
                child.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


class NodeProcess:
    """The node, and what it says on its standard error."""

    def __init__(self, child):
        self.child = child
        self.lines = []
        self.listening = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.child.stderr:
            self.lines.append(line)
            if " is listening on " in line:
                self.listening.set()
        self.listening.set()

    def port(self, deadline):
        self.listening.wait(deadline - time.monotonic())
        for line in self.lines:
            if found := re.search(r" is listening on .*:(\d+)$", line.strip()):
                return int(found[1])
        raise AssertionError(f"the node does not listen: {''.join(self.lines)}")
