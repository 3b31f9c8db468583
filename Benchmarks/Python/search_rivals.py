"""Indexes items with Xapian and with recoll, and prints how long each takes to find the ten best for each query.

Reads items.tsv (name, title, text) and queries.tsv (class, words) of a folder. Prints lines of a program, a class and
milliseconds. The last word is the beginning of one, as while a person types, unless a space follows it. Words are not
stemmed, as Baton doesn't stem them either.
"""

import pathlib
import subprocess
import sys
import time

import xapian

FOLDER_FILES = 1000


def lines(path: pathlib.Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text().splitlines()]


def xapian_index(folder: pathlib.Path, items: list[list[str]]) -> xapian.Database:
    path = str(folder / "xapian")
    database = xapian.WritableDatabase(path, xapian.DB_CREATE)
    generator = xapian.TermGenerator()
    for name, title, text in items:
        document = xapian.Document()
        document.set_data(name)
        generator.set_document(document)
        generator.index_text(title, 5)
        generator.increase_termpos()
        generator.index_text(text)
        database.add_document(document)
    database.close()
    return xapian.Database(path)


def xapian_searcher(database: xapian.Database):
    parser = xapian.QueryParser()
    parser.set_database(database)
    parser.set_default_op(xapian.Query.OP_AND)
    enquire = xapian.Enquire(database)

    def find(words: str) -> int:
        flags = xapian.QueryParser.FLAG_DEFAULT
        if not words.endswith(" "):
            flags |= xapian.QueryParser.FLAG_PARTIAL
        enquire.set_query(parser.parse_query(words, flags))
        return len([match.document.get_data() for match in enquire.get_mset(0, 10)])

    return find


def recoll_searcher(folder: pathlib.Path, items: list[list[str]]):
    from recoll import recoll

    files, settings = folder / "files", folder / "recoll"
    settings.mkdir()
    for number, (name, title, text) in enumerate(items):
        part = files / str(number // FOLDER_FILES)
        if number % FOLDER_FILES == 0:
            part.mkdir(parents=True)
        (part / f"{name}.txt").write_text(f"{title}\n{text}\n")
    (settings / "recoll.conf").write_text(
        f"topdirs = {files}\nloglevel = 1\nindexstemminglanguages =\nindexStoreDocText = 0\nidxflushmb = 200\n"
    )
    subprocess.run(["recollindex", "-c", str(settings)], check=True, capture_output=True)
    database = recoll.connect(confdir=str(settings))

    def find(words: str) -> int:
        query = database.query()
        query.execute(words if words.endswith(" ") else words + "*", stemming=0)
        return len([document.filename for document in query.fetchmany(10)])

    return find


def measure(program: str, find, queries: list[list[str]]) -> None:
    found = 0
    for kind, words in queries:
        started = time.perf_counter()
        found += find(words)
        print(program, kind.replace(" ", "_"), (time.perf_counter() - started) * 1000, sep="\t")
    if not found:
        sys.exit(f"{program} finds nothing at all")


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    items, queries = lines(folder / "items.tsv"), lines(folder / "queries.tsv")
    measure("Xapian", xapian_searcher(xapian_index(folder, items)), queries)
    measure("recoll", recoll_searcher(folder, items), queries)


main()
