"""The tool that says who uses a symbol."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Annotated

from rpg.errors import BadRequest, Forbidden, InvalidPath, RpgError, SymbolNotFound
from rpg.queries.account.places import (
    CERTAIN,
    CLASSES,
    DEFINITION,
    LIBRARY,
    LITERAL,
    NOT_READ,
    OTHER,
    POSSIBLE,
    PROSE,
    UNRESOLVED,
)
from rpg.queries.account.text_uses import TextUses, find_text_uses
from rpg.queries.check.since import Gone, gone_since
from rpg.queries.check.since import lines as gone_lines
from rpg.queries.graph import budget
from rpg.queries.graph.budget import fit_answer, rows
from rpg.queries.graph.filters import Filter, format_count, format_folded_tests
from rpg.queries.graph.nodes import Node
from rpg.queries.graph.scope import scope_of
from rpg.queries.graph.sources import Sources
from rpg.queries.history.changes import find_changed_symbols
from rpg.queries.inventories.lists import describe_unseen, find_handlers
from rpg.queries.inventories.settings import describe_setting
from rpg.queries.names.notations import plain_path
from rpg.queries.names.symbols import symbols
from rpg.queries.places.impact import Affected, Reach, impact
from rpg.queries.usages.find_usages import FileUsages, Frame, LeftPlace, SymbolUsages, Usage, cut_out, usages
from rpg.queries.usages.usage_sites import NOUNS, USAGE_KINDS, UsageQuery
from rpg.text import titles
from rpg.tools.calling.arguments import (
    TOKENS,
    Cursor,
    Detail,
    EdgeKind,
    ExcludedPath,
    GraphName,
    MaxTokens,
    PathFilter,
    Rows,
    Tests,
)
from rpg.tools.calling.call import Call, State, View
from rpg.tools.calling.field import Field

MANY_MENTIONS = 12
"""How many places in documents are listed beside other uses; more are counted."""
FEW_IMPORTS = 4
"""How many imports are named; more are counted."""
FILES_PLACED, LINES_PLACED = 20, 12
"""How many files of a class of places, and lines of each, are listed; more are counted."""
MANY_FILES = 8
"""How many files are named of those where places may mean a symbol; more are counted."""
FEW_TESTS = 2
"""How many uses in tests are shown with their source lines beside other uses; more are shown by their functions."""
FEW = 10
"""How many usages are shown with their source lines; of more, only `detail` code shows them."""


@dataclass(frozen=True, kw_only=True)
class FoundUsages:
    symbols: list[SymbolUsages]
    """One for each symbol that the names may mean."""
    texts: list[TextUses] = field(default_factory=list)
    """For names that no symbol has: where they stand all the same."""
    changed: int = 0
    """With `since`: how many symbols changed."""
    since: str = ""
    gone: Gone = field(default_factory=Gone)
    """With `since`: what is renamed or gone, what broke, as `check` says it, and which other files changed."""
    detail: str = "sites"
    tests: str = "fold"
    """With `fold`, the text has one line for all tests of a symbol, unless they are few; they are in the lists here."""
    note: str = ""
    next: str = ""
    state: State = field(default_factory=State)


def find_usages(
    call: Call,
    symbol: Annotated[list[str], Field(max_length=20, description="Symbols or files", is_shown=False)] = [],  # noqa: B006
    kinds: Annotated[list[EdgeKind], Field(help="Kinds of uses", unset="all")] = [],  # noqa: B006
    transitive: Annotated[int, Field(ge=1, le=10, description="Hops; from 2: what a change may break")] = 1,
    path: PathFilter = "",
    exclude_path: ExcludedPath = "",
    tests: Tests = "fold",
    tests_only: Annotated[
        bool, Field(description="The same as tests=only", help="The same as --tests only", is_shown=False)
    ] = False,
    detail: Detail = "sites",
    since: Annotated[str, Field(description="Git revision", unset="the symbols named")] = "",
    limit: Rows = 0,
    max_tokens: MaxTokens = TOKENS,
    cursor: Cursor = "",
    graph: GraphName = "",
) -> FoundUsages:
    """Every use of a symbol with its line, and whether that is all. Better than
    grep before a change, for methods and common names; for strings and comments use grep."""
    if not symbol and not since:
        raise BadRequest("find_usages needs `symbol`, or `since` for the symbols changed since a git revision")
    tests = "only" if tests_only else tests
    request = (symbol, sorted(kinds), transitive, path, exclude_path, tests, detail, since)
    with call.view(graph) as view:
        within = Filter(plain_path(path, view.folder), plain_path(exclude_path, view.folder), tests)
        wanted, texts, note = choose_symbols(view, symbol, since, within)
        gone = Gone()
        question = UsageQuery(
            view.index, view.header, tuple(kinds) or USAGE_KINDS, within, tests == "fold", view.graph_only, view.folder,
            detail == "account",
        )  # fmt: skip
        if since and not symbol and not cursor:
            root = view.root("`since` compares with git")
            gone = gone_since(view.index, view.header, root, since, within.admits)
        folded = [build_frame(question, node, transitive) for node in wanted]
        sources = Sources(view.index.source)
        first = budget.offset(cursor, *request)
        every = sum(frame.parts for frame in folded)

        def head(parts: int, frames: list[Frame]) -> FoundUsages:
            last = first + parts
            return FoundUsages(
                symbols=cut_out(frames, sources, first, last, tests == "fold"),
                texts=[add_lines(each, sources) for each in texts] if not first else [],
                changed=len(wanted) if since else 0,
                since=since,
                gone=gone,
                detail=detail,
                tests=tests,
                note=note,
                next=budget.cursor(last, *request) if last < every else "",
                state=view.state,
            )

        parts = rows(every - first, limit)
        unfolded = [each._replace(summary=each.listing_tests or each.summary) for each in folded]
        if not first and unfolded != folded:
            whole = fit_answer(parts, lambda parts: head(parts, unfolded), text, max_tokens)
            if not whole.next:
                return whole
        return fit_answer(parts, lambda parts: head(parts, folded), text, max_tokens)


def build_frame(question: UsageQuery, node: Node, hops: int) -> Frame:
    frame = usages(question, node)
    if hops < 2:
        return frame
    direct = {(place.path, place.source) for place in frame.places if place.section != "unresolved"}
    further = impact(question.index, question.header, node, question.kinds, hops, question.filter, direct)
    listing_tests = frame.listing_tests and frame.listing_tests.reaching(further.reach)
    return Frame(frame.summary.reaching(further.reach), frame.places, further.affected, listing_tests)


def choose_symbols(
    view: View, written: list[str], since: str, filtered: Filter
) -> tuple[list[Node], list[TextUses], str]:
    """The symbols; the places of names that no symbol has; a note."""
    named, texts, notes = [], [], []
    unknown: RpgError | None = None
    for each in written:
        handlers = find_handlers(view.index, each)
        if handlers:
            named += [symbols(view.index, handler, view.folder) for handler in handlers]
            notes.append(f"{each} is handled by {', '.join(handlers)}")
            notes.append(describe_unseen(view.index, each))
            continue
        setting = "" if view.graph_only else describe_setting(view.index, each)
        if setting:
            notes.append(setting)
        try:
            named.append(symbols(view.index, each, view.folder))
        except (SymbolNotFound, InvalidPath, Forbidden) as error:
            # What looks like an absolute path may be a route.
            uses = None if since or view.graph_only else find_text_uses(view.index, each, filtered.covers)
            if uses is not None:
                texts.append(uses)
            else:
                unknown = unknown or error
            if not setting and (uses is None or not isinstance(error, Forbidden)):
                notes.append(error.message)
    if unknown is not None and (since or not (named or texts)):
        raise unknown
    nodes = list({node.row: node for each in named for node in each.nodes}.values())
    if not since:
        return nodes, texts, "; ".join(filter(None, (*notes, *(each.note for each in named))))
    changed = find_changed_symbols(view.index, view.root("`since` compares with git"), since)
    if nodes:
        within = set(scope_of(view.index, *nodes).rows(view.index))
        changed = [node for node in changed if node.row in within]
    return changed, texts, "" if changed else f"no symbol changed since {since}"


def add_lines(found: TextUses, sources: Sources) -> TextUses:
    lined = []
    for use in found.places:
        path, line, _ = use.site.rsplit(":", 2)
        lined.append(use._replace(text=sources.line(path, int(line))))
    return replace(found, places=lined)


def found(result: FoundUsages) -> bool:
    return bool(result.gone.symbols or result.gone.renamed or result.texts) or any(
        each.imported or sum(each.total.values()) for each in result.symbols
    )


def hits(result: FoundUsages) -> int:
    of_texts = sum(each.total for each in result.texts)
    gone = len(result.gone.symbols) + len(result.gone.renamed)
    return gone + of_texts + sum(sum(each.total.values()) for each in result.symbols)


def text(result: FoundUsages) -> str:
    lines = [result.note] if result.note else []
    if result.changed:
        lines.append(f"{result.changed} symbols changed")
    lines += gone_lines(result.gone, result.since)
    for text_uses in result.texts:
        lines += text_lines(text_uses)
    for each in result.symbols:
        lines += symbol_lines(each, result.detail, result.tests == "fold", bool(result.state.commit))
    return "\n".join([*lines, *result.state.lines(result.next)])


def place_lines(places: dict[str, dict[str, list[int]]]) -> Iterator[str]:
    """Every place that has the name, by class and file, as far as they are few."""
    for kind in CLASSES:
        files = places.get(kind, {})
        if files:
            yield f"-- {kind.replace('_', ' ')} {sum(map(len, files.values()))}"
        for path, lines in list(files.items())[:FILES_PLACED]:
            more = f" and {len(lines) - LINES_PLACED} more" if len(lines) > LINES_PLACED else ""
            yield f"{path}: {','.join(map(str, lines[:LINES_PLACED]))}{more}"
        if len(files) > FILES_PLACED:
            rest = sum(map(len, list(files.values())[FILES_PLACED:]))
            yield (
                f"{format_count(rest, 'place')} in {format_count(len(files) - FILES_PLACED, 'file')} more: give a path"
            )


def text_lines(each: TextUses) -> Iterator[str]:
    yield f"{each.name}  {each.what}, not a symbol"
    yield f"{format_count(each.total, 'place')} {'has' if each.total == 1 else 'have'} it"
    where = ""
    for use in each.places:
        if use.where != where:
            where = use.where
            yield f"-- {where}"
        yield f"{use.site}  {use.text}"
    if each.total > len(each.places):
        yield f"{each.total - len(each.places)} more: search finds them with mode=text"


def symbol_lines(each: SymbolUsages, detail: str, folds: bool, has_git: bool) -> Iterator[str]:
    yield f"{each.symbol}  {each.kind} {each.lines}".rstrip()
    counts = ", ".join(format_count(number, NOUNS.get(name, f"{name} use")) for name, number in each.listed.items())
    in_tests = sum(each.tests.values()) if folds else 0
    elsewhere = " outside tests" if in_tests else ""
    behind = f", {in_tests} in tests" if in_tests and each.tests_listed else ""
    remarks = "; ".join(filter(None, (extent(each, folds), each.reason)))
    yield f"{counts or 'no usages'}{elsewhere}{behind}; {remarks}"
    if each.note:
        yield each.note
    if each.overrides:
        calls = (
            f": {format_count(each.calls_of_overridden, 'use')} through it, among the possible" if each.possible else ""
        )
        yield f"overrides {', '.join(each.overrides)}{calls if each.calls_of_overridden else ''}"
    if each.overridden_by:
        more = f" and {each.more_overriding} more" if each.more_overriding else ""
        calls = f": {format_count(each.calls_of_overriding, 'use')} of those, which find_usages of their ids lists"
        yield f"overridden by {', '.join(each.overridden_by)}{more}{calls if each.calls_of_overriding else ''}"
    if detail == "account":
        yield from place_lines(each.places)
        yield from filter(None, [account_line(each, has_git)])
        return
    with_code = detail == "code" or (detail == "sites" and sum(each.listed.values()) <= FEW)
    doubtful = each.listed.get("possible", 0) + each.listed.get("unresolved", 0)
    shows_doubts = with_code or (detail == "sites" and doubtful <= FEW)
    for section, groups in (("certain", each.certain), ("possible", each.possible), ("unresolved", each.unresolved)):
        for head, members in by_heading(section, groups, folds):
            if folds and head == "documents" and len(each.listed) > 1 and each.listed[head] > MANY_MENTIONS:
                yield f"kinds=documents lists {each.listed[head]} mentions in documents"
                continue
            if section != "certain" or len(each.listed) > 1 or members[0].through:
                also = each.candidates if section == "possible" else each.namesakes if section == "unresolved" else []
                means = f" (may also mean {', '.join(also)})" if also else ""
                yield f"-- {head}{means}"
            yield from file_lines(members, detail, with_code if section == "certain" else shows_doubts)
    if folds and each.tests_listed:
        yield from few_test_lines(each, detail)
    yield from hop_lines(each.affected, detail, folds)
    if each.imported:
        beyond = len(each.imported) - FEW_IMPORTS + each.more_imported
        places = ", ".join(site.rpartition(":")[0] for site in each.imported[:FEW_IMPORTS])
        yield f"imported at {places}{f' and {beyond} more' if beyond > 0 else ''}"
    yield from format_left_places(each)
    if folds and each.tests and not each.tests_listed:
        yield format_folded_tests(each.tests, "use")
    if line := account_line(each, has_git):
        yield line
    if each.reach:
        yield from reach_lines(each.reach, folds)


def by_heading(section: str, groups: Iterable[FileUsages], folds: bool) -> Iterator[tuple[str, list[FileUsages]]]:
    """Those outside tests, if tests are folded."""
    by_head: dict[str, list[FileUsages]] = {}
    for group in groups:
        if not (folds and group.test):
            by_head.setdefault(heading(section, group), []).append(group)
    yield from by_head.items()


def few_test_lines(each: SymbolUsages, detail: str) -> Iterator[str]:
    """The uses in tests, below a heading of their own."""
    with_code = detail == "code" or (detail == "sites" and sum(each.tests.values()) <= FEW_TESTS)
    for section, groups in (("certain", each.certain), ("possible", each.possible), ("unresolved", each.unresolved)):
        by_head: dict[str, list[FileUsages]] = {}
        for group in groups:
            if group.test:
                head = "" if section == "certain" else f": {heading(section, group)}"
                by_head.setdefault(f"in tests{head}", []).append(replace(group, test=False))
        for head, members in by_head.items():
            yield f"-- {head}"
            yield from file_lines(members, detail, with_code)


def extent(each: SymbolUsages, folds: bool) -> str:
    """Whether that is all."""
    if not each.complete and not (folds and each.complete_outside_tests and each.listed):
        return f"not complete{not_read(each)}"
    if each.reach is not None and each.reach.complete:
        how_far = f"complete to hop {each.reach.hops}" if each.reach.further else "complete, no hop is left"
        all_hops = f"{how_far}: nothing on the way is unresolved"
        return all_hops if each.complete else f"{all_hops}, tests aside"
    what = "complete" if each.complete else "complete, tests aside"
    return what if each.reach is None else f"{what} at hop 1"


def not_read(each: SymbolUsages) -> str:
    """The files that may use it and were not read, and those that options leave out."""
    reasons = []
    if each.unread:
        count = len(each.unread) + each.more_unread
        more = ", …" if each.more_unread else ""
        reasons.append(
            f"{format_count(count, 'file')} {'was' if count == 1 else 'were'} not read: {', '.join(each.unread)}{more}"
        )
    if each.excluded_by:
        number = (
            f"{format_count(each.excluded, 'file')} {'is' if each.excluded == 1 else 'are'}"
            if each.excluded
            else "files are"
        )
        reasons.append(f"{number} excluded by options ({each.excluded_by})")
    return f": {'; '.join(reasons)}" if reasons else ""


def format_left_places(each: SymbolUsages) -> Iterator[str]:
    """The places that may mean it although no edge says so."""
    reasons: dict[str, list[LeftPlace]] = {}
    for place in each.left:
        reasons.setdefault(place.reason, []).append(place)
    for why, places in reasons.items():
        yield f"-- {why}"
        for place in places:
            yield f"{place.site}  {place.text}"
    if each.left_by_file and not each.left:
        most = sorted(each.left_by_file.items(), key=lambda item: (-item[1], item[0]))
        named = ", ".join(f"{path} {count}" for path, count in most[:MANY_FILES])
        more = f" and {len(most) - MANY_FILES} files more" if len(most) > MANY_FILES else ""
        yield f"-- in strings, text or code that is not parsed: {named}{more}"


_WORD = re.compile(r"\w+", re.ASCII)
"""What a shell and git's expressions take as it stands."""


