"""Makes a corpus with graded answers from what Debian says of its packages.

The items are all packages that apt knows: the name, the short and the long description. A query is up to three words of
the line in which a manual page says what its program does, of those that the package has, too; its answer is the package
of that page. The pages are not in the corpus. Writes items.tsv and queries.tsv into a folder; the queries are in a fixed
order.
"""

import hashlib
import pathlib
import re
import subprocess
import sys

PAGES = 30000
# So that a package with many programs does not decide the result.
QUERIES_OF_ONE = 6
STOP = set(
    """a an and are as at be by for from in into is it its of on or that the this to use used using via with your you
    program utility tool command file files""".split()
)


def run(*words: str, text: str | None = None) -> str:
    done = subprocess.run(words, input=text, capture_output=True, text=True, errors="replace", check=False)
    return done.stdout


def packages() -> dict[str, tuple[str, str]]:
    """The short and long descriptions of packages by their names."""
    found: dict[str, tuple[str, str]] = {}
    for part in run("apt-cache", "dumpavail").split("\n\n"):
        name = re.search(r"^Package: (\S+)", part, re.M)
        text = re.search(r"^Description(?:-\w+)?: (.*(?:\n .*)*)", part, re.M)
        if not name or not text:
            continue
        short, _, long = text[1].partition("\n")
        found[name[1]] = (short, re.sub(r"\s+", " ", long.replace("\n .", "\n")).strip())
    return found


def pages() -> list[tuple[str, str, str]]:
    """The path of each manual page, its program, and what the page says that it does."""
    paths = sorted(pathlib.Path("/usr/share/man/man1").glob("*.1.gz"), key=lambda path: digest(path.name))
    lines = run("lexgrog", *map(str, paths[:PAGES])).splitlines()
    found = []
    for line in lines:
        match = re.match(r'^(\S+): "(\S+) - (.+)"$', line)
        if match:
            found.append((match[1], match[2], match[3]))
    return found


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def owners(paths: list[str]) -> dict[str, str]:
    """The packages that pages belong to."""
    found: dict[str, str] = {}
    for first in range(0, len(paths), 500):
        for line in run("dpkg", "-S", *paths[first : first + 500]).splitlines():
            package, _, path = line.partition(": ")
            found[path] = package.split(",")[0].split(":")[0]
    return found


def words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z0-9]+", text.lower()) if word not in STOP and len(word) > 1]


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    known = packages()
    counts: dict[str, int] = {}
    for name, (short, long) in known.items():
        for word in set(words(f"{name} {short} {long}")):
            counts[word] = counts.get(word, 0) + 1
    with (folder / "items.tsv").open("w") as file:
        for name, (short, long) in sorted(known.items()):
            file.write(f"{name}\t{short}\t{long}\n")
    found = pages()
    owner = owners([path for path, _, _ in found])
    told: dict[str, set[str]] = {}
    with (folder / "queries.tsv").open("w") as file:
        for path, program, line in sorted(found, key=lambda page: digest(page[0])):
            package = owner.get(path)
            if package not in known:
                continue
            # The words that a person would try: rare ones, in the order of the line.
            own = set(words(f"{package} {' '.join(known[package])}"))
            typed = [word for word in dict.fromkeys(words(line)) if word in own]
            chosen = sorted(sorted(typed, key=lambda word: counts[word])[:3], key=typed.index)
            query, queries = " ".join(chosen), told.setdefault(package, set())
            if query and query not in queries and len(queries) < QUERIES_OF_ONE:
                queries.add(query)
                file.write(f"{query}\t{package}\n")


main()
