"""An edit of what a language runs without naming it is in the graph wherever it runs: operators, loops, resources."""

from __future__ import annotations

from pathlib import Path

import pytest
from edits import edited
from repositories import write

from rpg.repository import index_path
from rpg.stores.index.index import Index

BEGUN: dict[str, tuple[str, str, str, str, str]] = {
    "java": (
        "a/Lease.java",
        "package a;\npublic class Lease implements AutoCloseable {\n    void open() {}\n}\n",
        "    public void close() {}\n}\n",
        "b/Use.java",
        "package b;\nimport a.Lease;\nclass Use {\n    void run(Lease given) {\n        try (given) {}\n    }\n}\n",
    ),
    "java, a loop": (
        "a/Shelf.java",
        "package a;\npublic class Shelf {\n    void open() {}\n}\n",
        "    public java.util.Iterator<String> iterator() { return null; }\n}\n",
        "b/Use.java",
        "package b;\nimport a.Shelf;\nclass Use {\n    void run(Shelf it) {\n        for (int s : it) {}\n    }\n}\n",
    ),
    "csharp": (
        "Lease.cs",
        "namespace A {\n    public class Lease {\n        void Open() {}\n    }\n}\n",
        "        public void Dispose() {}\n    }\n}\n",
        "Use.cs",
        "using A;\nclass Use {\n    void Run(Lease given) {\n        using (given) {}\n    }\n}\n",
    ),
    "cpp": (
        "shelf.h",
        "class Shelf {\npublic:\n    void open() {}\n};\n",
        "    int* begin() { return 0; }\n};\n",
        "use.cpp",
        '#include "shelf.h"\nvoid run(Shelf given) {\n    for (int each : given) {}\n}\n',
    ),
    "kotlin": (
        "Money.kt",
        "package a\nclass Money {\n    fun open() {}\n}\n",
        "    operator fun plus(other: Money): Money = other\n}\n",
        "Use.kt",
        "package b\nimport a.Money\nfun run(given: Money) {\n    given + given\n}\n",
    ),
    "php": (
        "Cart.php",
        "<?php\nclass Cart {\n    function open() {}\n}\n",
        "    function offsetGet($key) {}\n}\n",
        "use.php",
        "<?php\nfunction run(Cart $given) {\n    return $given[0];\n}\n",
    ),
    "dart": (
        "lib/money.dart",
        "class Money {\n  void open() {}\n}\n",
        "  Money operator +(Money other) => other;\n}\n",
        "lib/use.dart",
        "import 'money.dart';\nvoid run(Money given) {\n  given + given;\n}\n",
    ),
    "scala": (
        "Money.scala",
        "package a\nclass Money {\n  def open() = 1\n}\n",
        "  def +(other: Money): Money = other\n}\n",
        "Use.scala",
        "package b\nimport a.Money\nobject Use {\n  def run(given: Money) = given + given\n}\n",
    ),
    "swift": (
        "Sources/A/Money.swift",
        "struct Money {\n    func open() {}\n}\n",
        "    func callAsFunction() {}\n}\n",
        "Sources/A/Use.swift",
        "func run(given: Money) {\n    given()\n}\n",
    ),
    "rust": (
        "src/money.rs",
        "pub struct Money;\nimpl Money {\n    pub fn open(&self) {}\n}\n",
        "}\nimpl std::ops::Add for Money {\n    type Output = Money;\n    fn add(self, o: Money) -> Money { o }\n}\n",
        "src/lib.rs",
        "mod money;\nuse money::Money;\npub fn run(given: Money) {\n    given + Money;\n}\n",
    ),
    "ruby": (
        "money.rb",
        "class Money\n  def open\n  end\nend\n",
        "  def +(other)\n    other\n  end\nend\n",
        "use.rb",
        'require_relative "money"\ndef run\n  given = Money.new\n  given + given\nend\n',
    ),
}


@pytest.mark.invariant("encoding", "an edit of what a language runs without naming it is followed")
@pytest.mark.parametrize(("path", "text", "added", "user", "use"), BEGUN.values(), ids=BEGUN)
def test_what_comes_to_run_without_a_name_is_a_use(
    tmp_path: Path, path: str, text: str, added: str, user: str, use: str
) -> None:
    others = {f"other{number}{Path(path).suffix}": "" for number in range(9)}
    write(tmp_path / "repo", {path: text, user: use, **others})
    tail = next(each for each in ("    }\n}\n", "};\n", "}\n", "end\n") if text.endswith(each))

    after = edited(tmp_path, path, text, text.removesuffix(tail) + added).after

    index = Index.open_read_only(index_path(after))
    run = index.rows(
        "SELECT t.name FROM edges e JOIN symbols s ON s.id = e.source JOIN symbols t ON t.id = e.target "
        "WHERE s.path = ? AND t.path = ? AND t.kind IN ('method', 'function')",
        (user, path),
    )
    index.close()
    assert [name for (name,) in run if name != "open"]
