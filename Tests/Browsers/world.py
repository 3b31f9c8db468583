"""Two machines of one account, each with a home folder of its own, and a server of web pages."""

import contextlib
import html
import http.server
import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from browsers import Failure, end, eventually

ROOT = Path(__file__).resolve().parent.parent.parent
# Names that lead to this machine; the second is that of a bank, by the list of the extension.
HOSTS = ["news.test", "mybank.test"]
# What a shell would run, were it to read a path.
HOSTILE = "it's \"$(touch pwned)\" `touch pwned`; touch pwned &"


class Machine:
    """A machine: its home, its node, and the commands that a person types there.

    The home of Baton is one that commands name, or the usual one in the home folder.
    """

    def __init__(self, name, folder, programs, has_usual_home=False):
        self.name, self.programs = name, programs
        self.root = folder / name
        self.home = self.root / f"home {HOSTILE}"
        self.files = self.root / "files"
        self.tools = self.root / "tools"
        self.opened = self.root / "opened"
        runtime = self.root / "runtime"
        for path in (self.home, self.files, self.tools, runtime):
            path.mkdir(parents=True, mode=0o700)
        # Opens nothing, and notes what it was to open.
        opener = self.tools / "xdg-open"
        opener.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" >>'{self.opened}'\n")
        opener.chmod(0o755)
        # Browsers know nothing of the home of Baton: the script that starts the host does.
        self.environment = {
            "HOME": str(self.home), "LANG": "C.UTF-8", "XDG_RUNTIME_DIR": str(runtime),
            "PATH": f"{self.tools}:{programs}:/usr/bin:/bin", "MOZ_HEADLESS": "1",
        }
        # What the node and the commands know of that home.
        self.naming = {} if has_usual_home else {"BATON_HOME": str(self.home / "baton data")}
        self.node = None
        self.address = "127.0.0.1:0"

    def type(self, *words):
        """Runs a command of `baton`; returns the exit status, the output and the errors."""
        done = subprocess.run(
            [self.programs / "baton", *words], env=self.environment | self.naming, capture_output=True, text=True,
            timeout=60, stdin=subprocess.DEVNULL, cwd=self.root)
        return done.returncode, done.stdout, done.stderr

    def must(self, *words):
        status, output, errors = self.type(*words)
        if status:
            raise Failure(f"{self.name}: baton {' '.join(words)}: {status}: {errors}")
        return output

    def json(self, *words):
        return json.loads(self.must(*words, "--json"))

    def start_node(self):
        with open(self.files / "node.log", "a") as log:
            self.node = subprocess.Popen(
                [self.programs / "baton", "node", "--listen", self.address], env=self.environment | self.naming,
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        eventually(
            lambda: f"a node on {self.name}; its log: {(self.files / 'node.log').read_text()[-1500:]}",
            lambda: self.type("status")[0] == 0, 30)
        self.address = self.json("status")["listening"]

    def stop_node(self):
        if self.node:
            end(self.node)
            self.node = None

    @contextlib.contextmanager
    def app(self, activity):
        """Runs an app with a current activity, which may have an address that `baton start` would refuse."""
        app = subprocess.Popen(
            [self.programs / "baton", "app", "org.example.bad"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            env=self.environment | self.naming, start_new_session=True)
        try:
            app.stdin.write(json.dumps({"become": activity}).encode() + b"\n")
            app.stdin.flush()
            yield
        finally:
            app.stdin.close()
            app.wait(30)

    def pages(self):
        """Returns the activities that are pages, from `baton list --json`."""
        return [one for one in self.json("list")["activities"] if one["type"] == "org.baton.web"]

    def wait_for_page(self, what, accepts):
        last = []

        def attempt():
            last[:] = self.pages()
            return next((one for one in last if accepts(one)), None)
        return eventually(
            lambda: f"{what} on {self.name}; there are {[(one['device']['name'], one['title'], one['url'], one['info']) for one in last]}",
            attempt, patience=30)

    def all_files(self):
        """Returns the paths of all files in the home folder but those of the node and of browsers' profiles."""
        kept = ("/baton data/", "/.cache/", "/.config/chromium/", "/.config/mozilla/", "/.local/share/", "/.pki/")
        found = []
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = f"{folder}/{name}"[len(str(self.home)):]
                if "NativeMessagingHosts" in path or "/browser/" in path or not path.startswith(kept):
                    found.append(path)
        return sorted(found)


class Pages(http.server.BaseHTTPRequestHandler):
    """Serves long pages, whose title is in the address."""

    def do_GET(self):
        query = parse_qs(urlsplit(self.path).query)
        title = html.escape(query.get("title", ["Long page"])[0])
        words = ["river", "stone", "cloud", "garden", "winter", "lamp", "copper", "meadow"]
        lines = "".join(
            f"<p id=p{n}>Part {n} tells of {words[n % 8]} and {words[(n // 8) % 8]} number {n * 7919 % 1000}, at length.</p>"
            for n in range(400))
        if self.path.startswith("/panes"):
            # The page itself does not scroll; the larger of two parts has an identifier or not.
            name = "id=text" if "id" in query else ""
            lines = ("<div style='display:flex;height:100vh'><nav style='width:20%;overflow:auto'>" + "<p>Menu</p>" * 200
                     + f"</nav><div style='flex:1'><main {name} style='height:100vh;overflow-y:auto'>{lines}</main></div></div>")
        text = (f"<!doctype html><meta charset=utf-8><title>{title}</title>"
                f"<body style='margin:0;font:16px/1.5 sans-serif'>{lines}")
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Nothing is printed for each request."""


class World:
    def __init__(self, folder, programs, has_usual_home=False):
        self.laptop, self.desktop = (Machine(name, folder, programs, has_usual_home) for name in ("laptop", "desktop"))
        self.machines = (self.laptop, self.desktop)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.browsers = []

    def start(self):
        self.laptop.must("init", "--no-confirm", "--name", "laptop")
        self.laptop.start_node()
        code = self.laptop.json("invite", "--no-wait")["code"]
        self.desktop.must("join", code, "--at", self.laptop.address, "--name", "desktop")
        self.desktop.start_node()
        for one, other in (self.machines, self.machines[::-1]):
            eventually(
                f"{other.name} on {one.name}",
                lambda: one.type("devices", other.name, "--at", other.address)[0] == 0)
        for machine in self.machines:
            machine.must("status", "--wait", "--timeout", "30")

    def address(self, path, host=HOSTS[0]):
        return f"http://{host}:{self.server.server_port}{path}"

    def run(self, kind, machine, folder=ROOT / "Browser", **options):
        """Starts a browser on a machine, with the extension from a folder, or with what the system loads into it."""
        browser = kind(machine, folder, ",".join(HOSTS) if kind.name == "firefox" else "*.test", **options)
        self.browsers.append(browser)
        return browser

    def close(self):
        for browser in self.browsers:
            browser.close()
        for machine in self.machines:
            machine.stop_node()
        self.server.shutdown()
