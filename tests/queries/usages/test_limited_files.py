"""A file in which something is not followed to its end keeps those lists from being complete that may have it."""

from __future__ import annotations

from rpg.queries.usages.unread import find_limited_files

CUT = {"path": "a.rs", "reason": "costs more than the limit", "words": ["run"]}
WHOLE = {"path": "b.rs", "reason": "too many overloads"}
HEADER = {"limited": [CUT, WHOLE]}


def test_what_was_cut_off_keeps_only_the_lists_of_its_words_from_being_complete() -> None:
    whole = ("b.rs", "too many overloads")

    assert find_limited_files(HEADER, "rust", "run") == [("a.rs", "costs more than the limit"), whole]
    assert find_limited_files(HEADER, "rust", "walk") == [whole]


def test_a_symbol_that_others_reach_by_another_name_has_any_word() -> None:
    assert len(find_limited_files(HEADER, "rust", "")) == 2


def test_another_language_is_not_concerned() -> None:
    assert find_limited_files(HEADER, "python", "run") == []
