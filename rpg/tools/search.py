"""The tool that finds symbols.

In: a query and filters. Out: ranked symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

from rpg.errors import BadRequest
from rpg.queries.graph import budget
from rpg.queries.graph.budget import cut, fit_answer, size
from rpg.queries.graph.filters import format_count, format_folded_tests
from rpg.queries.graph.sources import LINE_WIDTH, Sources, number_lines
from rpg.queries.names.notations import plain_path
from rpg.queries.places.fetch import Related, neighbours
from rpg.text.titles import is_title
from rpg.tools.calling.arguments import (
    TOKENS,
    Content,
    Cursor,
    ExcludedPath,
    GraphName,
    Kinds,
    Language,
    MaxTokens,
    MinScore,
    Package,
    PathFilter,
    TermsAgain,
    TestsAgain,
    Within,
)
from rpg.tools.calling.call import Call, State, View
from rpg.tools.calling.field import Field

if TYPE_CHECKING:
    from rpg.queries.search.hits import Hit, Wanted
    from rpg.queries.search.text.text_matches import TextHit, TextMatches
    from rpg.tools.loaded.first_encode import BeingEncoded

HIT_WIDTH = 290
"""Target size of a plain hit's JSON, in characters: ten of them are under 3,000."""
SIGNATURE_WIDTH = 70
WHY_WIDTH = 40
EXCERPT_LINES = 12


@dataclass(frozen=True, kw_only=True)
class SearchHit:
    path: str
    name: str
    """Its name in that file; `fetch` and `find_usages` take `path::name`."""
    kind: str
    lines: str
    score: float
    """0 to 1, within this answer."""
    signature: str = ""
    doc: str = ""
    """First line."""
    why: str = ""
    """Matching words, by the part of the symbol that has them; or how the name resembles the query."""
    test: bool = False
    used: str = ""
    """How much it is used, if the query is exactly its name."""
    weak: bool = False
    """Whether it scores much less than the best, or is only similar to an exact name; listed briefly."""
    excerpt: str = ""
    copies: list[str] = field(default_factory=list)
    """Where the same text occurs again, as path:lines."""
    callers: list[Related] = field(default_factory=list)
    callees: list[Related] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class SourceLine:
    line: int
    text: str
    """Trimmed."""


@dataclass(frozen=True, kw_only=True)
class TextFound:
    """Lines that match a text, by the symbol around them."""

    path: str
    name: str = ""
    """Name of the symbol; empty outside any."""
    kind: str = ""
    lines: list[SourceLine]
    more: int = 0
    """How many other lines of the symbol match."""
    test: bool = False


@dataclass(frozen=True, kw_only=True)
class Found:
    hits: list[SearchHit]
    mode: str
    """The mode that was used."""
    texts: list[TextFound] = field(default_factory=list)
    """With mode text or regex, or where `auto` took the query for a text."""
    total: str = ""
    """How many lines match."""
    tests: dict[str, int] = field(default_factory=dict)
    """Folded hits in tests, by file."""
    note: str = ""
    next: str = ""
    state: State = field(default_factory=State)


def search(
    call: Call,
    query: Annotated[
        str,
        Field(description="Sentence, name or code; empty: lists `kinds`", max_length=20_000),
    ] = "",
    terms: TermsAgain = "",
    mode: Annotated[
        Literal["auto", "features", "snippets", "symbol", "similar", "text", "regex"],
        Field(help="symbol: by name, typos allowed"),
    ] = "auto",
    match: Annotated[
        Literal["", "exact", "prefix", "contains"],
        Field(description="With mode symbol: how a name matches", unset="typos allowed", is_shown=False),
    ] = "",
    kinds: Kinds = [],  # noqa: B006
    language: Language = "",
    path: PathFilter = "",
    exclude_path: ExcludedPath = "",
    tests: TestsAgain = "fold",
    package: Package = "",
    within: Within = "",
    content: Content = "code",
    min_score: MinScore = 0.0,
    limit: Annotated[int, Field(ge=1, le=100, help="Maximum results")] = 20,
    excerpts: Annotated[bool, Field(description="Show matching lines", is_shown=False)] = False,
    expand: Annotated[bool, Field(help="Show callers, callees")] = False,
    max_tokens: MaxTokens = TOKENS,
    cursor: Cursor = "",
    graph: GraphName = "",
) -> Found:
    """Find code by what it does, half a name or a similar piece; or lines of any file by text or regex. Better than
    grep: best first, by symbol, tests counted."""
    from rpg.queries.search.hits import Wanted
    from rpg.queries.search.search import search as search_symbols

    request = (
        query, terms, mode, match, sorted(kinds), language, path, exclude_path, tests, package, within, content,
        min_score, excerpts, expand,
    )  # fmt: skip
    skip = budget.offset(cursor, *request)
    wanted = Wanted(
        query=query, mode=mode, match=match or None, kinds=tuple(kinds), language=language, path=path,
        exclude_path=exclude_path, tests=tests, package=package, within=within, content=content,
        min_score=min_score, limit=limit, offset=skip,
    )  # fmt: skip
    if (being := call.being_encoded(graph)) is not None:
        return search_while_encoding(call, being, wanted, request, max_tokens)
    with call.view(graph) as view:
        path, exclude_path = plain_path(path, view.folder), plain_path(exclude_path, view.folder)
        if not query.strip() and not kinds:
            raise BadRequest("search needs a `query`, or `kinds` to list symbols of")
        if mode == "features":
            return features(call, view, wanted, max_tokens)
        answer = search_symbols(
            view.index,
            Wanted(
                query=query, in_code=terms, mode=mode, match=match or None, kinds=tuple(kinds), language=language,
                path=path, exclude_path=exclude_path, tests=tests, package=package, within=within,
                content=content, min_score=min_score, limit=limit, offset=skip,
            ),
            call.graphs.embedder(view.embedder) if query.strip() else None,
        )  # fmt: skip
        sources = Sources(view.index.source)
        texts = [text_found(hit) for hit in answer.texts.hits] if answer.texts else []
        hits: list[SearchHit] = []

        def head(parts: int) -> Found:
            for each in answer.hits[len(hits) : max(0, parts - len(texts))]:
                hits.append(search_hit(view, sources, each, query if excerpts else "", expand))
            following = skip + parts if parts < len(texts) + len(answer.hits) else answer.next
            return Found(
                hits=hits[: max(0, parts - len(texts))],
                mode=answer.mode,
                texts=texts[:parts],
                total=total(answer.texts) if answer.texts else "",
                tests=dict(answer.tests),
                note=answer.note,
                next=budget.cursor(following, *request) if following is not None else "",
                state=view.state,
            )

        return fit_answer(len(texts) + len(answer.hits), head, text, max_tokens)


