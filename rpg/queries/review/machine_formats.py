"""A review in the formats that forges and continuous integration read: SARIF 2.1.0, JUnit XML, and HTML.

In: a review. Out: text. SARIF and JUnit have what is broken, and what no test reaches as a note; HTML has all.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from html import escape
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

from rpg import __version__
from rpg.queries.check.verdict import Broken
from rpg.queries.graph.filters import format_count
from rpg.queries.review.review import Review
from rpg.text.printable import make_printable

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
UNTESTED = "untested"
SUITE = {"name": "rpg review", "package": "rpg", "id": "0", "hostname": "localhost", "timestamp": "2000-01-01T00:00:00"}
"""What JUnit's schema wants of a suite; the time is the same for the same review."""
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def sarif(found: Review) -> dict[str, Any]:
    results = [broken_result(each) for each in found.broken]
    results += [
        result(UNTESTED, "note", f"no test reaches {symbol}", symbol.partition("::")[0], 1) for symbol in found.untested
    ]
    rules = sorted({each["ruleId"] for each in results})
    return {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "rpg", "version": __version__, "rules": [{"id": rule} for rule in rules]}},
                "columnKind": "unicodeCodePoints",
                "results": results,
            }
        ],
    }


def broken_result(each: Broken) -> dict[str, Any]:
    return result(each.kind, "error" if each.certain else "warning", said(each), each.path, each.line)


def result(rule: str, level: str, message: str, path: str, line: int) -> dict[str, Any]:
    print_of = blake2b(f"{rule}\0{path}\0{message}".encode("utf-8", "replace"), digest_size=8).hexdigest()
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": make_printable(message)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(path), "uriBaseId": "%SRCROOT%"},
                    "region": {"startLine": max(1, line)},
                }
            }
        ],
        "partialFingerprints": {"rpg/v1": print_of},
    }


def said(each: Broken) -> str:
    return ": ".join(filter(None, (each.message, each.hint)))


def junit(found: Review) -> str:
    """A test case for each broken place, which fails if it is certain; one that passes if there is none."""
    failures = sum(each.certain for each in found.broken)
    skipped = len(found.broken) - failures
    total = len(found.broken) or 1
    counts = {"tests": str(total), "failures": str(failures), "errors": "0", "skipped": str(skipped), "time": "0"}
    root = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(root, "testsuite", {**SUITE, **counts})
    ElementTree.SubElement(suite, "properties")
    if not found.broken:
        doubt = f"{format_count(len(found.unjudged), 'place')} cannot be judged, " if found.unjudged else ""
        name = f"{doubt}nothing{' else' if doubt else ''} is broken, {found.checked} uses checked"
        ElementTree.SubElement(suite, "testcase", {"name": name, "classname": "rpg review", "time": "0"})
    for each in found.broken:
        attributes = {"name": f"{each.kind} at line {each.line}", "classname": each.path, "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", {name: escape_xml(text) for name, text in attributes.items()})
        tag = "failure" if each.certain else "skipped"
        told = {"message": escape_xml(said(each)), **({"type": each.kind} if each.certain else {})}
        ElementTree.SubElement(case, tag, told).text = escape_xml(f"{each.path}:{each.line}")
    ElementTree.SubElement(suite, "system-out")
    ElementTree.SubElement(suite, "system-err")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def escape_xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", make_printable(text))


def html_body(text: str) -> str:
    """The Markdown as the body of a page, where no scripts run: headings, lists and spans of code."""
    body, in_list = [], False
    for line in text.split("\n"):
        is_item = line.startswith("- ")
        if is_item != in_list:
            body.append("<ul>" if is_item else "</ul>")
            in_list = is_item
        level = len(line) - len(line.lstrip("#")) if line.startswith("#") else 0
        content = spans(line[2:] if is_item else line.lstrip("# ") if level else line)
        tag = "li" if is_item else f"h{level}" if level else "p"
        if content:
            body.append(f"<{tag}>{content}</{tag}>")
    if in_list:
        body.append("</ul>")
    return "\n".join(body)


def spans(line: str) -> str:
    """Code, bold text and escaped signs of a line."""
    parts = escape(line).split("`")
    plain = [
        re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", re.sub(r"\\([\\*_\[\]|#~]|&lt;|&gt;)", r"\1", part)) for part in parts
    ]
    return "".join(f"<code>{part}</code>" if at % 2 else plain[at] for at, part in enumerate(parts))
