"""What runners of tests take on their command line.

In: tests, and the texts of their files. Out: words, one an argument, without white space, so that they survive the
command substitution of a shell: `pytest $(rpg tests --format pytest)`. Titles and names with other signs are matched by
a pattern. There is one small function for each runner, and a row in RUNNERS.

Absent: the runner itself, and where it is started: paths begin at the root of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from rpg.encoder.languages import BY_NAME
from rpg.queries.graph.nodes import Node
from rpg.text.titles import BETWEEN, is_title

_NAMESPACE = re.compile(r"^\s*(?:package|namespace)\s+([\w.]+)", re.MULTILINE)
_PACKAGES = re.compile(r"^package\s+(?!object\b)([\w.]+)", re.MULTILINE)
_COMPUTED = re.compile(r"\$\{[^}]*\}|%[a-z%]|#\{[^}]*\}|\$\w+")
"""Parts of a title that are filled in when the test runs."""
_SOURCES = re.compile(r"^(?:.*/)?src/(?:bin/)?|^(?:.*/)?(?:tests|benches|examples)/")
_ROOTS = frozenset(("lib", "main", "mod"))


class Chosen(NamedTuple):
    """A test to run."""

    node: Node
    text: str
    """Of its file."""

    @property
    def names(self) -> list[str]:
        """Its names from the outermost on; one title for all titles around it."""
        before, quote, title = self.node.qualified_name.partition('"')
        return [*filter(None, before.split(".")), *([quote + title] if quote else [])]

    @property
    def namespace(self) -> str:
        """The package or namespace that its file declares; empty if none."""
        found = _NAMESPACE.search(self.text)
        return found[1] if found else ""


def words_for(runner: str, tests: Iterable[Chosen]) -> list[str]:
    """The arguments for those of the tests that the runner runs; none if it runs none of them."""
    run = [each for each in tests if is_run_by(runner, each.node)]
    return list(dict.fromkeys(RUNNERS[runner](run))) if run else []


def is_run_by(runner: str, node: Node) -> bool:
    return node.language in BY_NAME and runner in BY_NAME[node.language].rules.tests.runners


def runners_of(nodes: Iterable[Node]) -> list[str]:
    """The usual runner of each language of the tests."""
    found = [BY_NAME[node.language].rules.tests.runners for node in nodes if node.language in BY_NAME]
    return list(dict.fromkeys(runners[0] for runners in found if runners))


def build_pytest_args(tests: Sequence[Chosen]) -> list[str]:
    return ["::".join((each.node.path, *each.names)) for each in tests]


def build_unittest_args(tests: Sequence[Chosen]) -> list[str]:
    modules = [(each, each.node.path.rpartition(".")[0].replace("/", ".")) for each in tests]
    return [".".join((module, *each.names)) for each, module in modules if len(each.names) > 1]


def build_jest_args(tests: Sequence[Chosen]) -> list[str]:
    paths = [re.sub(r"[^\w/.-]", ".", each.node.path) for each in tests]
    return [*paths, *build_title_args(tests)]


def build_vitest_args(tests: Sequence[Chosen]) -> list[str]:
    return [*(each.node.path for each in tests), *build_title_args(tests)]


def build_title_args(tests: Sequence[Chosen]) -> list[str]:
    """`-t` with a pattern for all of the titles; nothing if the tests of a file have none."""
    if not all(is_title(each.node.name) for each in tests):
        return []
    return ["-t", f"^({'|'.join(dict.fromkeys(title_pattern(each) for each in tests))})$"]


def title_pattern(test: Chosen) -> str:
    titles = [each.strip('"').replace(BETWEEN, " ") for each in test.names]
    parts = _COMPUTED.split(" ".join(titles))
    return ".+".join(re.sub(r"[^\w-]", ".", part) for part in parts)


def build_go_args(tests: Sequence[Chosen]) -> list[str]:
    names = dict.fromkeys(each.names[0] for each in tests)
    folders = dict.fromkeys(each.node.path.rpartition("/")[0] for each in tests)
    return ["-run", f"^({'|'.join(names)})$", *(f"./{folder}" for folder in folders)]


def build_cargo_args(tests: Sequence[Chosen]) -> list[str]:
    return ["--workspace", "--", "--exact", *(module_path(each) for each in tests)]


def module_path(test: Chosen) -> str:
    """The path of a test in its crate. A file of `tests/` is a crate of its own, and so is a folder there."""
    inside = _SOURCES.sub("", test.node.path).removesuffix(".rs").split("/")
    is_of_sources = "src/" in test.node.path
    modules = [each for each in (inside if is_of_sources else inside[1:]) if each not in _ROOTS]
    return "::".join((*modules, *test.names))


def build_maven_args(tests: Sequence[Chosen]) -> list[str]:
    by_class: dict[str, list[str]] = {}
    for each in tests:
        by_class.setdefault(class_name(each), []).append(each.names[-1].strip('"'))
    return ["-Dtest=" + ",".join(f"{name}#{'+'.join(dict.fromkeys(methods))}" for name, methods in by_class.items())]


def build_gradle_args(tests: Sequence[Chosen]) -> list[str]:
    return [f"--tests={class_name(each)}.{each.names[-1]}" for each in tests]


def class_name(test: Chosen) -> str:
    return ".".join(filter(None, (test.namespace, "$".join(test.names[:-1]))))


def build_line_args(tests: Sequence[Chosen]) -> list[str]:
    return [f"{each.node.path}:{each.node.name_line or each.node.start_line}" for each in tests]


def build_rspec_args(tests: Sequence[Chosen]) -> list[str]:
    return build_line_args([each for each in tests if each.node.path.endswith("_spec.rb")])


def build_sbt_args(tests: Sequence[Chosen]) -> list[str]:
    """The suites, with the packages that their files declare, one clause or several."""
    suites = []
    for each in tests:
        packages = _PACKAGES.findall(each.text)
        suites.append(".".join(filter(None, (*packages, "$".join(each.names[:-1] or each.names)))))
    return suites


def build_minitest_args(tests: Sequence[Chosen]) -> list[str]:
    return build_line_args([each for each in tests if not each.node.path.endswith("_spec.rb")])


def build_busted_args(tests: Sequence[Chosen]) -> list[str]:
    """The files, and a pattern of Lua for each test: titles are matched with those around them, by blanks between."""
    titled = [each for each in tests if is_title(each.node.name)]
    paths = dict.fromkeys(each.node.path for each in titled)
    # In Lua `-` repeats, and `.` is a byte.
    patterns = (re.sub(r"[^\x00-\x7f]", ".+", title_pattern(each).replace("-", ".")) for each in titled)
    return [*paths, *dict.fromkeys(f"--filter=^{pattern}$" for pattern in patterns)]


def build_phpunit_args(tests: Sequence[Chosen]) -> list[str]:
    return ["--filter", f"({'|'.join('::'.join(each.names) for each in tests)})\\b"]


def build_dotnet_args(tests: Sequence[Chosen]) -> list[str]:
    names = [".".join(filter(None, (each.namespace, "+".join(each.names[:-1]), each.names[-1]))) for each in tests]
    return ["--filter", "|".join(f"FullyQualifiedName={name}" for name in names)]


def build_ctest_args(tests: Sequence[Chosen]) -> list[str]:
    return ["-R", f"(^|/)({'|'.join(titles(tests))})(/|$)"]


def build_gtest_args(tests: Sequence[Chosen]) -> list[str]:
    return ["--gtest_filter=" + ":".join(titles(tests))]


def titles(tests: Sequence[Chosen]) -> list[str]:
    """As the macros say them: `Suite.Name`."""
    return [re.sub(r"[^\w.]", ".", each.names[-1].strip('"')) for each in tests]


RUNNERS: dict[str, Callable[[Sequence[Chosen]], list[str]]] = {
    "pytest": build_pytest_args,
    "unittest": build_unittest_args,
    "jest": build_jest_args,
    "vitest": build_vitest_args,
    "go": build_go_args,
    "cargo": build_cargo_args,
    "maven": build_maven_args,
    "gradle": build_gradle_args,
    "rspec": build_rspec_args,
    "minitest": build_minitest_args,
    "mix": build_line_args,
    "sbt": build_sbt_args,
    "busted": build_busted_args,
    "phpunit": build_phpunit_args,
    "dotnet": build_dotnet_args,
    "ctest": build_ctest_args,
    "gtest": build_gtest_args,
}
COMMANDS = {
    "go": "go test", "cargo": "cargo test", "maven": "mvn test", "gradle": "gradle test", "jest": "npx jest",
    "vitest": "npx vitest run", "unittest": "python -m unittest", "minitest": "rails test",
    "dotnet": "dotnet test", "mix": "mix test", "sbt": 'sbt "testOnly {}"',
}  # fmt: skip
"""How a runner is started, if not by its name; braces: around its arguments, which it takes as one."""


def command_of(runner: str, arguments: str) -> str:
    """The line for a shell."""
    command = COMMANDS.get(runner, runner)
    return command.replace("{}", arguments) if "{}" in command else f"{command} {arguments}"


def join_words(runner: str, words: Sequence[str]) -> str:
    """As they are printed: one a line, unless the runner takes them as one argument."""
    return (" " if "{}" in COMMANDS.get(runner, "") else "\n").join(words)
