"""`rpg doctor`: the findings, as lines or JSON.

In: what checks.py found. Out: text or JSON; exit code 1 if something is wrong.
"""

from __future__ import annotations

from pathlib import Path

import click

from rpg.cli.arguments.options import json_option
from rpg.cli.doctor.checks import OFF, OK, WRONG, Finding, find_all
from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.terminal.output import say, say_json

MARKS = {OK: "ok  ", OFF: "-   ", WRONG: "FAIL"}


@click.command(short_help="Say what is wrong with the installation, and what mends it")
@click.option("--all", "everything", is_flag=True, help="Also list the clients that have no server")
def doctor(everything: bool, as_json: bool) -> int:
    """Say what is wrong with Python, the extensions, git, the graph here, the model and each client's file, and the one
    command that mends it. Exits with 1 if something is wrong."""
    from rpg.repository import repository_around

    here = Path.cwd()
    findings = list(find_all(here, repository_around(here)))
    wrong = [each for each in findings if each.state == WRONG]
    if as_json:
        say_json({"findings": [each._asdict() for each in findings], "wrong": len(wrong)})
        return NOTHING_FOUND if wrong else DONE
    unused = 0
    for each in findings:
        if each.state == OFF and each.mend.startswith("rpg install") and not everything:
            unused += 1
            continue
        say(line_of(each))
    if unused:
        say(f"{MARKS[OFF]}  {unused} clients have no server of rpg here: `rpg doctor --all` lists them")
    say(f"{len(wrong)} {'thing is' if len(wrong) == 1 else 'things are'} wrong." if wrong else "Nothing is wrong.")
    return NOTHING_FOUND if wrong else DONE


def line_of(each: Finding) -> str:
    mend = f"\n      mend: {each.mend}" if each.mend and each.state == WRONG else ""
    hint = f" ({each.mend})" if each.mend and each.state == OFF else ""
    return f"{MARKS[each.state]}  {each.name}: {each.what}{hint}{mend}"


doctor.params += [json_option("Print the findings as JSON")]
