"""Finds words that the house does not use: in comments, messages to a person, names of tests, pages and names in code.

Each is counted by area, and `ratchet.txt` says how many an area may still have.
"""

import re
from collections import defaultdict

from tidy.repository import bare_code, tokens

# A sentence that begins so hides its subject, unless it is a question.
OPENING = re.compile(r"(?:Who|Whom|Whose|Whoever|What|Whatever|Of|Nor|Which|That which)\b(?!['’])")
OPENING_OF_TEST_NAME = re.compile(OPENING.pattern, re.IGNORECASE)

# Phrases for which the field has a word.
PHRASES = {
    r"(?:let|lets|letting) go": "garbage-collect, delete or forget",
    r"(?:an aside|asides)": "quarantined write",
    r"at the door": "connecting",
    r"at the most": "at most",
}
_PHRASE = {re.compile(rf"\b{phrase}\b", re.IGNORECASE): better for phrase, better in PHRASES.items()}

# Names that were given up, wherever they are a part of another name.
NAMES = {
    "Belonging": "RosterKeeper",
    "LettingGo": "TombstoneCollector",
    "Mending": "DivergenceRepair",
    "Arrears": "SyncBacklog",
    "Aside": "QuarantinedWrite",
    "Asides": "QuarantinedWrite",
    "Conduct": "PeerAudit",
    "Echoes": "KnownToPeer",
    "Acquaintance": "LastContact",
    "StoreEntrance": "StoreQueues",
    "OwnNames": "JournalPosition",
    "Handing": "Handoff",
}
_NAME = re.compile(
    "|".join(rf"{name}(?![a-z])|(?<![A-Za-z]){name[0].lower()}{name[1:]}(?![a-z])" for name in NAMES))

_INTERPOLATION = re.compile(r"\\#*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+")
_LIST_ITEM = re.compile(r"(?:[-*+]|\d+\.)\s+")
_FENCE = re.compile(r"\s*(?:```|~~~)")


def find(repository):
    """Returns the findings of each area, as "file:line: what" in the order of files."""
    findings = defaultdict(list)
    for file in repository.swift_files():
        _look_at_swift(repository, file, findings[_area(file)])
    for file in repository.files("Scripts", "Makefile", "Dockerfile", "docker-compose.yml"):
        for line, text in _paragraphs(_hash_comments(repository.text(file))):
            _look_at_prose(file, line, text, findings["Scripts"])
    for file in repository.files(*(entry for entry in repository.entries() if entry[0] != "."), suffix=".md"):
        for line, text in _paragraphs(_page(repository.text(file))):
            _look_at_prose(file, line, text, findings["pages"])
    return {area: found for area, found in sorted(findings.items())}


def _area(file):
    parts = file.split("/")
    return "/".join(parts[:2]) if parts[0] == "Sources" else parts[0]


def _look_at_swift(repository, file, findings):
    swift = repository.text(file)
    comments, messages = [], []
    for kind, line, text in tokens(swift):
        if kind == "comment":
            comments.append((line, re.sub(r"^///? ?|^/\*+|\*/$", "", text).strip()))
        elif file.startswith("Sources/"):
            text = _INTERPOLATION.sub("…", text).replace("\\n", "\n")
            messages.extend((line + offset, part.strip()) for offset, part in enumerate(text.split("\n")))
            messages.append((line + text.count("\n") + 2, ""))
    for lines in (comments, messages):
        for line, text in _paragraphs(lines):
            _look_at_prose(file, line, text, findings)
    code = bare_code(swift)
    for match in _NAME.finditer(code):
        line = code.count("\n", 0, match.start()) + 1
        better = NAMES[match[0][0].upper() + match[0][1:]]
        findings.append(f"{file}:{line}: {match[0]} is now {better}")
    for match in _NAME.finditer(file.rsplit("/", 1)[-1]):
        findings.append(f"{file}: the file's name has {match[0]}, which is now {NAMES[match[0]]}")
    for match in re.finditer(r"\bfunc `([^`]+)`", swift):
        if OPENING_OF_TEST_NAME.match(match[1]):
            line = swift.count("\n", 0, match.start()) + 1
            findings.append(f"{file}:{line}: a test's name begins so: {_start(match[1])}")


def _look_at_prose(file, line, text, findings):
    text = re.sub(r"^- (?:[A-Z][a-z]+(?: \w+)?: )?", "", text)
    for sentence in _SENTENCE_END.split(text):
        if OPENING.match(sentence) and not re.search(r"\?[\"”)]*$", sentence):
            findings.append(f"{file}:{line}: a sentence begins so: {_start(sentence)}")
    for phrase, better in _PHRASE.items():
        for match in phrase.finditer(text):
            findings.append(f"{file}:{line}: {match[0]!r}; say {better}")


def _start(sentence):
    return sentence if len(sentence) <= 60 else sentence[:60].rsplit(" ", 1)[0] + " …"


def _paragraphs(lines):
    """Joins (line number, text) that follow each other without an empty line or a list item between them."""
    start, last, joined = None, None, ""
    for line, text in lines:
        if joined and line == last + 1 and text and not _LIST_ITEM.match(text):
            joined += " " + text
        else:
            if joined:
                yield start, joined
            start, joined = line, text
        last = line
    if joined:
        yield start, joined


def _hash_comments(text):
    """Yields the comments of a script, a makefile or the like: lines that begin with #, but for the first."""
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r"\s*#+ (.*)", line)
        if match:
            yield number, match[1].strip()


def _page(text):
    """Yields the lines of a page in Markdown, cells of tables one by one; headings and examples are left out."""
    is_example = False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            is_example = not is_example
        if is_example or _FENCE.match(line) or line.startswith("#"):
            yield number, ""
        elif line.startswith("|"):
            for cell in line.strip("| ").split(" | "):
                yield number, cell.strip()
                yield number, ""
        else:
            yield number, line.strip()
