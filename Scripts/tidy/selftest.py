"""Plants a mistake for each rule in a small repository of its own, and sees that the rule finds it there."""

import subprocess
import sys
import tempfile
from pathlib import Path

from tidy.index import IndexUnusable
from tidy.repository import Repository
from tidy.rules import COUNTS, FOLDERS, INDEX, UNUSED, VERSION, House

# The rule, the files that are planted, and what the rule must find, each finding once.
PLANTED = [
    (House.no_forced_error, {"Tests/Some.swift": "let value = try! read()  // try! here is a remark"}, [
        "Tests/Some.swift:1: "]),
    (House.nothing_unfinished, {"Makefile": "# FIX" "ME: later\n", "Sources/A/A.swift": "// TO" "DO\n"}, [
        "Makefile:1: ", "Sources/A/A.swift:1: "]),
    (House.reasons_for_unchecked, {
        "Sources/A/A.swift": "final class A: @unchecked Sendable {}\n",
        "Sources/A/B.swift": "// A reason.\n@frozen\nstruct B: @unchecked Sendable {}\n\n"
        "nonisolated(unsafe) var global = 0\n"}, [
        "Sources/A/A.swift:1: ", "Sources/A/B.swift:5: "]),
    (House.one_type_a_name, {
        "Sources/A/A.swift": "package struct Same {}\nenum Other {}\n",
        "Sources/B/B.swift": "private class Same {}\n"}, [
        "Same: Sources/A/A.swift:1 Sources/B/B.swift:1"]),
    (House.one_importer_of_each_c_library, {
        "Sources/BatonNetwork/A.swift": "import CLinux\n", "Sources/BatonStore/A.swift": "internal import CLinux\n",
        "Sources/baton/A.swift": "import CSQLite\nimport COpenSSL\n"}, [
        "Sources/BatonStore/A.swift:1: ", "Sources/baton/A.swift:1: ", "Sources/baton/A.swift:2: "]),
    (House.core_imports_nothing, {
        "Sources/BatonCore/A.swift": "import Swift\nimport Synchronization\nprivate import struct Foundation.Data\n"}, [
        "Sources/BatonCore/A.swift:3: "]),
    (House.no_foundation, {
        "Sources/BatonStore/A.swift": "import FoundationEssentials\n",
        "Sources/CoreSpotlight/A.swift": "import Foundation\n"}, [
        "Sources/BatonStore/A.swift:1: "]),
    (House.no_mistakes_in_sources, {
        "Sources/A/A.swift": "func read() {\n    if Faults.isPlanted(.late) { return }\n}\n",
        "Tests/Some.swift": "let isLate = Faults.isPlanted(.late)\n"}, [
        "Sources/A/A.swift:2: "]),
    (House.one_version, {
        VERSION: 'static let version = "1.2.3"\n', "Browser/manifest.json": '{"version": "1.2.2"}\n',
        "Editors/emacs/baton.el": ";; Version: 1.2.3\n"}, [
        "Browser/manifest.json: 1.2.2, where "]),
    (House.one_version, {
        VERSION: 'static let version = "1.2.3"\n', "Browser/manifest.json": '{"version": "1.2.3"}\n',
        "Editors/emacs/baton.el": ";; A plugin.\n"}, [
        "Editors/emacs/baton.el: no version, where "]),
    (House.plain_words, {
        "Sources/A/Handing.swift": "/// Returns it.\n/// What it is.\nfunc lettingGo() {}\n"
        "let text = \"Yes. Which \\(name)\"\n// What is it?\n",
        "Tests/ATests.swift": "func `what is lost stays so`() {}\n// It is let\n// go.\n",
        "Scripts/run": "#!/bin/sh\n# Of these, one.\n",
        "README.md": "# What this is\n\nIt is.\nWhoever reads this.\n"}, [
        "Sources/A/Handing.swift:1: a sentence begins so: What it is.", "Sources/A/Handing.swift:3: lettingGo is now ",
        "Sources/A/Handing.swift:4: a sentence begins so: Which …", "Sources/A/Handing.swift: the file's name ",
        "Tests/ATests.swift:1: a test's name begins so: what is lost stays so",
        "Tests/ATests.swift:2: 'let go'; say ",
        "Scripts/run:2: a sentence begins so: Of these", "README.md:3: a sentence begins so: Whoever reads this."]),
    (House.plain_words, {"Sources/A/A.swift": "// Of one.\n// Of two.\n", COUNTS: "words Sources/A 1\n"}, [
        "Sources/A: 2, where Scripts/tidy/counts.txt allows 1; "]),
    (House.plain_words, {"Sources/A/A.swift": "// Of one.\n", COUNTS: "words Sources/A 1\n"}, []),
    (House.plain_words, {"Sources/A/A.swift": "// One.\n", COUNTS: "words Sources/A 1\n"}, [
        "Sources/A: 0, where Scripts/tidy/counts.txt still allows 1; "]),
    (House.few_overloads, {
        "Sources/A/A.swift": "struct A {\n    func put(_ one: Int) {}\n    func put(_ one: Bool) {}\n    func get() {}\n}\n",
        "Sources/A/A+More.swift": "extension A {\n    func put() {}\n    struct B { func put() {} }\n    func put(x: Int) {}\n}\n",
        "Sources/B/B.swift": "func put() {}\nfunc put(a: Int) {}\nfunc put(b: Int) {}\nfunc put(c: Int) {}\n"}, [
        "put of A: Sources/A/A+More.swift:2 Sources/A/A+More.swift:4 Sources/A/A.swift:2 Sources/A/A.swift:3"]),
    (House.labelled_arguments, {
        "Sources/A/A.swift": "func a(_ a: Int, _ b: [Int], _ c: (Int, Int), _ d: Int) {}\n"
        "struct B {\n    init(\n        _ a: Int, _ b: Int, c: Int,\n        _ d: Int, _ e: (_ x: Int) -> Void, _ f: Int) {}\n}\n"}, [
        "Sources/A/A.swift:3: init has 5 arguments without a label"]),
    (House.few_names_assigned, {
        "Sources/A/A.swift": "let (a, b, c) = (1, 2, 3)\nstruct B {\n    init() {\n        (d, self.e, f, g) = (1, 2, 3, 4)\n    }\n}\n"}, [
        "Sources/A/A.swift:4: 4 names are assigned at once: d, self.e, f, g"]),
    (House.files_named, {
        "Sources/A/Calls.swift": "struct One {}\nstruct Two {}\n", "Sources/A/Lost.swift": "struct Found {}\n",
        "Sources/A/One+More.swift": "extension One {}\n", "Sources/A/Two+More.swift": "extension One {}\n",
        "Sources/A/main.swift": "print(1)\n"}, [
        "Sources/A/Lost.swift: nothing in it is called Lost", "Sources/A/Two+More.swift: nothing in it is called Two"]),
    (House.links_lead_somewhere, {
        "README.md": "# It is\n[a](Sources/A/A.docc/A.md#one-two) [b](B.md) ![c](c.svg) <img src=\"d.svg\">\n"
        "[e](#it-is) [f](#it-was) [g](https://example.org/) `[h](h)`\n```\n[i](i)\n```\n[j](../README.md)\n",
        "Sources/A/A.docc/A.md": "# A\n\n## One, `two`\n\n[a](../../../README.md) [b](A.md#three) <doc:A>\n\n"
        "## Topics\n\n### All\n\n- <doc:A>\n- [it](doc:A#One-two)\n- <doc:Away>\n",
        "Sources/A/A.swift": "/// See <doc:A#One-two>.\n/// <doc:Away> says more.\nlet text = \"<doc:Away>\"\n"}, [
        "README.md:2: B.md: no such file", "README.md:2: c.svg: no such file", "README.md:2: d.svg: no such file",
        "README.md:3: #it-was: README.md has no such heading", "README.md:7: ../README.md: no such file",
        "Sources/A/A.docc/A.md:5: A.md#three: Sources/A/A.docc/A.md has no such heading",
        "Sources/A/A.docc/A.md:5: doc:A: DocC alone ", "Sources/A/A.docc/A.md:13: doc:Away: the catalogue has no ",
        "Sources/A/A.swift:2: doc:Away: the catalogue has no such page"]),
]

