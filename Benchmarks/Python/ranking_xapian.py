"""Ranks the corpus of ranking_corpus.py with Xapian, and prints the place of the right answer for each query.

Zero stands for an answer that is not among the first ten. The words are stemmed, and the name counts as often as a title
does in Xapian's own examples.
"""

import pathlib
import sys

import xapian


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    database = xapian.WritableDatabase("", xapian.DB_BACKEND_INMEMORY)
    generator = xapian.TermGenerator()
    generator.set_stemmer(xapian.Stem("en"))
    for line in (folder / "items.tsv").read_text().splitlines():
        name, short, long = line.split("\t")
        document = xapian.Document()
        document.set_data(name)
        generator.set_document(document)
        generator.index_text(name, 5)
        generator.increase_termpos()
        generator.index_text(short, 2)
        generator.increase_termpos()
        generator.index_text(long)
        database.add_document(document)
    parser = xapian.QueryParser()
    parser.set_stemmer(xapian.Stem("en"))
    parser.set_stemming_strategy(xapian.QueryParser.STEM_SOME)
    parser.set_database(database)
    parser.set_default_op(xapian.Query.OP_AND)
    enquire = xapian.Enquire(database)
    for line in (folder / "queries.tsv").read_text().splitlines():
        words, answer = line.split("\t")
        enquire.set_query(parser.parse_query(words))
        names = [match.document.get_data().decode() for match in enquire.get_mset(0, 10)]
        print(names.index(answer) + 1 if answer in names else 0)


main()
