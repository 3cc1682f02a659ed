"""Which files an edit affects is found by the words in their texts: as a whole, as a member, or as a string."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import write

from rpg.encoder.options import Options
from rpg.encoder.resolve.incremental.file_difference import Text, Word
from rpg.repository import encode, index_path
from rpg.repository.encoding.incremental import LastResolution
from rpg.stores.index.index import Index


@pytest.mark.parametrize(
    ("word", "source", "is_in"),
    [
        (Word(b"name"), b"name", True),
        (Word(b"name"), b"names = rename(name)", True),
        (Word(b"name"), b"names = rename(_name, name2)", False),
        (Word(b"name"), "éname".encode(), True),
        (Word(b"name", is_member=True), b"name = a. \\\n name", True),
        (Word(b"name", is_member=True), b"name = a.names", False),
        (Word(b"name", is_quoted=True), b"name = 'a.b.name'", True),
        (Word(b"name", is_quoted=True), b"name = 'a name'", False),
    ],
)
def test_a_word_is_found_as_it_has_to_stand(word: Word, source: bytes, is_in: bool) -> None:
    assert Text([word]).is_in(source) is is_in
    assert Text([word, Word(b"absent"), Word(b"missing", is_member=True)]).is_in(source) is is_in


def test_files_that_may_have_a_name_are_known_without_their_texts(tmp_path: Path) -> None:
    root = tmp_path / "code"
    write(root, {"a.py": "Größe = 1\n", "b.py": "def grösser(): pass\n", "c.md": "# Größe\n", "d.txt": "Größe\n"})
    encode(root, tmp_path / "graph.json", Options())
    index = Index.open_read_only(index_path(tmp_path / "graph.json"))
    last = LastResolution(root, index)
    known = [last.having(name.encode()) for name in ("Größe", "grösser", "absent", "x")]
    assert known == [["a.py", "c.md"], ["b.py"], [], None]
    index.close()
