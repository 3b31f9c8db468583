"""What uses what in Sources: files in a circle, uses upwards between folders, and declarations that nothing uses."""

import re
from collections import defaultdict
from typing import NamedTuple

from tidy import index as compiler

# Their cases can be made without being named: from a number or a text, or all of them.
CASE_ITERABLE = "s:s12CaseIterableP"
RAW_REPRESENTABLE = "s:SY"


class Declaration(NamedTuple):
    symbol: compiler.Symbol
    file: str
    line: int
    is_implicit: bool


class Use(NamedTuple):
    """A place that uses a declaration; `users` are the declarations around it, none for code outside of any."""

    file: str
    line: int
    used: str
    users: tuple
    # It sets a property and does not read it.
    is_write: bool
    # It is the head of an extension of the type.
    is_extension: bool


class Program:
    """The declarations of some files by their USR, and every use of one in these files."""

    def __init__(self, index):
        self.declarations = {}
        self.uses = []
        self._occurrences = index.occurrences
        self._parents, self._extended = {}, {}
        for file, occurrences in self._occurrences.items():
            for symbol, line, roles, relations in occurrences:
                if roles & (compiler.DEFINITION | compiler.DECLARATION):
                    self._declare(symbol, file, line, roles, relations)
                for role, other in relations:
                    if role & compiler.EXTENDED_BY:
                        self._extended[other] = symbol
        for file, occurrences in self._occurrences.items():
            for symbol, line, roles, relations in occurrences:
                used = self.stands_for(symbol.usr)
                # A call of a getter or setter stands beside the use of its property.
                is_accessor = symbol.subkind in compiler.ACCESSORS
                if not roles & compiler.REFERENCE or is_accessor or used not in self.declarations:
                    continue
                users = {
                    self.stands_for(other) for role, other in relations
                    if role & (compiler.CONTAINED_BY | compiler.CALLED_BY | compiler.BASE_OF)}
                is_write = bool(roles & compiler.WRITE) and not roles & compiler.READ
                is_extension = bool(relations) and all(role & compiler.EXTENDED_BY for role, _ in relations)
                self.uses.append(Use(file, line, used, tuple(sorted(users)), is_write, is_extension))

    def _declare(self, symbol, file, line, roles, relations):
        for role, other in relations:
            if role & (compiler.CHILD_OF | compiler.ACCESSOR_OF):
                self._parents[symbol.usr] = other
        if symbol.subkind not in compiler.ACCESSORS and symbol.kind not in (compiler.PARAMETER, compiler.EXTENSION):
            self.declarations[symbol.usr] = Declaration(symbol, file, line, bool(roles & compiler.IMPLICIT))

    def stands_for(self, usr):
        """The declaration behind a symbol: an accessor's property, a parameter's function, an extension's type."""
        while usr not in self.declarations:
            if usr in self._extended:
                return self._extended[usr].usr
            if usr not in self._parents:
                return usr
            usr = self._parents[usr]
        return usr

    def parent(self, usr):
        """The type of a member, wherever that type is declared, or nil."""
        parent = self._parents.get(usr)
        return None if parent is None else self.stands_for(parent)

    def name(self, usr):
        """The name of a declaration with those of the types around it, such as `Journal.Draft.write(_:at:)`."""
        parent = self._parents.get(usr)
        if parent is None:
            return self.declarations[usr].symbol.name
        if parent in self.declarations:
            return f"{self.name(parent)}.{self.declarations[usr].symbol.name}"
        extended = self._extended.get(parent)
        if extended is None:
            return self.declarations[usr].symbol.name
        outer = self.name(extended.usr) if extended.usr in self.declarations else extended.name
        return f"{outer}.{self.declarations[usr].symbol.name}"

    # Circles

    def circles(self):
        """Returns the files of the largest circle of each module, by its name: each uses all others, if only through others.

        A module without a circle is left out.
        """
        used_by = defaultdict(set)
        for use in self.uses:
            file = self.declarations[use.used].file
            if file != use.file and file.split("/")[1] == use.file.split("/")[1]:
                used_by[use.file].add(file)
        largest = {}
        for circle in _circles(used_by):
            module = circle[0].split("/")[1]
            if len(circle) > max(1, len(largest.get(module, ()))):
                largest[module] = sorted(circle)
        return dict(sorted(largest.items()))

    # Unused declarations

    def unused(self, is_exempt=lambda usr: False):
        """Returns what is used by nothing that is itself used, in the order of files.

        A member that meets a requirement of a protocol is used if the requirement is, or if the protocol is declared
        elsewhere. The cases of an enum are used with it where they can be made from a raw value or listed. A property
        that is set and never read is unused. `is_exempt` says what counts as used, with all that it uses.
        """
        leads = defaultdict(set)
        roots = set()
        for use in self.uses:
            if use.is_write or use.is_extension:
                continue
            known = [user for user in use.users if user in self.declarations]
            for user in known:
                leads[user].add(use.used)
            if not known:
                roots.add(use.used)
        lists_cases = set()
        for occurrences in self._occurrences.values():
            for symbol, _, _, relations in occurrences:
                met = self.stands_for(symbol.usr)
                for role, other in relations:
                    if role & compiler.OVERRIDE_OF and met in self.declarations:
                        requirement = self.stands_for(other)
                        leads[requirement if requirement in self.declarations else self.parent(met)].add(met)
                    if role & compiler.BASE_OF and (
                            symbol.usr in (CASE_ITERABLE, RAW_REPRESENTABLE) or symbol.kind == compiler.STRUCT):
                        lists_cases.add(self.stands_for(other))
        for usr, declaration in self.declarations.items():
            parent = self.parent(usr)
            if parent is not None:
                leads[usr].add(parent)
                is_listed = declaration.symbol.kind == compiler.ENUM_CASE and parent in lists_cases
                if is_listed or declaration.symbol.kind == compiler.DESTRUCTOR:
                    leads[parent].add(usr)
            if is_exempt(usr):
                roots.add(usr)
        reached, waiting = set(), list(roots)
        while waiting:
            usr = waiting.pop()
            if usr not in reached:
                reached.add(usr)
                waiting.extend(leads[usr])
        return sorted(
            (usr for usr, declaration in self.declarations.items()
             if usr not in reached and not declaration.is_implicit
             and declaration.symbol.subkind not in (compiler.ASSOCIATED_TYPE, compiler.GENERIC_PARAMETER)),
            key=lambda usr: self.declarations[usr][1:3])