def features(call: Call, view: View, wanted: Wanted, max_tokens: int) -> Found:
    """The areas, categories and features that a question is about, each with its evidence."""
    from rpg.queries.search.by_feature import places_for

    found = places_for(view.index, wanted, call.graphs.embedder())
    hits = [
        SearchHit(
            path=each.node.id,
            name=each.node.qualified_name,
            kind=each.node.kind,
            lines="",
            score=each.score,
            doc="; ".join(each.does),
            why=cut(f"{', '.join(each.covers)}", 2 * WHY_WIDTH),
        )
        for each in found
    ]

    def head(parts: int) -> Found:
        return Found(hits=hits[:parts], mode="features", state=view.state)

    return fit_answer(len(hits), head, text, max_tokens)


def search_while_encoding(
    call: Call, being: BeingEncoded, wanted: Wanted, request: tuple[object, ...], max_tokens: int
) -> Found:
    """Lines of the files while their graph is being made. Raises BeingEncoded if this kind of search needs a graph, or
    finds nothing."""
    from rpg.encoder.options import options_for
    from rpg.queries.search.text.files_without_index import answer_without_index
    from rpg.system.deadline import limit_time

    if wanted.kinds or wanted.within or wanted.mode not in ("auto", "text", "regex") or not wanted.query.strip():
        raise being
    options = options_for(being.root, {"mask_secrets": not call.graphs.settings.shows_secrets})
    with limit_time(call.seconds, call.cancelled):
        answer = answer_without_index(being.root, options, wanted)
    matches = answer.texts
    if matches is None or (not matches.lines and not matches.tests and wanted.mode == "auto"):
        raise being
    texts = [text_found(hit) for hit in matches.hits]

    def head(parts: int) -> Found:
        following = wanted.offset + parts if parts < len(texts) else answer.next
        return Found(
            hits=[], mode=answer.mode, texts=texts[:parts], total=total(matches), tests=dict(answer.tests),
            note=answer.note, next=budget.cursor(following, *request) if following is not None else "",
            state=State(note=f"lines of files only: {being.message}"),
        )  # fmt: skip

    return fit_answer(len(texts), head, text, max_tokens)


def text_found(hit: TextHit) -> TextFound:
    return TextFound(
        path=hit.path,
        name=hit.node.label if hit.node else "",
        kind=hit.node.kind if hit.node else "",
        lines=[SourceLine(line=line.number, text=cut(line.text.strip(), LINE_WIDTH)) for line in hit.lines],
        more=hit.more,
        test=hit.test,
    )


def total(found: TextMatches) -> str:
    if not found.lines:
        return ""
    least = "" if found.is_all else "at least "
    return f"{least}{format_count(found.lines, 'line')} in {format_count(found.files, 'file')}"


