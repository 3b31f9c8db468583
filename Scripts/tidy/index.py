"""Reads the index that the Swift compiler writes while it builds for debugging, through the toolchain's libIndexStore.

The compiler knows which declaration each name in the code stands for, members of extensions and inferred ones too. It
writes that down for editors; here it is read to find out which file uses which.
"""

import ctypes
import json
import subprocess
from ctypes import CFUNCTYPE, POINTER, byref, c_bool, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint64, c_void_p
from pathlib import Path
from typing import NamedTuple

# Numbers of indexstore.h, in usr/local/include/indexstore of the toolchain.
DECLARATION, DEFINITION, REFERENCE, READ, WRITE, CALL = 1, 2, 4, 8, 16, 32
IMPLICIT = 1 << 8
CHILD_OF, BASE_OF, OVERRIDE_OF, EXTENDED_BY, ACCESSOR_OF = 1 << 9, 1 << 10, 1 << 11, 1 << 14, 1 << 15
CALLED_BY, CONTAINED_BY = 1 << 13, 1 << 16
RECORD_DEPENDENCY = 2

ENUM, STRUCT, CLASS, PROTOCOL, EXTENSION, TYPE_ALIAS = 5, 6, 7, 8, 9, 11
ENUM_CASE, CONSTRUCTOR, DESTRUCTOR, PARAMETER = 15, 22, 23, 25
TYPES = {ENUM, STRUCT, CLASS, PROTOCOL, TYPE_ALIAS}
ASSOCIATED_TYPE, GENERIC_PARAMETER = 1012, 1013
ACCESSORS = {3, 4, *range(1000, 1004), *range(1014, 1019)}


class IndexUnusable(Exception):
    """The index is not there, or is older than the code; the text says what to do."""


class Symbol(NamedTuple):
    """A declaration; `usr` names it in all files."""

    usr: str
    name: str
    kind: int
    subkind: int


class Occurrence(NamedTuple):
    """A place in a file where a symbol is declared or used, and how it is related to others there."""

    symbol: Symbol
    line: int
    roles: int
    relations: tuple  # pairs of roles and the USR of the other symbol


class _Text(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


_VISIT = CFUNCTYPE(c_bool, c_void_p, c_void_p)
_VISIT_NAME = CFUNCTYPE(c_bool, c_void_p, _Text)

_FUNCTIONS = {
    "error_get_description": (c_char_p, c_void_p),
    "store_create": (c_void_p, c_char_p, POINTER(c_void_p)),
    "store_dispose": (None, c_void_p),
    "store_units_apply_f": (c_bool, c_void_p, c_uint, c_void_p, _VISIT_NAME),
    "store_get_unit_modification_time": (
        c_bool, c_void_p, c_char_p, POINTER(c_int64), POINTER(c_int64), POINTER(c_void_p)),
    "unit_reader_create": (c_void_p, c_void_p, c_char_p, POINTER(c_void_p)),
    "unit_reader_dispose": (None, c_void_p),
    "unit_reader_get_main_file": (_Text, c_void_p),
    "unit_reader_dependencies_apply_f": (c_bool, c_void_p, c_void_p, _VISIT),
    "unit_dependency_get_kind": (c_int, c_void_p),
    "unit_dependency_get_name": (_Text, c_void_p),
    "record_reader_create": (c_void_p, c_void_p, c_char_p, POINTER(c_void_p)),
    "record_reader_dispose": (None, c_void_p),
    "record_reader_occurrences_apply_f": (c_bool, c_void_p, c_void_p, _VISIT),
    "occurrence_get_symbol": (c_void_p, c_void_p),
    "occurrence_get_roles": (c_uint64, c_void_p),
    "occurrence_get_line_col": (None, c_void_p, POINTER(c_uint), POINTER(c_uint)),
    "occurrence_relations_apply_f": (c_bool, c_void_p, c_void_p, _VISIT),
    "symbol_relation_get_roles": (c_uint64, c_void_p),
    "symbol_relation_get_symbol": (c_void_p, c_void_p),
    "symbol_get_name": (_Text, c_void_p),
    "symbol_get_usr": (_Text, c_void_p),
    "symbol_get_kind": (c_int, c_void_p),
    "symbol_get_subkind": (c_int, c_void_p),
}


class _Library:
    """libIndexStore of the toolchain that `swiftc` belongs to; each function of `_FUNCTIONS` is a member."""

    def __init__(self):
        target = subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True)
        resources = Path(json.loads(target.stdout)["paths"]["runtimeResourcePath"])
        path = resources.parent / "libIndexStore.so"
        if not path.exists():
            raise IndexUnusable(f"the Swift toolchain has no {path}, which reads the compiler's index")
        library = ctypes.CDLL(str(path))
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, "indexstore_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


