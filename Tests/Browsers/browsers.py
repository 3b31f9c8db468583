"""Real browsers without a screen: Chromium by the DevTools protocol over pipes, Firefox by Marionette over a socket.

Nothing but Python's standard library is used. Every wait has a deadline, and every process is ended by its handle.
"""

import base64
import itertools
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

# A loaded machine takes long to start a browser; nothing waits this long otherwise.
PATIENCE = 90
CHROMIUM_EXTENSION = "enjnibdbjniakoblkpomplinhhdennoh"
FIREFOX_EXTENSION = "browser@org.baton"


# The page in front would be the list itself, and its own script would show that: it gets other elements from now on.
STILL = ("document.body.replaceWith(document.body.cloneNode(true));"
         "document.getElementById = () => document.createElement('p')")


class Failure(Exception):
    """A check that did not hold, or a browser that did not do what it was asked for."""


class Closed(Failure):
    """A tab that is not there any more."""


def eventually(what, attempt, patience=PATIENCE, pause=0.1):
    """Returns the first true value of an attempt; fails after the deadline with what is awaited, and the last value."""
    deadline = time.monotonic() + patience
    while True:
        value = attempt()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Failure(f"{what() if callable(what) else what}: not within {patience} s")
        # Other processes change what is looked at, and tell nobody here.
        select.select([], [], [], pause)


def program(*names):
    """Returns the path of the first of these programs that is installed."""
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    raise Failure(f"none of these is installed: {', '.join(names)}")