# A program of two folders for the rules that read the compiler's index.
PROGRAM = {
    "Sources/Program/Low/Low.swift": """
        struct Low: CustomStringConvertible {
            var kept = 0
            var set = 0
            var description: String { "\\(kept)" }
            init() { set = 1 }
            func climb() -> Bool { High.isHigh && 1.isHighNumber }
            func recurse(_ times: Int) { if times > 0 { recurse(times - 1) } }
            func callsUnused() { recurse(1) }
        }
        enum Kind: String, CaseIterable { case one, two }
        protocol Opening { func open() -> Bool }
        """,
    "Sources/Program/Low/Lower.swift": "extension High { static let isKnown = true }\n",
    "Sources/Program/High/High.swift": """
        enum High { static var isHigh: Bool { Kind.allCases.isEmpty && isKnown } }
        extension Int { var isHighNumber: Bool { self > 1 } }
        struct Door: Opening { func open() -> Bool { Low().climb() } }
        """,
    # The compiler takes both folders for one module; the rules go by the path.
    "Sources/Client/Client.swift": "enum Client { static var isReady: Bool { !High.isHigh && Low().climb() } }\n",
    "Sources/Product/Product.swift": """
        public enum Product {
            public static var forOthers: Bool { isUsedByIt }
            static var isUsedByIt: Bool { true }
            internal static var isForNobody: Bool { true }
        }
        public protocol Requiring { var isRequired: Bool { get } }
        """,
    "Sources/Program/main.swift": """
        let opening: any Opening = Door()
        print(opening.open(), Low(), "\\(Kind.one)", Client.isReady)
        """,
}
ORDER = "Program\n    Low   below\n    High  above\n    .     the program\n\nClient uses Program up to Low\n    .\n"
PRODUCTS = '.library(name: "Product", targets: ["Product"]),\n'
CLIENT_CLIMBS = "folders Client .>Program/High 2  a reason\n"

