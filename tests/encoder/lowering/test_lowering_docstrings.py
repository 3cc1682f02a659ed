"""Docstrings of Python, as the parser sees them: they are shown, and search reads them apart from the body."""

from __future__ import annotations

import pytest

from rpg.encoder.facts import FileFacts
from rpg.encoder.languages import find_language
from rpg.encoder.parsing.count_terms import file_terms
from rpg.encoder.parsing.parse import parse
from rpg.text.term_frequencies import BODY, DOC, unpack
from tests.term_counts import counted


def facts_of(source: str) -> FileFacts:
    language = find_language("shop.py")
    assert language is not None
    return parse("shop.py", language, source.encode())


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('"""Adds it."""', "Adds it."),
        ("# first a comment\n    '''Adds it.'''", "Adds it."),
        ('r"""Adds \\d of it."""', "Adds \\d of it."),
        ('"Adds " "it."', "Adds it."),
        ('"""\n    Adds it.\n\n        And more.\n    """', "Adds it.\n\n    And more."),
        ('f"""Adds {it}."""', ""),
        ('b"Adds it."', ""),
        ('add(it)\n    """Adds it."""', ""),
        ('""', ""),
    ],
)
def test_a_docstring_is_the_string_that_stands_first(written: str, said: str) -> None:
    definitions = facts_of(f"def add(it):\n    {written}\n").definitions

    assert definitions[1].doc == said


def test_module_and_class_have_docstrings_too() -> None:
    definitions = facts_of('"""A shop."""\n\nclass Cart:\n    """What is bought."""\n').definitions

    assert [each.doc for each in definitions] == ["A shop.", "What is bought."]


def test_the_words_of_a_docstring_are_not_words_of_the_body() -> None:
    source = 'def add(item):\n    """Appends something."""\n    return cart + item\n'
    terms = unpack(file_terms(facts_of(source), source.encode()))
    add = counted(terms, terms.number - 1)

    assert add[DOC].keys() == {"append", "someth"}
    assert add[BODY].keys() == {"return", "cart", "item"}