def end(process):
    """Ends a process that was started here in a session of its own, with all that it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            break
        try:
            process.wait(10)
            break
        except subprocess.TimeoutExpired:
            continue
    process.poll()


class Chromium:
    """Chromium on a machine, with the extension from a folder; without one, Chromium has what the system loads into it."""

    name = "chromium"
    extension = f"chrome-extension://{CHROMIUM_EXTENSION}/"

    def __init__(self, machine, folder, hosts):
        self.profile = machine.environment["HOME"] + "/.config/chromium"
        command = [
            program("chromium", "chromium-browser"), "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--password-store=basic", f"--user-data-dir={self.profile}",
            "--remote-debugging-pipe", f"--host-resolver-rules=MAP {hosts} 127.0.0.1", "--window-size=1000,800",
        ]
        if folder:
            # Without the second, Chromium ignores extensions that a command line names.
            command += [f"--load-extension={folder}", "--disable-features=DisableLoadExtensionCommandLineSwitch"]
        command.append("about:blank")
        (to_read, self._write), (self._read, to_write) = os.pipe(), os.pipe()

        def arrange():
            # It reads commands from 3, and writes answers to 4.
            os.dup2(os.dup(to_read), 103)
            os.dup2(os.dup(to_write), 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.log = open(machine.files / "chromium.log", "w")
        self.process = subprocess.Popen(
            command, env=machine.environment, stdout=self.log, stderr=self.log, preexec_fn=arrange, close_fds=False,
            start_new_session=True)
        os.close(to_read)
        os.close(to_write)
        self._numbers = itertools.count(1)
        self._answers = {}
        self._came = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        self.ask("Target.setDiscoverTargets", discover=True)

    def _listen(self):
        rest = b""
        while True:
            part = os.read(self._read, 1 << 16)
            if not part:
                return
            *whole, rest = (rest + part).split(b"\0")
            for text in whole:
                answer = json.loads(text)
                with self._came:
                    if "id" in answer:
                        self._answers[answer["id"]] = answer
                        self._came.notify_all()

    def ask(self, method, session=None, **parameters):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        with self._came:
            if not self._came.wait_for(lambda: number in self._answers, PATIENCE):
                raise Failure(f"Chromium did not answer {method}")
            answer = self._answers.pop(number)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']}")
        return answer["result"]

    def pages(self):
        """Returns the tabs, as dictionaries with `targetId`, `url` and `title`."""
        return [one for one in self.ask("Target.getTargets")["targetInfos"] if one["type"] == "page"]

    def open(self, url, behind=False):
        """Opens a tab, in front or behind the others, and returns it once its document is complete."""
        target = self.ask("Target.createTarget", url=url, background=behind)["targetId"]
        return self.tab(target)

    def tab(self, target):
        tab = ChromiumTab(self, target)
        eventually(f"the document of {target}", lambda: tab.run(
            "return location.href !== 'about:blank' && document.readyState === 'complete'"))
        return tab

    def find(self, beginning):
        """Waits for a tab whose address begins like this."""
        def attempt():
            return [one for one in self.pages() if one["url"].startswith(beginning)]
        found = eventually(lambda: f"a tab at {beginning} among {[one['url'] for one in self.pages()]}", attempt)
        return self.tab(found[0]["targetId"])

    def quit(self):
        """Quits as a person does; the profile stays in the home folder."""
        self.ask("Browser.close")
        eventually("the end of Chromium", lambda: self.process.poll() is not None, 30)
        self.close()

    def close(self):
        end(self.process)
        os.close(self._write)
        self.log.close()


class ChromiumTab:
    def __init__(self, browser, target):
        self.browser, self.target = browser, target
        self.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def run(self, script):
        """Runs the body of a function in the page, and returns its value."""
        result = self.browser.ask(
            "Runtime.evaluate", self.session, expression=f"(async () => {{ {script} }})()", awaitPromise=True,
            returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise Failure(f"{script}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def go(self, url):
        self.browser.ask("Page.navigate", self.session, url=url)
        eventually(f"{url}", lambda: self.run("return document.readyState") == "complete"
                   and self.run("return location.href").startswith(url.split("#")[0]))

    def front(self):
        self.browser.ask("Target.activateTarget", targetId=self.target)

    def picture(self, path, width=360, is_dark=False):
        """Makes a picture of the page as it is, which the page does not change any more."""
        self.run(STILL)
        self.front()
        self.browser.ask("Emulation.setEmulatedMedia", self.session, features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}])
        self.browser.ask("Emulation.setDeviceMetricsOverride", self.session, width=width, height=620,
                         deviceScaleFactor=2, mobile=False)
        picture = self.browser.ask("Page.captureScreenshot", self.session, format="png")["data"]
        Path(path).write_bytes(base64.b64decode(picture))

    def close(self):
        """Closes the tab, unless it has closed itself."""
        if any(one["targetId"] == self.target for one in self.browser.pages()):
            self.browser.ask("Target.closeTarget", targetId=self.target)


class Firefox:
    """Firefox on a machine, with the extension from a folder as a temporary add-on.

    Without a folder, Firefox has what the system loads into it. A profile of an earlier run can be used again.
    """

    name = "firefox"

    def __init__(self, machine, folder, hosts, profile=None):
        self.profile = profile or tempfile.mkdtemp(prefix="firefox-", dir=machine.files)
        port_file = Path(self.profile, "MarionetteActivePort")
        port_file.unlink(missing_ok=True)
        # Names of the test lead to this machine, and nothing of Mozilla's is asked for.
        settings = {
            "marionette.port": 0, "network.dns.localDomains": hosts, "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False, "app.normandy.enabled": False,
            "browser.aboutwelcome.enabled": False, "browser.startup.homepage": "about:blank",
            "layout.css.prefers-color-scheme.content-override": 1,
            "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
            "services.settings.server": "data:,", "toolkit.telemetry.enabled": False,
            # Otherwise Firefox ignores the extensions of the system, which its own preferences would load.
            "remote.prefs.recommended": bool(folder),
        }
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});" for key, value in settings.items()]
        Path(self.profile, "user.js").write_text("\n".join(lines) + "\n")
        self.log = open(machine.files / "firefox.log", "w")
        self.process = subprocess.Popen(
            [program("firefox-esr", "firefox"), "--headless", "--marionette", "--remote-allow-system-access",
             "--no-remote", "--width", "1000", "--height", "800", "--profile", self.profile],
            env=machine.environment, stdout=self.log, stderr=self.log, start_new_session=True)
        try:
            self._begin(port_file, folder)
        except BaseException:
            # Nobody else knows of the process yet.
            end(self.process)
            raise
        self.in_front = None

    def _begin(self, port_file, folder):
        """Connects to Firefox, and waits until the extension is in it."""
        port = int(eventually("the port of Marionette", lambda: port_file.exists() and port_file.read_text()))
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._stream = self._socket.makefile("rb")
        self._numbers = itertools.count(1)
        self._receive()
        self.ask("WebDriver:NewSession")
        self.ask("WebDriver:SetTimeouts", script=PATIENCE * 1000)
        if folder:
            self.ask("Addon:Install", path=str(folder), temporary=True)
        self.ask("Marionette:SetContext", value="chrome")
        identifier = eventually("the extension in Firefox", lambda: self.ask(
            "WebDriver:ExecuteScript", args=[],
            script=f"return WebExtensionPolicy.getByID('{FIREFOX_EXTENSION}')?.mozExtensionHostname")["value"], 30)
        self.ask("Marionette:SetContext", value="content")
        self.extension = f"moz-extension://{identifier}/"

    def _receive(self):
        length = b""
        while not length.endswith(b":"):
            byte = self._stream.read(1)
            if not byte:
                raise Failure("Firefox ended")
            length += byte
        return json.loads(self._stream.read(int(length[:-1])))

    def ask(self, name, **parameters):
        text = json.dumps([0, next(self._numbers), name, parameters]).encode()
        self._socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self._receive()
        if error:
            kind = Closed if error.get("error") == "no such window" else Failure
            raise kind(f"{name}: {error.get('error')}: {error.get('message')}")
        return result

    def open(self, url, behind=False):
        # Marionette takes another tab to be in front if the one that it used last is closed.
        handles = self.ask("WebDriver:GetWindowHandles")
        self.ask(
            "WebDriver:SwitchToWindow", handle=self.in_front if self.in_front in handles else handles[0], focus=True)
        handle = self.ask("WebDriver:NewWindow", type="tab", focus=not behind)["handle"]
        tab = FirefoxTab(self, handle)
        if not behind:
            tab.front()
        tab.go(url)
        return tab

    def find(self, beginning):
        def attempt():
            for handle in self.ask("WebDriver:GetWindowHandles"):
                tab = FirefoxTab(self, handle)
                try:
                    if tab.address().startswith(beginning):
                        return tab
                except Closed:
                    # A list closes itself once it has opened a page.
                    continue
            return None
        tab = eventually(f"a tab at {beginning}", attempt)
        eventually(f"the document at {beginning}", lambda: tab.run("return document.readyState") == "complete")
        return tab

    def quit(self):
        """Quits as a person does, and keeps the profile."""
        self.ask("Marionette:Quit", flags=["eAttemptQuit"])
        eventually("the end of Firefox", lambda: self.process.poll() is not None, 30)
        self._release()

    def close(self):
        self._release()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _release(self):
        self._socket.close()
        end(self.process)
        self.log.close()


class FirefoxTab:
    def __init__(self, browser, handle):
        self.browser, self.handle = browser, handle

    def _choose(self, focus=False):
        self.browser.ask("WebDriver:SwitchToWindow", handle=self.handle, focus=focus)

    def address(self):
        self._choose()
        return self.browser.ask("WebDriver:GetCurrentURL")["value"]

    def run(self, script):
        self._choose()
        wrapped = (f"const done = arguments[arguments.length - 1]; (async () => {{ {script} }})()"
                   ".then((value) => done([value ?? null]), (error) => done([null, String(error)]));")
        value = self.browser.ask("WebDriver:ExecuteAsyncScript", script=wrapped, args=[], sandbox=None)["value"]
        if len(value) > 1:
            raise Failure(f"{script}: {value[1]}")
        return value[0]

    def go(self, url):
        self._choose()
        self.browser.ask("WebDriver:Navigate", url=url)

    def front(self):
        self._choose(focus=True)
        self.browser.in_front = self.handle

    def picture(self, path, width=360, is_dark=False):
        """Makes a picture of the page as it is, which the page does not change any more."""
        self.run(STILL)
        self.front()
        self.browser.ask("Marionette:SetContext", value="chrome")
        self.browser.ask(
            "WebDriver:ExecuteScript", args=[int(not is_dark)],
            script="Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', arguments[0])")
        self.browser.ask("Marionette:SetContext", value="content")
        if width < 360:
            self.run(f"document.body.style.maxWidth = '{width}px'")
        picture = self.browser.ask("WebDriver:TakeScreenshot", full=False, hash=False, scroll=False)["value"]
        Path(path).write_bytes(base64.b64decode(picture))

    def close(self):
        """Closes the tab, unless it has closed itself."""
        try:
            self._choose()
            self.browser.ask("WebDriver:CloseWindow")
        except Closed:
            pass