# Findings of these rules: with these files beside the program, the rule must find this.
PLANTED_IN_PROGRAM = [
    (House.folders_in_order, {FOLDERS: ORDER}, [
        "Sources/Client/Client.swift:1: . uses High of Program/High (High.swift)",
        "Sources/Client/Client.swift:1: . uses High.isHigh of Program/High (High.swift)",
        "Sources/Program/Low/Low.swift:7: Low uses High of High (High.swift)",
        "Sources/Program/Low/Low.swift:7: Low uses High.isHigh of High (High.swift)",
        "Sources/Program/Low/Low.swift:7: Low uses Int.isHighNumber of High (High.swift)",
        "Sources/Program/Low/Lower.swift:1: Low uses High of High (High.swift)"]),
    (House.folders_in_order, {FOLDERS: ORDER, COUNTS: CLIENT_CLIMBS + "folders Program Low>High 4  a reason\n"}, []),
    (House.folders_in_order, {FOLDERS: ORDER, COUNTS: CLIENT_CLIMBS + "folders Program Low>High 2  a reason\n"}, [
        "Program Low>High: 4, where Scripts/tidy/counts.txt allows 2; "]),
    (House.folders_in_order, {
        FOLDERS: ORDER.replace("Low   ", "Lost  ").replace("to Low", "to High"),
        COUNTS: "folders Program High>. 1  a reason\n"}, [
        "Program High>.: 0, where Scripts/tidy/counts.txt still allows 1; ",
        "Sources/Program/Low/Low.swift: its folder is not in ",
        "Sources/Program/Low/Lower.swift: its folder is not in ",
        "Scripts/tidy/folders.txt: Program has no files in Lost"]),
    (House.folders_in_order, {}, ["Scripts/tidy/folders.txt does not say the order of the folders of Program"]),
    (House.small_circles, {}, [
        "Sources/Program/High/High.swift", "Sources/Program/Low/Low.swift", "Sources/Program/Low/Lower.swift"]),
    (House.small_circles, {COUNTS: "circles Program 3\n"}, []),
    (House.small_circles, {COUNTS: "circles Program 2\n"}, [
        "Program: 3, where Scripts/tidy/counts.txt allows 2; "]),
    (House.nothing_unused, {"Package.swift": PRODUCTS}, [
        "Sources/Product/Product.swift:5: nothing uses Product.isForNobody",
        "Sources/Program/Low/Low.swift:4: nothing uses Low.set",
        "Sources/Program/Low/Low.swift:8: nothing uses Low.recurse(_:)",
        "Sources/Program/Low/Low.swift:9: nothing uses Low.callsUnused()"]),
    (House.nothing_unused, {
        "Package.swift": PRODUCTS,
        UNUSED: "Product.isForNobody  a reason\nLow.climb()  a reason\nLow.callsUnused()  a reason\n",
        COUNTS: "unused Program 1\n"}, [
        "Scripts/tidy/unused.txt: Low.climb() is used, or not there: remove the line"]),
]


