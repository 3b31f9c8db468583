"""The rules of the house that neither the compiler nor swift format knows. Each returns what breaks it, a line each."""

import fnmatch
import re
from collections import defaultdict
from functools import cached_property

from tidy import links, names, words
from tidy.index import ENUM_CASE, PROTOCOL, Index
from tidy.ratchet import Ratchet
from tidy.repository import SWIFT_FOLDERS
from tidy.uses import Ladder, Program

CONFIGURATION = "Scripts/tidy"
FOLDERS, UNUSED, COUNTS = (f"{CONFIGURATION}/{name}.txt" for name in ("folders", "unused", "counts"))
VERSION = "Sources/BatonCore/Values/Build.swift"
INDEX = ".build/debug/index/store"

# Each C library has one module that imports it.
C_MODULES = {"BatonNetwork": "CLinux", "BatonSecurity": "COpenSSL", "BatonStore": "CSQLite",
             "BatonLogin": "CSystemd"}


class House:
    """A repository with the rules that it is checked by."""

    def __init__(self, repository):
        self.repository = repository

    @cached_property
    def program(self):
        root = self.repository.root
        return Program(
            Index(root / INDEX, {file: root / file for file in self.repository.swift_files("Sources")}))

    @cached_property
    def ladder(self):
        return Ladder(self.repository.text(FOLDERS))

    # MARK: Rules that read the text

    def no_forced_error(self):
        """no error is forced away with try!"""
        return self._lines(r"try!", *SWIFT_FOLDERS)

    def nothing_unfinished(self):
        """nothing is left for later in a comment"""
        unfinished = re.compile(r"\b(?:TO" r"DO|FIX" r"ME)\b")
        places = (*SWIFT_FOLDERS, "Scripts", "Docker", "Package.swift", "Makefile", "Dockerfile", "docker-compose.yml")
        return [
            f"{file}:{number}: {line.strip()}" for file in self.repository.files(*places)
            for number, line in enumerate(self.repository.text(file).split("\n"), 1) if unfinished.search(line)]

    def reasons_for_unchecked(self):
        """each @unchecked Sendable and nonisolated(unsafe) has its reason on the line above"""
        findings, last, has_reason = [], None, False
        for file, number, code, line in self.repository.code_lines():
            if file != last:
                last, has_reason = file, False
            if re.search(r"@unchecked +Sendable|nonisolated\(unsafe\)", code) and not has_reason:
                findings.append(f"{file}:{number}: {line.strip()}")
            # Attributes may stand between a declaration and its comment.
            if not re.fullmatch(r" *@[A-Za-z]+(\([^)]*\))? *", line):
                has_reason = bool(re.match(r" *//", line))
        return findings

    def one_type_a_name(self):
        """no two types in Sources have one name"""
        # A reader who looks a name up finds one thing. A type within a type has the outer name before it.
        places = defaultdict(list)
        for file, number, code, _ in self.repository.code_lines("Sources"):
            match = re.match(
                r"(?:@[A-Za-z()]+ |[a-z]+ )*(?:class|struct|enum|protocol|actor|typealias) ([A-Z]\w*)", code)
            if match:
                places[match[1]].append(f"{file}:{number}")
        return [f"{name}: {' '.join(found)}" for name, found in sorted(places.items()) if len(found) > 1]

    def one_importer_of_each_c_library(self):
        """each C library is imported by one module"""
        return [
            finding for owner, library in C_MODULES.items()
            for finding in self._imports(library, *(
                f"Sources/{module}" for module in self.repository.folders("Sources") if module != owner))]

    def core_imports_nothing(self):
        """BatonCore imports nothing but Swift's own library"""
        return self._imports(r"(?!(?:Swift|Synchronization)$)\w+", "Sources/BatonCore")

    def no_foundation(self):
        """neither a Baton library nor an executable imports Foundation"""
        ours = [module for module in self.repository.folders("Sources") if module.lower().startswith("baton")]
        return self._imports(r"Foundation[A-Za-z]*", *(f"Sources/{module}" for module in ours))

    def no_mistakes_in_sources(self):
        """no mistake is planted in Sources: they stand in Mutants/Mistakes"""
        return self._lines(r"isPlanted", "Sources")

    def one_version(self):
        """the manifest of the extension and the plugin for Emacs have the version of Build.swift"""
        built = re.search(r'let version = "([^"]+)"', self.repository.text(VERSION))
        if not built:
            return [f"{VERSION}: no version was found"]
        copies = {
            "Browser/manifest.json": r'"version": "([^"]+)"', "Editors/emacs/baton.el": r"(?m)^;; Version: (.+)$"}
        found = {file: re.findall(pattern, self.repository.text(file)) for file, pattern in copies.items()}
        return [
            f"{file}: {', '.join(versions) or 'no version'}, where {VERSION} has {built[1]}"
            for file, versions in found.items() if versions != [built[1]]]

    def plain_words(self):
        """prose and names are plain (Scripts/tidy/words.py)"""
        return self._counts("words").exceeded(words.find(self.repository))

    def few_overloads(self):
        """a type has at most three functions of one name"""
        return self._counts("overloads").exceeded(names.overloads(self.repository))

    def labelled_arguments(self):
        """at most four arguments of a function have no label"""
        return self._counts("unlabelled").exceeded(names.unlabelled(self.repository))

    def few_names_assigned(self):
        """at most three names are assigned at once"""
        return self._counts("assignments").exceeded(names.assignments(self.repository))

    def files_named(self):
        """a file is named for a type that it declares or extends"""
        return self._counts("files").exceeded(names.files(self.repository))

    def links_lead_somewhere(self):
        """links of pages and comments lead to files and headings that exist (Scripts/tidy/links.py)"""
        return links.find(self.repository)

    def _lines(self, pattern, *places):
        return [
            f"{file}:{number}: {line.strip()}"
            for file, number, code, line in self.repository.code_lines(*places) if re.search(pattern, code)]

    def _imports(self, modules, *places):
        if not places:
            return []
        return self._lines(
            r"^ *(@[A-Za-z_()]+ +)*((public|package|internal|fileprivate|private) +)?import +"
            rf"((struct|class|enum|protocol|typealias|func|let|var) +)?({modules})([. ]|$)", *places)

    # MARK: Rules that read the compiler's index

    def folders_in_order(self):
        """folders use only what is below them (Scripts/tidy/folders.txt)"""
        findings = []
        for module in self.repository.folders("Sources"):
            files = self.repository.swift_files(f"Sources/{module}")
            if module not in self.ladder.folders and len({file.rsplit("/", 1)[0] for file in files}) > 1:
                findings.append(f"{FOLDERS} does not say the order of the folders of {module}")
            if module in self.ladder.folders:
                placed = {file: self.ladder.folder(file)[1] for file in files}
                findings += [f"{file}: its folder is not in {FOLDERS}" for file in files if placed[file] is None]
                findings += [
                    f"{FOLDERS}: {module} has no files in {folder}" for folder in self.ladder.folders[module]
                    if folder not in placed.values()]
        return findings + self._counts("folders").exceeded(self.ladder.climbs(self.program))

    def small_circles(self):
        """no circle of files that use each other grows"""
        return self._counts("circles").exceeded(self.program.circles())

    def nothing_unused(self):
        """nothing in Sources is unused (Scripts/tidy/unused.txt)"""
        unused = {self.program.name(usr) for usr in self.program.unused(self._is_for_others)}
        return self._counts("unused").exceeded(self._unused) + [
            f"{UNUSED}: {pattern} is used, or not there: remove the line" for pattern in self._may_be_unused
            if not any(fnmatch.fnmatchcase(name, pattern) for name in unused)]

    @cached_property
    def _may_be_unused(self):
        """The patterns of names that may be unused; behind each stands, after two spaces, why."""
        return [
            re.split(r"\s{2,}", line)[0] for line in self.repository.text(UNUSED).split("\n")
            if line and line[0] not in "#["]

    @cached_property
    def _unused(self):
        """The unused declarations of each module but for those that may be."""
        found = defaultdict(list)
        for usr in self.program.unused(lambda usr: self._is_for_others(usr) or any(
                fnmatch.fnmatchcase(self.program.name(usr), pattern) for pattern in self._may_be_unused)):
            declaration = self.program.declarations[usr]
            found[declaration.file.split("/")[1]].append(
                f"{declaration.file}:{declaration.line}: nothing uses {self.program.name(usr)}")
        return found

    def _is_for_others(self, usr):
        """Whether a declaration is public in a module that other packages can import.

        A case of an enum and a requirement of a protocol are if the type is.
        """
        declaration = self.program.declarations[usr]
        if declaration.file.split("/")[1] not in self._products:
            return False
        lines = self.repository.text(declaration.file).split("\n")
        if re.match(r" *(?:@\w+(?:\(.*?\))? +|\w+ +|\w+\(\w+\) +)*?(?:public|open) ", lines[declaration.line - 1]):
            return True
        parent = self.program.parent(usr)
        if parent not in self.program.declarations:
            return False
        is_part = declaration.symbol.kind == ENUM_CASE or self.program.declarations[parent].symbol.kind == PROTOCOL
        return is_part and self._is_for_others(parent)

    @cached_property
    def _products(self):
        """The modules that other packages can import, by the manifest."""
        targets = re.findall(r"\.library\([^)]*?targets: \[([^]]*)\]", self.repository.text("Package.swift"))
        return {name for names in targets for name in re.findall(r'"(\w+)"', names)}

    # MARK: Counts that may only fall

    def _counts(self, kind):
        return Ratchet(self.repository, COUNTS, kind)

    # The findings of each kind of count, by the name in the file of counts.
    COUNTED = {
        "folders": lambda self: self.ladder.climbs(self.program),
        "circles": lambda self: self.program.circles(),
        "unused": lambda self: self._unused,
        "words": lambda self: words.find(self.repository),
        "overloads": lambda self: names.overloads(self.repository),
        "unlabelled": lambda self: names.unlabelled(self.repository),
        "assignments": lambda self: names.assignments(self.repository),
        "files": lambda self: names.files(self.repository),
    }

    def found(self, kind):
        """All that is counted of a kind, by name."""
        return self.COUNTED[kind](self)

    def lower(self):
        """Lowers each count to what is there now; returns what was changed, a line each."""
        return [change for kind in self.COUNTED for change in self._counts(kind).lower(self.found(kind))]

    TEXT_RULES = (
        no_forced_error, nothing_unfinished, reasons_for_unchecked, one_type_a_name, one_importer_of_each_c_library,
        core_imports_nothing, no_foundation, no_mistakes_in_sources, one_version, plain_words, few_overloads, labelled_arguments,
        few_names_assigned, files_named, links_lead_somewhere)
    INDEX_RULES = (folders_in_order, small_circles, nothing_unused)