def account_line(each: SymbolUsages, has_git: bool) -> str:
    """What all places are that have its name; empty for what has no word for a name. Without git, no command finds the
    same places: it would not know what is ignored."""
    counts = each.account
    if not counts:
        return ""
    name = each.word or re.sub(r"~\d+$", "", each.symbol.rpartition("::")[2].rpartition(".")[2])
    here = counts.get(DEFINITION, 0) + counts.get(CERTAIN, 0) + counts.get(POSSIBLE, 0)
    texts = counts.get(LITERAL, 0) + counts.get(PROSE, 0)
    left = each.left_in_text
    parts = [f"{here} here"]
    if others := counts.get(OTHER):
        definitions = each.other_definitions
        owners = {0: "another definition's", 1: "1 other definition's"}.get(
            definitions, f"{definitions} other definitions'"
        )
        parts.append(f"{others} {'is' if others == 1 else 'are'} {owners}")
    if locals := counts.get(LIBRARY):
        parts.append(f"{locals} of libraries or local")
    if unresolved := counts.get(UNRESOLVED):
        in_tests = " in tests" if each.complete_outside_tests and not each.complete else ""
        parts.append(f"{unresolved} unresolved{in_tests}")
    if texts:
        parts.append(f"{texts} in strings, comments and text{f' ({left} may mean it)' if left else ''}")
    if unread := counts.get(NOT_READ):
        parts.append(f"{unread} in files left out")
    more = format_count(each.under_another_name, "more use")
    alias = f"; {more} under another name" if each.under_another_name else ""
    total = sum(counts.values())
    places = format_count(total, "place")
    found = (
        f"git grep -ow {name} finds {places}" if has_git and _WORD.fullmatch(name) else f"{places} with the word {name}"
    )
    return f"{found}: {', '.join(parts)}{alias}"