class Index:
    """What the compiler knew of each of some source files when it compiled them last."""

    def __init__(self, store, files):
        """Reads the store for files, by the names that they are to have here.

        Fails with `IndexUnusable` if the store does not know them as they are now.
        """
        if not Path(store).is_dir():
            raise IndexUnusable(f"{store} is not there; run `swift build` first")
        self._library = _Library()
        error = c_void_p()
        self._store = self._library.store_create(str(store).encode(), byref(error))
        if not self._store:
            raise IndexUnusable(
                f"{store} can't be read ({self._library.error_get_description(error).decode()}); "
                "run `swift package clean` and `swift build`")
        self._symbols = {}
        try:
            records = self._records({str(Path(path).resolve()): name for name, path in files.items()})
            self.occurrences = {file: self._occurrences(records[file]) for file in files}
        finally:
            self._library.store_dispose(self._store)

    def _records(self, files):
        """Finds the record of each file, by its path: that of the newest unit that was compiled from it."""
        names = []

        def visit_name(_, name):
            names.append(str(name).encode())
            return True

        self._library.store_units_apply_f(self._store, 0, None, _VISIT_NAME(visit_name))
        newest = {}
        for name in names:
            unit = self._library.unit_reader_create(self._store, name, None)
            if not unit:
                continue  # written while it is read, by a build that goes on; the file counts as not compiled
            file = files.get(str(self._library.unit_reader_get_main_file(unit)))
            if file is not None:
                seconds, rest = c_int64(), c_int64()
                self._library.store_get_unit_modification_time(
                    self._store, name, byref(seconds), byref(rest), None)
                time = seconds.value * 10**9 + rest.value
                if time > newest.get(file, (0, None))[0]:
                    newest[file] = (time, self._record_of(unit))
            self._library.unit_reader_dispose(unit)
        stale = sorted(
            name for path, name in files.items() if newest.get(name, (0, None))[0] < Path(path).stat().st_mtime_ns)
        if stale:
            others = f" and {len(stale) - 1} others" if len(stale) > 1 else ""
            raise IndexUnusable(f"{stale[0]}{others} changed since the last build; run `swift build` first")
        return {file: record for file, (_, record) in newest.items()}

    def _record_of(self, unit):
        records = []

        def visit(_, dependency):
            if self._library.unit_dependency_get_kind(dependency) == RECORD_DEPENDENCY:
                records.append(str(self._library.unit_dependency_get_name(dependency)).encode())
            return True

        self._library.unit_reader_dependencies_apply_f(unit, None, _VISIT(visit))
        # A file without a single name has no record.
        return records[0] if records else None

    def _occurrences(self, record):
        if record is None:
            return []
        library, found, known = self._library, [], {}
        line, column = c_uint(), c_uint()
        relations = []

        def symbol(pointer):
            if pointer not in known:
                usr = str(library.symbol_get_usr(pointer))
                if usr not in self._symbols:
                    self._symbols[usr] = Symbol(
                        usr, str(library.symbol_get_name(pointer)), library.symbol_get_kind(pointer),
                        library.symbol_get_subkind(pointer))
                known[pointer] = self._symbols[usr]
            return known[pointer]

        def visit_relation(_, relation):
            other = symbol(library.symbol_relation_get_symbol(relation))
            relations.append((library.symbol_relation_get_roles(relation), other.usr))
            return True

        visitor = _VISIT(visit_relation)

        def visit(_, occurrence):
            library.occurrence_get_line_col(occurrence, byref(line), byref(column))
            relations.clear()
            library.occurrence_relations_apply_f(occurrence, None, visitor)
            found.append(
                Occurrence(
                    symbol(library.occurrence_get_symbol(occurrence)), line.value,
                    library.occurrence_get_roles(occurrence), tuple(relations)))
            return True

        reader = library.record_reader_create(self._store, record, None)
        if not reader:
            raise IndexUnusable("a part of the index is missing; run `swift package clean` and `swift build`")
        library.record_reader_occurrences_apply_f(reader, None, _VISIT(visit))
        library.record_reader_dispose(reader)
        return found
