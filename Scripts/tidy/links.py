"""Finds links of pages that lead nowhere: to a file, or to a heading, that is not there.

Pages are read as files, in an editor or a browser of repositories. So a link names a file by its path from the page.
The scheme `doc:` is for DocC, which builds catalogues (`.docc`): a page may use it in its list of topics, and a comment
for a page of its own module.
"""

import posixpath
import re

from tidy.repository import tokens

_FENCE = re.compile(r"\s*(?:```|~~~)")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_HEADING = re.compile(r"#{1,6} +(.*?)[ #]*$")
# [text](target), [text](target "title"), and the attributes of HTML that lead to files.
_LINK = re.compile(r"""\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|\b(?:href|src|srcset)="([^"\s]+)""")
_DOC = re.compile(r"(?:<|\]\()doc:([^>)\s]*)[>)]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def find(repository):
    """Returns what is wrong with the links of pages and comments, a line each."""
    findings = []
    for page in pages(repository):
        is_topics = False
        for number, line in _prose(repository.text(page)):
            heading = _HEADING.match(line)
            if heading:
                is_topics = heading[1] == "Topics" or (is_topics and not line.startswith(("# ", "## ")))
            for match in _LINK.finditer(line):
                target = match[1] or match[2]
                if not _SCHEME.match(target) and (reason := _file_fault(repository, page, target)):
                    findings.append(f"{page}:{number}: {target}: {reason}")
            for target in _DOC.findall(line):
                reason = _doc_fault(repository, _catalogue(page), page, target)
                if not is_topics:
                    reason = reason or "DocC alone knows such links; name the file"
                if reason:
                    findings.append(f"{page}:{number}: doc:{target}: {reason}")
    for file in repository.swift_files():
        for kind, line, text in tokens(repository.text(file)):
            for target in _DOC.findall(text) if kind == "comment" else ():
                module = file.split("/")[1]
                reason = _doc_fault(repository, f"Sources/{module}/{module}.docc", None, target)
                if reason:
                    findings.append(f"{file}:{line}: doc:{target}: {reason}")
    return findings


def pages(repository):
    """Returns the pages in Markdown below the folders that are not hidden."""
    return repository.files(*(entry for entry in repository.entries() if entry[0] != "."), suffix=".md")


def _catalogue(page):
    folder = posixpath.dirname(page)
    return folder if folder.endswith(".docc") else None


def _file_fault(repository, page, target):
    """Says why a path leads nowhere from a page; nothing if it leads to a file, and to a heading if it names one."""
    path, _, anchor = target.partition("#")
    file = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
    if file.startswith("../") or not (repository.root / file).exists():
        return "no such file"
    if anchor and file.endswith(".md") and anchor not in _anchors(repository.text(file)):
        return f"{file} has no such heading"
    return None


def _doc_fault(repository, catalogue, page, target):
    """Says why DocC would find no page or heading for a link; `page` is the one that has it, if a page has it."""
    name, _, heading = target.partition("#")
    file = f"{catalogue}/{name}.md" if name else page
    if catalogue is None or file is None or not (repository.root / file).is_file():
        return "the catalogue has no such page"
    if heading and heading.lower() not in _anchors(repository.text(file)):
        return f"{file} has no such heading"
    return None


def _anchors(text):
    """Returns the names by which links know the headings of a page; one that is there twice has a number behind it."""
    found = set()
    for _, line in _prose(text, with_code=True):
        heading = _HEADING.match(line)
        if heading:
            words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            name = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
            repeated = name
            number = 0
            while repeated in found:
                number += 1
                repeated = f"{name}-{number}"
            found.add(repeated)
    return found


def _prose(text, with_code=False):
    """Yields (number, line) for each line outside of fenced examples, without the code in it."""
    is_example = False
    for number, line in enumerate(text.split("\n"), 1):
        if _FENCE.match(line):
            is_example = not is_example
        elif not is_example:
            yield number, line if with_code else _CODE.sub("``", line)
