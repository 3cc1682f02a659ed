"""Forty questions to a package that nobody here wrote, installed as the constraints say: where each answer stands.

The snapshot is what a change of the ranking is judged by. A rank that falls and one that rises show in its diff, with
the figures of the whole on top; renew it with --snapshot-update when the whole is better.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from syrupy.assertion import SnapshotAssertion

import rpg
from rpg.queries.search.hits import Wanted
from rpg.queries.search.search import search
from rpg.repository import index_path
from rpg.stores.index.index import Index

PACKAGE = "click"
QUESTIONS = {
    # Sentences of someone who does not know the names.
    "turn a function into a subcommand of this command": "Group.command",
    "call another command from inside a command": "Context.invoke",
    "run a command with the same arguments as the current one": "Context.forward",
    "ask the user for input and validate what was typed": "prompt",
    "yes or no question before something dangerous": "confirm",
    "hide what is typed, like a password": "hidden_prompt_func",
    "show long text page by page": "echo_via_pager",
    "open a file or a web page in the default application": "launch",
    "remove escape sequences for colors from a string": "strip_ansi",
    "width of a string without counting escape codes": "term_len",
    "where should settings of an application be kept": "get_app_dir",
    "estimate how much time is left until the bar is full": "ProgressBar.format_eta",
    "write to a temporary file and rename it when done": "_AtomicFile",
    "open the file only when it is first used": "_LazyFile.open",
    "register a function that runs when the context is torn down": "Context.call_on_close",
    "suggest names that are close to a misspelled option": "NoSuchOption.format_message",
    "read the value of a parameter from an environment variable": "Parameter.resolve_envvar_value",
    "where did the value of a parameter come from": "Context.get_parameter_source",
    "run the command line in a test and capture its output": "CliRunner.invoke",
    "empty folder for the time of one test": "CliRunner.isolated_filesystem",
    "which parameter type fits a default value": "convert_type",
    "split what the user typed so far into arguments for completion": "split_arg_string",
    "put text into two aligned columns": "HelpFormatter.write_dl",
    "wait for a key press": "pause",
    # Reports of what goes wrong.
    "Error: Missing argument 'NAME' is shown without the choices that are possible": "Choice.get_missing_message",
    "IntRange accepts a value outside of the range when clamp is on": "_NumberRangeBase.convert",
    "Path(exists=True) complains about a file that is not readable": "Path.convert",
    "option with multiple=True and nargs loses its default": "Option.get_default",
    "Bash completion fails: couldn't detect the version of bash": "BashComplete._check_version",
    "the editor is started but the saved text is not returned": "Editor.edit",
    "BrokenPipeError on exit when output is piped into head": "Command.main",
    "usage line wraps in the middle of an option": "HelpFormatter.write_usage",
    # Names, half remembered or misspelt.
    "make_pass_decorator": "make_pass_decorator",
    "resolveCommand": "Group.resolve_command",
    "progresbar": "progressbar",
    "BadParam": "BadParameter",
    "Context.lookup": "Context.lookup_default",
    "core.Option.consume_value": "Option.consume_value",
    "echo_pager": "echo_via_pager",
    "get_tty_stdout": "get_text_stdout",
}
DEEPEST = 10


class Ranked(NamedTuple):
    question: str
    expected: str
    rank: int
    """0 where it is not among the first ten."""
    first: str


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    specification = importlib.util.find_spec(PACKAGE)
    assert specification
    assert specification.origin
    output = tmp_path_factory.mktemp(PACKAGE) / f"{PACKAGE}.graph.json"
    rpg.encode(Path(specification.origin).parent, output=str(output))
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


def ranked(index: Index, question: str, expected: str) -> Ranked:
    names = [hit.node.qualified_name for hit in search(index, Wanted(query=question, limit=DEEPEST)).hits]
    return Ranked(question, expected, names.index(expected) + 1 if expected in names else 0, names[0] if names else "")


def test_forty_questions(index: Index, snapshot: SnapshotAssertion) -> None:
    found = [ranked(index, question, expected) for question, expected in QUESTIONS.items()]
    ranks = [each.rank for each in found if each.rank]
    lines = [
        f"recall@1 {sum(rank == 1 for rank in ranks)}/{len(found)}",
        f"recall@5 {sum(rank <= 5 for rank in ranks)}/{len(found)}",
        f"MRR {sum(1 / rank for rank in ranks) / len(found):.3f}",
        "",
    ]
    for question, expected, rank, first in found:
        instead = "" if rank == 1 else f", first is {first}"
        lines.append(f"{rank or '-':>2}  {question}  ->  {expected}{instead}")

    assert len(found) == 40
    assert "\n".join(lines) == snapshot