def heading(section: str, group: FileUsages) -> str:
    """A heading: what the usages below it have in common."""
    if section == "unresolved":
        return group.reason
    if section == "possible":
        through = f", through {group.through}" if group.through else ""
        return f"possible {group.kind} via {group.via}{through}"
    return f"{group.kind} of {group.through}" if group.through else group.kind


def file_lines(groups: Iterable[FileUsages], detail: str, with_code: bool) -> Iterator[str]:
    by_path: dict[str, list[Usage]] = {}
    for group in groups:
        by_path.setdefault(f"{group.path}{'  (test)' if group.test else ''}", []).extend(group.usages)
    for path, members in by_path.items():
        if not with_code:
            yield f"{path}: {owners(((use.source, use.site) for use in members), detail)}"
        elif len(members) == 1:
            yield f"{path}:{members[0].site}  {members[0].source}: {members[0].text}"
        else:
            yield path
            before = ""
            for use in sorted(members, key=lambda use: tuple(map(int, use.site.split(":")))):
                yield f"  {use.site}  {titles.format_after(before, use.source)}: {use.text}"
                before = use.source


def owners(uses: Iterable[tuple[str, str]], detail: str) -> str:
    """Symbols with the lines of their uses: `Type.method 12,40; other 7`."""
    lines: dict[str, list[int]] = {}
    for source, site in uses:
        lines.setdefault(source, []).append(int(site.partition(":")[0] or 0))
    named = dict(zip(lines, map(titles.format_after, ["", *lines], lines), strict=True))
    if detail == "names":
        return ", ".join(named.values())
    return "; ".join(
        f"{named[source]} {','.join(map(str, dict.fromkeys(sorted(numbers))))}" for source, numbers in lines.items()
    )


