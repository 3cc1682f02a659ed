"""What may be missing from a list of usages, and why a list is empty.

In: a symbol and the usages that were found. Out: text files, macros, and files that were not read or are left out by
options, which may use it as well; other symbols that its possible usages may mean; the reason that the answer gives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS, OVERRIDE
from rpg.queries.graph.families import is_constructor
from rpg.queries.graph.filters import Filter, format_count
from rpg.queries.graph.libraries import is_of_library
from rpg.queries.graph.nodes import Node, nodes_by_row, nodes_called
from rpg.queries.usages.excluded import find_excluded
from rpg.queries.usages.outside import explain_outside_calls
from rpg.queries.usages.pasted_names import Paste, find_pastes
from rpg.queries.usages.unread import find_limited_files, unread_files
from rpg.queries.usages.usage_sites import NOUNS, USAGE_KINDS, UsageQuery, edge_sites, means
from rpg.stores.index.edge_reads import list_other_targets
from rpg.stores.index.import_reads import is_imported, list_importers_between
from rpg.stores.index.place_reads import count_external_users
from rpg.stores.index.reader import find_extra
from rpg.text.computed_keys import key_of
from rpg.text.titles import is_title

if TYPE_CHECKING:
    from rpg.queries.account.account import Account
    from rpg.stores.index.index import Index

NAMESAKES = 3
"""How many definitions are named that an unresolved use may mean; more are counted."""


class ExcludedUses(NamedTuple):
    """What may use a symbol and is left out by options."""

    number: int = 0
    """How many files; 0 with options: nobody knows."""
    options: str = ""


def may_be_used_unnamed(index: Index, node: Node) -> bool:
    """Whether it is a file that nothing parses: how others name such a file, by convention or in part, is unknown. Or a
    member that the language runs where nothing names it; or a symbol of a language of which only symbols are read."""
    if node.language in BY_NAME and BY_NAME[node.language].is_outlined:
        return True
    if node.kind == "file":
        return node.language in BY_NAME and BY_NAME[node.language].is_opaque
    return is_run_unnamed(index, node)


def is_named_in_part(node: Node) -> bool:
    """Whether it is a template or page, which code may name without folder and suffix, or not at all."""
    return node.kind == "module" and node.language in BY_NAME and BY_NAME[node.language].is_markup


def is_named_by_value(node: Node) -> bool:
    """Whether it is a member of an object whose name is the value of an expression: `{ [KEY]: () => 1 }`."""
    return key_of(node.name) is not None and node.kind in FUNCTION_KINDS


def is_run_by_constants(index: Index, node: Node) -> bool:
    """Whether it is a constructor of an enum, of which each constant is an object."""
    if node.parent is None or not is_constructor(node):
        return False
    around = nodes_by_row(index, [node.parent]).get(node.parent)
    return around is not None and around.kind == "enum"


def is_embedded(node: Node) -> bool:
    """Whether members of its type are reached without naming it."""
    return node.language in BY_NAME and BY_NAME[node.language].rules.is_embedded(node.kind, node.name, node.signature)


def is_run_unnamed(index: Index, node: Node) -> bool:
    """Whether the language runs it where no code names it, like operators."""
    if node.language not in BY_NAME:
        return False
    if BY_NAME[node.language].rules.is_implicit(node.signature):
        return True
    rules = BY_NAME[node.language].rules
    if node.kind not in (*FUNCTION_KINDS, "property"):
        return False
    header = node.signature.partition(node.name)[0]
    if OVERRIDE in rules.unnamed_words and node.name in rules.unnamed_members:
        header = " ".join((header, *modifiers_of(index, node)))
    return node.name != rules.constructor and rules.is_run_unnamed(node.name, header)


def modifiers_of(index: Index, node: Node) -> list[str]:
    found = find_extra(index, node.row).get("modifiers", [])
    return found if isinstance(found, list) else []


MOST_CANDIDATES = 12


def candidates(question: UsageQuery, node: Node) -> list[str]:
    """The other symbols that the possible usages of this one may mean."""
    return list_other_targets(question.index, node.row, node.name, MOST_CANDIDATES)


def namesakes(index: Index, node: Node) -> list[str]:
    """The other definitions of its name in its language and those beside it: the first few, and how many more."""
    others = [each for each in nodes_called(index, [node.name]) if each.row != node.row and means(node, each.language)]
    named = [each.id for each in others[:NAMESAKES]]
    return [*named, f"{len(others) - NAMESAKES} more"] if len(others) > NAMESAKES else named


def unread_of(question: UsageQuery, node: Node) -> list[str]:
    """The files that were not read and may have its name, for a symbol whose name has no account."""
    if is_title(node.name) or node.kind in ("directory", "section"):
        return []
    found = unread_files(question.index, question.header, node.language)
    return [path for path, test in found if question.filter.admits(path, test)]


def find_excluded_uses(question: UsageQuery, node: Node, account: Account | None) -> ExcludedUses:
    """The files of code that options leave out and that may use it."""
    if is_title(node.name) or node.kind in ("directory", "section"):
        return ExcludedUses()
    folder = None if question.from_graph_only else question.folder
    options, paths, is_counted = find_excluded(question.index, question.header, folder, node.language)
    number = sum(map(question.filter.covers, paths))
    if account is not None and is_counted:
        number = account.unread.excluded
    return ExcludedUses(number, options) if number or not is_counted else ExcludedUses()


def limits_of(question: UsageQuery, node: Node) -> list[str]:
    """Why code that may use it was not followed to its end, with a file for each reason."""
    if is_title(node.name) or node.kind in ("directory", "section"):
        return []
    if is_of_library(question.header, node.path):
        return ["of a library: what its own code does, and values that come out of it in other ways, are not followed"]
    first: dict[str, str] = {}
    known = BY_NAME.get(node.language)
    word = known.rules.word_of(node.name) if known is not None and not is_constructor(node) else ""
    for path, reason in find_limited_files(question.header, node.language, word):
        first.setdefault(reason, path)
    return [f"{path}: {reason}" for reason, path in first.items()]


def pastes_of(question: UsageQuery, node: Node) -> list[Paste]:
    """The lines of macros that may make its name."""
    if question.from_graph_only or node.kind not in (*FUNCTION_KINDS, *CLASS_KINDS, "constant"):
        return []
    found = find_pastes(question.index, node.name, node.language)
    return [each for each in found if question.filter.admits(each.path, each.test)]


def reason(
    question: UsageQuery, node: Node, total: dict[str, int], is_named_in_text: bool, is_imported: bool,
    pastes: Sequence[Paste], limits: Sequence[str],
) -> str:  # fmt: skip
    """Why the list is empty or may be incomplete; empty for a complete list with usages."""
    reasons = [*limits]
    if question.from_graph_only:
        reasons.append("only the graph file is loaded: unresolved places are unknown; encode the repository")
    if pastes:
        where = ", ".join(f"{each.path}:{each.line}" for each in pastes)
        reasons.append(f"nothing names it whole; a macro may paste its name: {where}")
    elif not is_read(node):
        reasons.append(explain_unread(node, is_named_in_text))
    elif not total["certain"] and is_imported:
        reasons.append("imported, and not named otherwise")
    elif not total["certain"] and not is_of_library(question.header, node.path):
        reasons.append(emptiness(question, node, total, is_named_in_text))
    elif is_named_in_part(node):
        reasons.append("others may name it in part or by convention")
    elif is_named_by_value(node):
        reasons.append("its name is a value, by which any code with the object may reach it")
    elif is_run_by_constants(question.index, node):
        reasons.append("the constants of its enum run it")
    elif is_embedded(node):
        reasons.append("members of its type are also reached without naming it")
    elif is_run_unnamed(question.index, node):
        reasons.append("the language also runs what is called so without naming it")
    return "; ".join(filter(None, reasons))


def is_read(node: Node) -> bool:
    """Whether uses in its own language are read."""
    return not (node.language in BY_NAME and BY_NAME[node.language].is_outlined)


def explain_unread(node: Node, is_named_in_text: bool) -> str:
    more = ": detail=account lists the places with its name" if is_named_in_text else ""
    return f"of {node.language} only symbols and imports are read{more}"


def emptiness(question: UsageQuery, node: Node, total: dict[str, int], is_named_in_text: bool) -> str:
    if total["possible"] or total["unresolved"]:
        return "no usage is certain: only dynamic ones"
    others = other_uses(question, node)
    if others:
        use = "no such use of it" if len(question.kinds) > 1 else f"no {NOUNS[question.kinds[0]]} of it"
        counts = ", ".join(format_count(number, NOUNS[kind]) for kind, number in others.items())
        return f"{use} here; {format_count(sum(others.values()), 'other use')}: {counts}"
    if is_named_in_text:
        return "unused in the code that rpg parses"
    if is_run_unnamed(question.index, node):
        return "nothing names it; the language runs what is called so without naming it"
    if is_named_by_value(node):
        return "nothing is known to use it; its name is a value, by which any code with the object may reach it"
    if is_run_by_constants(question.index, node):
        return "nothing calls it; the constants of its enum run it"
    if is_embedded(node):
        return "nothing names it; members of its type are reached without naming it"
    if may_be_used_unnamed(question.index, node) or is_named_in_part(node):
        return "nothing names it by its path; others may, in part or by convention: search for its name"
    folder = find_imported_folder(question.index, node)
    if folder:
        return f"nothing names it alone; its folder is imported: usages {folder}"
    importers = importers_of_contents(question, node)
    if importers:
        return (
            "nothing names the folder itself; what is in it is imported by "
            f"{format_count(importers, 'file')} outside it"
        )
    if node.test:
        return "unused in the code: the test runner calls tests"
    outside = explain_outside_calls(question.index, node)
    if outside:
        return f"unused in this repository; {outside}"
    external = count_external_users(question.index, node.name)
    if external:
        return f"unused: the name occurs in {external} files, but there it means something outside the repository"
    if node.kind in CLASS_KINDS or node.exported:
        return "unused in this repository; it is exported, so outside code may use it"
    return "unused: nothing in this repository names it"


def importers_of_contents(question: UsageQuery, node: Node) -> int:
    """How many files outside a folder import files in it."""
    if node.kind != "directory" or node.path == "./":
        return 0
    # Of all characters, "0" comes right behind "/".
    rows = list_importers_between(question.index, node.path, f"{node.path[:-1]}0")
    return sum(question.filter.admits(path, test) for path, test in rows if not path.startswith(node.path))


def find_imported_folder(index: Index, node: Node) -> str:
    """The folder of a file, if code imports it as a whole."""
    if node.kind != "module" or node.parent is None:
        return ""
    if not is_imported(index, node.parent):
        return ""
    return node.path[: node.path.rfind("/") + 1] or "./"


def other_uses(question: UsageQuery, node: Node) -> dict[str, int]:
    """How many uses of other kinds, or outside the filter, there are, by kind; the most frequent first."""
    counts: Counter[str] = Counter()
    for place in edge_sites(replace(question, kinds=USAGE_KINDS, filter=Filter()), {node.row: ""}):
        if place.kind not in question.kinds or not question.filter.admits(place.path, place.test):
            counts[place.kind] += 1
    return dict(counts.most_common())
