"""The files that the rules look at, below one folder: the repository, or what the self-test plants."""

import re
from pathlib import Path

SWIFT_FOLDERS = ("Sources", "Tests", "Fuzzing", "Benchmarks", "Mutants", "Examples")

# A string of several lines, or of one, or a comment; a string may hold what looks like a comment, and an interpolation
# may hold strings.
_TOKEN = re.compile(
    r"""(?P<hashes>\#*)\"\"\"(?P<lines>.*?)\"\"\"(?P=hashes)
      | (?P<marks>\#*)"(?P<text>
            (?: \\\((?:[^()"\n] | "[^"\n]*" | \((?:[^()\n] | \([^()\n]*\))*\))*\) | \\. | [^"\\\n] )*
        )"(?P=marks)
      | (?P<comment>//[^\n]*|/\*.*?\*/)""",
    re.VERBOSE | re.DOTALL,
)


class Repository:
    """Reads files below a folder, each once; paths are relative to that folder."""

    def __init__(self, root):
        self.root = Path(root)
        self._texts = {}

    def text(self, path):
        """Returns what a file says; none for a file that is no text."""
        if path not in self._texts:
            try:
                self._texts[path] = (self.root / path).read_text(encoding="utf-8")
            except UnicodeDecodeError:
                self._texts[path] = ""
        return self._texts[path]

    def write(self, path, text):
        (self.root / path).write_text(text, encoding="utf-8")
        self._texts[path] = text

    def files(self, *places, suffix=""):
        """Returns the files that a place is or has below it, sorted; a place that is not there has none."""
        found = set()
        for place in places:
            path = self.root / place
            if path.is_file() and place.endswith(suffix):
                found.add(place)
            for file in path.rglob("*" + suffix) if path.is_dir() else ():
                if file.is_file() and "__pycache__" not in file.parts:
                    found.add(str(file.relative_to(self.root)))
        return sorted(found)

    def swift_files(self, *places):
        return self.files(*(places or SWIFT_FOLDERS), suffix=".swift")

    def entries(self):
        """Returns the names of the files and folders at the top, sorted."""
        return sorted(entry.name for entry in self.root.iterdir())

    def folders(self, place):
        """Returns the names of the folders in a place, sorted."""
        path = self.root / place
        return sorted(entry.name for entry in path.iterdir() if entry.is_dir()) if path.is_dir() else []

    def code_lines(self, *places):
        """Yields (file, line number, code, line) for each line of Swift; the code is the line without its comment."""
        for file in self.swift_files(*places):
            for number, line in enumerate(self.text(file).split("\n"), 1):
                yield file, number, re.sub(r'(^|[^:"])//.*', r"\1", line), line


def tokens(swift):
    """Yields (kind, line number, text) for each comment ("comment") and string literal ("string") of Swift code."""
    line, position = 1, 0
    for match in _TOKEN.finditer(swift):
        line += swift.count("\n", position, match.start())
        position = match.start()
        if match["comment"] is not None:
            yield "comment", line, match["comment"]
        else:
            yield "string", line, match["lines"] if match["lines"] is not None else match["text"]


def bare_code(swift):
    """Returns Swift code with comments and string literals blanked out; what is left keeps its place."""
    return _TOKEN.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), swift)