MEANS = {
    "": "",
    "constructs": " (by calling its class)",
    "overrides": " (possibly, by calling what it overrides)",
    "passes": " (by passing it as a value)",
    "holds": " (it is nested in them)",
}


def hop_lines(affected: Iterable[Affected], detail: str, folds: bool) -> Iterator[str]:
    hop = 0
    groups: dict[tuple[int, str, str, bool], list[Affected]] = {}
    for each in affected:
        if not (folds and each.test):
            groups.setdefault((each.hop, each.through, each.how, each.possible), []).append(each)
    for (number, through, how, possible), members in groups.items():
        if number != hop:
            hop = number
            yield f"-- hop {hop}"
        means = MEANS[how] or (" (possibly)" if possible else "")
        files = "; ".join(
            f"{each.path}{'  (test)' if each.test else ''}: "
            f"{owners(zip(each.symbols, each.sites, strict=True), detail).replace(';', ',')}"
            for each in members
        )
        yield f"use {through}{means}: {files}"


def reach_lines(reach: Reach, folds: bool) -> Iterator[str]:
    if folds and reach.tests:
        yield format_folded_tests(reach.tests, "dependent")
    if reach.further:
        yield (
            f"{format_count(reach.further, 'symbol')} more at hop {reach.hops + 1}: "
            f"transitive={reach.hops + 1} lists them"
        )
    if reach.outside:
        yield f"{format_count(reach.outside, 'dependent')} outside the path"
    if reach.stopped:
        yield "too many dependents to follow them all: lower `transitive`, or give `kinds`"
    if reach.not_followed:
        names = ", ".join(f"{name} {count}" for name, count in reach.not_followed.items())
        more = f" and {reach.more_not_followed} of other names" if reach.more_not_followed else ""
        yield f"not followed, unresolved calls of names on the way: {names}{more}"
