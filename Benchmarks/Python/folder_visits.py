"""Prints the folder visits of a shell's history, as a trace for `make bench ONLY=suggestions TRACES=FILE`.

Usage: folder_visits.py HISTORY >TRACE

It reads an extended history of zsh, a history of fish, or one of bash with times, and follows `cd`, `pushd`, `z` and
`j`. A history says neither the folder nor the shell of a command. So a pause of an hour is taken for a new shell at home;
a name that leads nowhere known is taken for the folder of that name that was visited last, as another shell may have
been there; and `z` goes to the folder visited last whose path has the words. A folder that is left within five seconds
is no visit. Each line has the seconds since 1970, a tab, and the folder.
"""

import posixpath
import re
import sys

PAUSE, PASSING = 3600, 5


def unescaped(raw):
    """The bytes of a zsh history, in which some are written as two."""
    out, place = bytearray(), 0
    while place < len(raw):
        if raw[place] == 0x83 and place + 1 < len(raw):
            out.append(raw[place + 1] ^ 32)
            place += 2
        else:
            out.append(raw[place])
            place += 1
    return bytes(out)


def commands(raw):
    """The commands of a history with their times, in order."""
    found = []
    if b"- cmd: " in raw[:4000]:
        command = None
        for line in raw.decode("utf-8", "replace").split("\n"):
            if line.startswith("- cmd: "):
                command = line[7:]
            elif command is not None and (time := re.match(r"\s+when: (\d+)", line)):
                found.append((int(time[1]), command))
                command = None
    elif re.search(rb"^#\d{9,10}$", raw, re.M):
        time = None
        for line in raw.decode("utf-8", "replace").split("\n"):
            if re.match(r"#\d{9,10}$", line):
                time = int(line[1:])
            elif time is not None:
                found.append((time, line))
                time = None
    else:
        for line in unescaped(raw).decode("utf-8", "replace").split("\n"):
            if parts := re.match(r": (\d+):\d+;(.*)", line):
                found.append((int(parts[1]), parts[2]))
    return sorted(found, key=lambda pair: pair[0])


class Shell:
    def __init__(self):
        self.folder, self.before, self.visited = "~", "~", []

    def go(self, folder):
        if folder == self.folder:
            return False
        self.before, self.folder = self.folder, folder
        if folder in self.visited:
            self.visited.remove(folder)
        self.visited.append(folder)
        return True

    def last(self, fits):
        return next((folder for folder in reversed(self.visited) if fits(folder)), None)

    def target(self, word, arguments):
        """The folder to which a command goes; None if it can't be told."""
        if any(sign in argument for argument in arguments for sign in "$`*|>&("):
            return None
        argument = arguments[0] if arguments else "~"
        if word in ("z", "j"):
            words = [argument.lower() for argument in arguments]
            known = self.last(lambda folder: all(word in folder.lower() for word in words))
            return known or ("~/?" + argument if arguments else "~")
        if argument == "-":
            return self.before
        argument = re.sub(r"^/(home|Users)/[^/]+", "~", argument)
        if argument.startswith("~"):
            return ("~" + posixpath.normpath("/" + argument[1:])).rstrip("/")
        if argument.startswith("/"):
            return posixpath.normpath(argument)
        whole = posixpath.normpath(posixpath.join(self.folder.replace("~", "/HOME", 1), argument))
        whole = whole.replace("/HOME", "~", 1)
        if whole not in self.visited and not argument.startswith("."):
            return self.last(lambda folder: folder.endswith("/" + argument.rstrip("/"))) or whole
        return whole


def visits(raw):
    shell, moves, last = Shell(), [], 0
    for time, command in commands(raw):
        if time - last > PAUSE:
            shell.folder = "~"
        last = time
        for part in re.split(r"&&|;", command):
            words = part.split()
            if not words or words[0] not in ("cd", "pushd", "z", "j", ".."):
                continue
            if words[0] == "..":
                words = ["cd", ".."]
            arguments = [word.replace("\\", "").strip("\"'") for word in words[1:]]
            arguments = [word for word in arguments if not word.startswith("-") or word == "-"]
            folder = shell.target(words[0], arguments)
            if folder is not None and shell.go(folder):
                moves.append((time, folder))
    made = []
    for place, (time, folder) in enumerate(moves):
        passes = place + 1 < len(moves) and moves[place + 1][0] - time < PASSING
        if not passes and not (made and made[-1][1] == folder):
            made.append((time, folder))
    return made


with open(sys.argv[1], "rb") as file:
    for time, folder in visits(file.read()):
        print(f"{time}\t{folder}")