def run():
    """Tries each rule, and says which did not find what it should; returns the exit status."""
    failures = []
    for rule, files, expected in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            failures += _compare(rule, _plant(folder, files), expected)
    with tempfile.TemporaryDirectory() as folder:
        failures += _try_on_program(Path(folder))
    tried = {rule for rule, _, expected in PLANTED + PLANTED_IN_PROGRAM if expected}
    for rule in House.TEXT_RULES + House.INDEX_RULES:
        if rule not in tried:
            failures.append(f"no mistake is planted for: {rule.__doc__}")
    if failures:
        print("check-tidy: FAILED: each rule finds what is planted for it", *failures, sep="\n    ", file=sys.stderr)
        return 1
    print("check-tidy: each rule finds what is planted for it")
    return 0


def _try_on_program(folder):
    """Compiles the program, and checks it again and again with other files beside it."""
    files = _plant(folder, PROGRAM).swift_files("Sources")
    failures = _compare_refusal(folder, "is not there; run `swift build` first")
    objects = folder / ".build"
    objects.mkdir()
    command = ["swiftc", "-c", "-module-name", "Program", "-index-store-path", folder / INDEX]
    subprocess.run([*command, *(folder / file for file in files)], cwd=objects, check=True, stdout=sys.stderr)
    for rule, others, expected in PLANTED_IN_PROGRAM:
        _plant(folder, {FOLDERS: "", UNUSED: "", COUNTS: "", **others})
        failures += _compare(rule, Repository(folder), expected)
    (folder / files[0]).write_text(PROGRAM[files[0]] + "\n", encoding="utf-8")
    return failures + _compare_refusal(folder, f"{files[0]} changed since the last build; run `swift build` first")


def _plant(folder, files):
    repository = Repository(folder)
    for file, text in {FOLDERS: "", UNUSED: "", COUNTS: "", **files}.items():
        path = Path(folder) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        repository.write(file, text)
    return repository


def _compare(rule, repository, expected):
    """Says which findings differ from what is expected: as many, each beginning as one that is expected."""
    found = sorted(rule(House(repository)))
    expected = sorted(expected)
    if len(found) == len(expected) and all(map(str.startswith, found, expected)):
        return []
    return [f"{rule.__doc__}: expected {expected}, found {found}"]


def _compare_refusal(folder, expected):
    try:
        House(Repository(folder)).program
    except IndexUnusable as reason:
        if str(reason).endswith(expected):
            return []
        return [f"expected that the index is refused ({expected}), and it was for another reason ({reason})"]
    return [f"expected that the index is refused ({expected})"]