def _circles(used_by):
    """Returns the strongly connected parts of a graph, by the algorithm of Tarjan, without recursion."""
    number, lowest, open_, is_open, circles = {}, {}, [], set(), []
    for root in sorted(used_by):
        if root in number:
            continue
        path = [(root, iter(sorted(used_by[root])))]
        number[root] = lowest[root] = len(number)
        open_.append(root)
        is_open.add(root)
        while path:
            file, rest = path[-1]
            used = next(rest, None)
            if used is None:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[file])
                if lowest[file] == number[file]:
                    place = open_.index(file)
                    circles.append(open_[place:])
                    is_open.difference_update(open_[place:])
                    del open_[place:]
            elif used not in number:
                number[used] = lowest[used] = len(number)
                open_.append(used)
                is_open.add(used)
                path.append((used, iter(sorted(used_by.get(used, ())))))
            elif used in is_open:
                lowest[file] = min(lowest[file], number[used])
    return circles


class Ladder:
    """The order of the folders of each module, as a file writes it down.

    A line at the left edge names a module, and may go on `uses MODULE up to FOLDER, MODULE up to FOLDER`. The lines
    below it, moved in, name its folders, the lowest one first, each with a remark; `.` stands for the files beside the
    folders.
    """

    def __init__(self, text):
        self.folders, self._highest = {}, {}
        for line in text.split("\n"):
            words = line.split()
            if not words or line.startswith("#"):
                continue
            if not line.startswith(" "):
                folders = self.folders[words[0]] = []
                for other, highest in re.findall(r"(\w+) up to ([\w./]+)", line):
                    self._highest[words[0], other] = highest
            else:
                folders.append(words[0])

    def folder(self, file):
        """The module of a file, and the longest listed folder that it is in or nil."""
        _, module, *inner = file.split("/")
        inner = "/".join(inner[:-1])
        fitting = [
            folder for folder in self.folders.get(module, ())
            if inner == folder or inner.startswith(folder + "/") or folder == "." and not inner]
        return module, max(fitting, key=len, default=None)

    def climbs(self, program):
        """Returns the uses upwards, by module and folders: of each name one in a file, "file:line: what"."""
        climbs = defaultdict(dict)
        for use in program.uses:
            declaration = program.declarations[use.used]
            (module, here), (other, there) = self.folder(use.file), self.folder(declaration.file)
            highest = here if module == other else self._highest.get((module, other))
            if highest is None or there is None:
                continue
            order = self.folders[other]
            if order.index(highest) < order.index(there):
                place = there if module == other else f"{other}/{there}"
                climbs[f"{module} {here}>{place}"].setdefault(
                    (use.file, use.used),
                    f"{use.file}:{use.line}: {here} uses {program.name(use.used)} of {place} "
                    f"({declaration.file.rsplit('/', 1)[-1]})")
        return {key: list(found.values()) for key, found in sorted(climbs.items())}
