"""Finds what an edit has broken: the entry of this room.

In: an index of the work tree, the repository's folder, revisions. Out: a `Verdict`. Files are read and parsed here, and
those that may see a difference are found by the words that they must have; what breaks is decided in
rpg/encoder/resolve/breakage/.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable, Mapping, Set
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rpg.encoder.confidence import is_certain
from rpg.encoder.garbage_collection import collect_at_end
from rpg.encoder.languages import BY_NAME, find_language
from rpg.encoder.languages.project import NoFiles
from rpg.encoder.options import parse_options
from rpg.encoder.resolve import Contents, Finding, find_breakage, find_changed_words, find_words_of_text, look_of
from rpg.queries.account.occurrences import find_occurrences, is_word
from rpg.queries.check.broken_contracts import find_broken_contracts
from rpg.queries.check.messages import describe_finding
from rpg.queries.check.renames import Renames, find_renames
from rpg.queries.check.revisions import Revision, read_revision
from rpg.queries.check.spoken import find_spoken
from rpg.queries.check.unread_uses import UnreadUses, find_unread_uses
from rpg.queries.check.verdict import Broken, Note, Verdict
from rpg.repository import LastResolution

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

DEFAULT = "default"
MOST_FOCUSED = 300
"""The most files in which a difference is looked for."""


@collect_at_end()
def find_broken(
    index: Index,
    root: Path,
    header: dict[str, Any],
    since: str,
    until: str = "",
    with_notes: bool = False,
    with_old: bool = False,
    unencoded: Mapping[str, Contents | None] | None = None,
) -> Verdict:
    """`until`: a second revision in place of the work tree. Notes are of the work tree alone. `with_old`: also what was
    broken before. `unencoded`: what files of the work tree contain that differ from the index."""
    options = parse_options(header.get("options", {}))
    last = LastResolution(root, index, keeps=True)
    then = read_revision(root, since, last, options.mask_secrets, unencoded or ())
    now = read_revision(root, until, last, options.mask_secrets) if until else None
    of_now: Mapping[str, Contents | None] | None = now.contents if now else unencoded
    if unencoded:
        then = _with_unencoded(then, unencoded)
    changed = {path: _contents(last, then.contents, path) for path in [*then.contents, *(now.contents if now else ())]}
    after = {path: _contents(last, of_now or {}, path) for path in changed}
    renames = find_renames(changed, after)
    words = _words(changed, after, renames)
    symbols = _changed(changed, after)
    found = find_breakage(
        last,
        then.contents,
        of_now,
        renames.files,
        words,
        partial(_mentioning, index, last),
        symbols,
        is_certain,
        options.roots,
        with_old,
    )
    gone = _gone(changed, after)
    findings = list(found.findings)
    unread = UnreadUses([], [])
    notes: list[Note] = []
    if not until:  # the texts of the index are those of the work tree
        places: set[tuple[str, int]] = {(each.path, each.line) for each in findings}
        kinds = _kinds(changed, gone)
        files = [path for path, old in changed.items() if old is not None and after[path] is None]
        files += [path for path in then.others if not os.path.lexists(root / path)]
        of_settings = {path: _contents(last, {}, path) for path in then.settings}
        contracts = find_broken_contracts(index, last, then.settings | changed, of_settings | after, unencoded or {})
        findings += [each for each in contracts if (each.path, each.line) not in places]
        places = {(each.path, each.line) for each in findings}
        spoken = find_spoken(index, gone, kinds, files, unencoded or {})
        findings += [each for each in spoken if (each.path, each.line) not in places]
        languages = {path: each.facts.language for path, each in changed.items() if each is not None}
        languages |= {path: each.facts.language for path, each in after.items() if each is not None}
        unread = find_unread_uses(index, _kinds(changed, symbols), languages, unencoded or {})
        places |= {(each.path, each.line) for each in spoken}
        if with_notes:
            # Parts of it need numpy.
            from rpg.queries.check.notes import find_notes

            came = {each for each in symbols if each not in gone}
            notes = find_notes(index, header, found.imported, found.released, came, gone, files)
    return Verdict(
        broken=_broken(findings, renames),
        broken_before=_broken(found.before, renames),
        notes=notes,
        unjudged=list(
            dict.fromkeys(
                f"{path}:{line}"
                for path, line in [*found.unjudged, *(each for each in unread.places if each not in places)]
            )
        ),
        unread=unread.languages,
        since=since,
        files=sorted(
            path
            for path, old in changed.items()
            if (after[path] is not None or path not in renames.files) and after[path] != old
        ),
        changed=sorted(symbols),
        checked=found.checked,
        checked_anew=found.checked_anew,
        without_arguments=sorted(found.without_arguments),
        renamed={**renames.files, **renames.symbols},
        gone=sorted(_without_name(gone, changed, after, renames)),
        other_files=then.others,
        left_out=then.left_out + (now.left_out if now else 0),
    )


def _with_unencoded(then: Revision, unencoded: Mapping[str, Contents | None]) -> Revision:
    """What git compares with the files as they are; those that are as they were then differ from the index alone."""
    contents = dict(then.contents)
    for path, each in unencoded.items():
        contents.setdefault(path, each)
    return then._replace(contents=contents)


def _contents(last: LastResolution, contents: Mapping[str, Contents | None], path: str) -> Contents | None:
    """What a file contains, if it is there."""
    if path in contents:
        return contents[path]
    return Contents(last.facts(path), last.source(path)) if path in last.languages else None


def _words(before: Mapping[str, Contents | None], after: Mapping[str, Contents | None], renames: Renames) -> set[str]:
    found: set[str] = set()
    for path, old in before.items():
        new = after.get(renames.files.get(path, path))
        if old is None and path in renames.files.values():
            continue
        changed = find_changed_words(old.facts if old else None, new.facts if new else None)
        found |= changed
        found |= _signs_of(changed, old or new)
        if old is not None and new is not None:
            found |= find_words_of_text(old.facts, old.source, new.facts, new.source)
        # Who imports what a module gives by default need not spell it.
        if old is not None and (new is None or path in renames.files or DEFAULT in changed):
            found |= _names_of(path)
        if old is not None and path in renames.files:
            found |= _named_by_place(path, renames.files[path], old)
    return found


def _signs_of(words: Set[str], contents: Contents | None) -> set[str]:
    """What stands for these names where code uses them by a sign."""
    rules = BY_NAME[contents.facts.language].rules if contents is not None else None
    return {rules.sign_of(each) for each in words} - words if rules is not None else set()


def _names_of(path: str) -> set[str]:
    """The names by which others may import a file."""
    language = find_language(path)
    names = {path.rpartition("/")[2].partition(".")[0], language.rules(NoFiles()).module_name(path)}
    # Of a name like `zh-CN` one word is enough to find the files that may name it.
    return {max(re.split(r"\W+", name), key=len) for name in names} - {""}


def _named_by_place(before: str, after: str, old: Contents) -> set[str]:
    """The names of a file that moved which others see by its folder, and need not import."""
    rules = BY_NAME[old.facts.language].rules
    is_moved = posixpath.dirname(before) != posixpath.dirname(after)
    if not is_moved or not (rules.has_packages or rules.shares_package_scope):
        return set()
    return {each.name for each in old.facts.definitions[1:] if "." not in each.qualified_name}


def _mentioning(index: Index, last: LastResolution, words: Set[str]) -> list[str]:
    """The files of code that have one of the words, those first that have many of them."""
    found: dict[str, int] = {}
    for word in sorted(words):
        if is_word(word):
            for each in find_occurrences(index, word, last.languages.__contains__):
                found[each.file.path] = found.get(each.file.path, 0) + 1
    return sorted(found, key=lambda path: (-found[path], path))[:MOST_FOCUSED]


def _changed(before: Mapping[str, Contents | None], after: Mapping[str, Contents | None]) -> set[str]:
    found: set[str] = set()
    for path, old in before.items():
        had = look_of(old.facts if old else None)
        new = after.get(path)
        has = look_of(new.facts if new else None)
        found |= {f"{path}::{name}" for name in had.keys() | has.keys() if had.get(name) != has.get(name)}
    return found


def _gone(before: Mapping[str, Contents | None], after: Mapping[str, Contents | None]) -> set[str]:
    """The symbols that are there no more, but for members of what is gone itself."""
    found: set[str] = set()
    for path, old in before.items():
        new = after.get(path)
        has = look_of(new.facts if new else None)
        for name in look_of(old.facts if old else None):
            around = name.rpartition(".")[0]
            if name not in has and (not around or around in has):
                found.add(f"{path}::{name}")
    return found


def _without_name(
    gone: Iterable[str],
    before: Mapping[str, Contents | None],
    after: Mapping[str, Contents | None],
    renames: Renames,
) -> set[str]:
    """What has no other name now; of a file that is gone as a whole, the file alone."""
    files = {path for path, old in before.items() if old is not None and after[path] is None}
    whole = files - renames.files.keys()
    symbols = {each for each in gone if each.partition("::")[0] not in whole and each not in renames.symbols}
    return symbols | whole


def _kinds(before: Mapping[str, Contents | None], symbols: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for symbol in symbols:
        path, _, name = symbol.partition("::")
        old = before[path]
        looks = look_of(old.facts).get(name) if old is not None else None
        if looks:
            found[symbol] = looks[0].kind
    return found


def _broken(findings: Iterable[Finding], renames: Renames) -> list[Broken]:
    """What is told of the findings: those that fall with another one are only counted."""
    own = [each for each in findings if not each.follows]
    followed: dict[tuple[str, str], int] = {}
    for each in findings:
        if each.follows:
            cause = (each.path, each.symbol or each.name)
            followed[cause] = followed.get(cause, 0) + 1
    places: dict[tuple[str, ...], Finding] = {}
    for each in own:
        key = (each.path, str(each.line), each.kind, each.symbol or each.name)
        if key not in places or (each.certain and not places[key].certain):
            places[key] = each
    told = []
    for each in sorted(places.values(), key=lambda each: (not each.certain, each.path, each.line, each.column)):
        message, hint = describe_finding(each, renames)
        told.append(
            Broken(
                path=each.path,
                line=each.line,
                certain=each.certain,
                kind=each.kind,
                message=message,
                hint=hint,
                symbol=each.symbol,
                follows=followed.pop((each.path, each.symbol or each.name), 0),
            )
        )
    return told