def search_hit(view: View, sources: Sources, hit: Hit, shown_for: str, expand: bool) -> SearchHit:
    """The hit, with the lines that match the query `shown_for`, if there is one."""
    from rpg.queries.search.short_signature import short_signature

    node = hit.node
    why = hit.how or "; ".join(f"{part} {' '.join(terms)}" for part, terms in hit.matched.items())
    whole = SearchHit(
        path=node.path,
        name=node.label,
        kind=node.kind,
        lines=node.lines,
        score=hit.score,
        signature="" if is_title(node.name) else short_signature(node.signature, SIGNATURE_WIDTH),
        doc=node.doc.strip().split("\n")[0],
        why=cut(why, WHY_WIDTH),
        test=hit.test,
        used=hit.used,
        weak=hit.is_after_fall and not shown_for and not expand,
        copies=[f"{copy.path}:{copy.lines}" for copy in hit.copies[:5]],
    )
    doc = cut(whole.doc, max(0, len(whole.doc) + HIT_WIDTH - size(whole)))
    return SearchHit(
        **{
            **vars(whole),
            "doc": doc if len(doc) > 12 or doc == whole.doc else "",
            "excerpt": excerpt(sources, hit, shown_for) if shown_for else "",
            "callers": neighbours(view.index, node, "target", "source")[0][:5] if expand else [],
            "callees": neighbours(view.index, node, "source", "target")[0][:5] if expand else [],
        }
    )


def excerpt(sources: Sources, hit: Hit, query: str) -> str:
    """The symbol's opening lines, and those that contain words of the query."""
    from rpg.queries.answer.excerpts import cut as around
    from rpg.queries.answer.excerpts import matching_lines, whole
    from rpg.text.words import text_terms

    node = hit.node
    lines = sources.lines(node.path)
    if not lines or not node.start_line or node.start_line > len(lines):
        return ""
    if node.end_line - node.start_line < EXCERPT_LINES:
        runs = whole(lines, node)
    else:
        runs = around(lines, node, matching_lines(lines, node, set(text_terms(query)), EXCERPT_LINES // 3))
    parts = [number_lines(lines, run.start, min(run.end, len(lines))) for run in runs]
    return "\n…\n".join(parts)


def found(result: Found) -> bool:
    return bool(result.hits or result.texts or result.tests)


def hits(result: Found) -> int:
    return len(result.hits) + len(result.texts) + sum(result.tests.values())


def text(result: Found) -> str:
    summary = "; ".join(filter(None, (result.total, result.note)))
    lines = [summary] if summary else []
    for each in result.texts:
        lines += text_lines(each)
    shown = {hit.path: hit for hit in reversed(result.hits) if not hit.weak}
    weak = [hit for hit in result.hits if hit.weak]
    for hit in result.hits:
        if not hit.weak:
            lines += hit_lines(hit)
            again = [other for other in weak if shown[hit.path] is hit and other.path == hit.path]
            lines += again_lines(again)
    lines += weak_lines("near" if result.mode == "symbol" else "weaker", [hit for hit in weak if hit.path not in shown])
    if result.tests:
        lines.append(format_folded_tests(result.tests, "line" if result.mode in ("text", "regex") else "hit"))
    if not found(result):
        lines.append("nothing found")
    return "\n".join([*lines, *result.state.lines(result.next)])


def text_lines(found: TextFound) -> Iterator[str]:
    name = f"  {found.name}" if found.name else ""
    test = "  (test)" if found.test else ""
    if len(found.lines) == 1 and not found.more:
        yield f"{found.path}:{found.lines[0].line}{name}{test}: {found.lines[0].text}"
        return
    yield f"{found.path}{name}{test}"
    for line in found.lines:
        yield f"  {line.line}: {line.text}"
    if found.more:
        yield f"  and {found.more} more"


def weak_lines(title: str, hits: Sequence[SearchHit]) -> Iterator[str]:
    """One line for all, by file."""
    by_path: dict[str, list[str]] = {}
    for hit in hits:
        by_path.setdefault(hit.path, []).append("" if hit.name == hit.path else f"{hit.name}:{hit.lines}")
    if by_path:
        files = (" ".join([path, ", ".join(filter(None, named))]).rstrip() for path, named in by_path.items())
        yield f"{title}: {'; '.join(files)}"


def again_lines(hits: Sequence[SearchHit]) -> Iterator[str]:
    """Further hits of a file, with the first of it."""
    named = [f"{hit.name}:{hit.lines}" for hit in hits if hit.name != hit.path]
    if named:
        yield f"  here too: {', '.join(named)}"


def hit_lines(hit: SearchHit) -> Iterator[str]:
    test = "  (test)" if hit.test else ""
    where = f"{hit.path}:{hit.lines}  " if hit.lines else ""
    yield f"{where}{hit.kind} {hit.name}  {hit.score:.2f}{test}{f'  [{hit.why}]' if hit.why else ''}"
    description = "  ".join(filter(None, (hit.signature, hit.used, hit.doc)))
    if description:
        yield f"  {description}"
    if hit.copies:
        yield f"  also at {', '.join(hit.copies)}"
    yield from indent(hit.excerpt)
    for title, related in (("callers", hit.callers), ("callees", hit.callees)):
        if related:
            yield f"  {title}: {', '.join(names(related))}"


def indent(text: str) -> list[str]:
    return [f"  {line}" for line in text.split("\n")] if text else []


def names(related: Sequence[Related]) -> list[str]:
    return [f"{each.name} ({each.at})" for each in related]
