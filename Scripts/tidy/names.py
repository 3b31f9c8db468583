"""Counts how names and arguments are given in Sources, by module: what makes a search find too much, or nothing."""

import re
from collections import defaultdict

from tidy.repository import bare_code

# Modules whose names and arguments are Apple's.
_APPLES = ("AppIntents", "CoreSpotlight", "Intents", "LocalizedStrings", "UniformTypeIdentifiers", "os")
_OVERLOADS_MOST, _UNLABELLED_MOST, _ASSIGNED_MOST = 3, 4, 3

_MODIFIERS = r"(?:@\w+(?:\([^()]*\))?\s+|\w+(?:\(\w+\))?\s+)*?"
_KINDS = "class|struct|enum|protocol|actor|extension"
_TYPE = re.compile(rf"^[ ]*{_MODIFIERS}(?:{_KINDS})\s+([A-Z]\w*(?:\.\w+)*)", re.MULTILINE)
_ALIAS = re.compile(rf"^[ ]*{_MODIFIERS}(?:typealias|let|var|func)\s+`?(\w+)", re.MULTILINE)
_FUNCTION = re.compile(r"\bfunc\s+`?(\w+)`?\s*(?:<[^({]*>)?\s*\(|\b(init)[?!]?\s*(?:<[^({]*>)?\s*\(|\b(subscript)\s*\(")
_ASSIGNMENT = re.compile(r"^[ ]*(?:let |var )?\(([^()=]*)\)\s*=\s*\(", re.MULTILINE)


def overloads(repository):
    """Functions of which a type has more than three of one name."""
    found = defaultdict(list)
    for module, functions in _by_module(repository, _functions):
        places = defaultdict(list)
        for file, line, scope, name, _ in functions:
            if name not in ("init", "subscript") and scope:
                places[scope, name].append(f"{file}:{line}")
        found[module] = [
            f"{name} of {scope}: {' '.join(lines)}" for (scope, name), lines in sorted(places.items())
            if len(lines) > _OVERLOADS_MOST]
    return _nonempty(found)


def unlabelled(repository):
    """Functions with more than four arguments that have no label."""
    return _nonempty({
        module: [
            f"{file}:{line}: {name} has {count} arguments without a label" for file, line, _, name, arguments in functions
            if (count := sum(bool(re.match(r"\s*_\s", argument)) for argument in arguments)) > _UNLABELLED_MOST]
        for module, functions in _by_module(repository, _functions)})


def assignments(repository):
    """Assignments of more than three names at once: a search for one of them finds nothing."""
    return _nonempty({
        module: list(found) for module, found in _by_module(repository, _wide_assignments)})


def files(repository):
    """Files that are not named for a type that they declare or extend."""
    return _nonempty({
        module: list(found) for module, found in _by_module(repository, _misnamed)})


def _nonempty(found):
    return {module: findings for module, findings in found.items() if findings}


def _by_module(repository, look):
    for module in repository.folders("Sources"):
        if module not in _APPLES:
            yield module, [
                found for file in repository.swift_files(f"Sources/{module}")
                for found in look(file, bare_code(repository.text(file)))]


def _wide_assignments(file, code):
    for match in _ASSIGNMENT.finditer(code):
        names = [name for name in match[1].split(",") if name.strip()]
        if len(names) > _ASSIGNED_MOST:
            yield f"{file}:{_line(code, match)}: {len(names)} names are assigned at once: {', '.join(map(str.strip, names))}"


def _misnamed(file, code):
    name = file.rsplit("/", 1)[1].removesuffix(".swift")
    if name in ("main", "Exports", "Constants", "Functions"):
        return
    wanted = name.split("+")[0]
    has = {part for match in _TYPE.finditer(code) for part in match[1].split(".")}
    # A plural stands for several declarations of a kind, such as calls.
    is_plural = name.endswith("s") and len(re.findall(rf"^{_MODIFIERS}(?:{_KINDS})\b", code, re.MULTILINE)) > 1
    if wanted not in has | {match[1] for match in _ALIAS.finditer(code)} and not is_plural:
        yield f"{file}: nothing in it is called {wanted}"


def _functions(file, code):
    """Yields (file, line, type, name, arguments) of each function; the type is that around it, empty for none."""
    scopes = list(_scopes(code))
    for match in _FUNCTION.finditer(code):
        scope = ""
        for begin, end, name in scopes:
            if begin <= match.start() < end:
                scope = name
        yield file, _line(code, match), scope, match[1] or match[2] or match[3], _arguments(code, match.end())


def _scopes(code):
    """Yields (begin, end, name) of each type and extension, outer ones before inner ones."""
    for match in _TYPE.finditer(code):
        begin = code.find("{", match.end())
        if begin < 0:
            continue
        depth = 0
        for place in range(begin, len(code)):
            depth += (code[place] == "{") - (code[place] == "}")
            if depth == 0:
                yield begin, place, match[1]
                break


def _arguments(code, begin):
    """Returns the arguments from behind an opening parenthesis to its end."""
    depth, last, found = 1, begin, []
    for place in range(begin, len(code)):
        letter = code[place]
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            return found + [code[last:place]]
        if letter == "," and depth == 1:
            found.append(code[last:place])
            last = place + 1
    return found


def _line(code, match):
    return code.count("\n", 0, match.start()) + 1 + len(re.match(r"\s*", match[0])[0].split("\n")) - 1
