"""`rpg review`: a change as a whole, for a pull request and for continuous integration.

In: revisions, a format, what makes it fail. Out: the review; exit code 1 if it has what `--fail-on` names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from rpg.cli.arguments.options import graph_option, json_option
from rpg.cli.failures import DONE, NOTHING_FOUND
from rpg.cli.terminal.output import say, say_json

if TYPE_CHECKING:
    from rpg.queries.review.review import Review
    from rpg.tools.calling.call import View

FORMATS = ("markdown", "sarif", "junit", "json", "html")
FAILURES = ("certain", "possible", "untested", "never")


@click.command(short_help="Review a change: broken, at risk, untested")
@click.argument("revisions", default="HEAD", metavar="[BASE..HEAD]")
@click.option("--format", "style", default="markdown", show_default=True, type=click.Choice(FORMATS),
              help="Form of the review")  # fmt: skip
@click.option("--fail-on", default="certain", show_default=True, type=click.Choice(FAILURES),
              help="Exit with 1 if something is certainly broken; or possibly; or if no test reaches it")  # fmt: skip
def review(revisions: str, style: str, fail_on: str, graph: str, as_json: bool) -> int:
    """Review what changed from BASE to HEAD, or from BASE to the work tree: what broke, what is at risk, what no test
    reaches, which tests to run, and what it touches.

    \b
    rpg review main..HEAD
    rpg review origin/main...HEAD --format sarif > review.sarif
    """
    from rpg.cli.arguments.graphs import graph_to_query
    from rpg.queries.graph.budget import plain
    from rpg.queries.review.machine_formats import junit, sarif
    from rpg.queries.review.markdown import markdown
    from rpg.queries.review.review import review as review_of
    from rpg.tools.calling.call import Call
    from rpg.tools.loaded.graphs import Graphs
    from rpg.tools.loaded.settings import Settings

    base, head = revisions_of(revisions)
    with Call(Graphs([graph_to_query(graph)], Settings(anywhere=True))).view("") as view:
        found = review_of(view.index, view.header, view.root("`review` compares with git"), base, head)
        if style == "html" and not as_json:
            say(page(view, found))
            return NOTHING_FOUND if is_failed(found, fail_on) else DONE
    if as_json or style == "json":
        say_json(plain(found))
    elif style == "sarif":
        say_json(sarif(found))
    elif style == "junit":
        say(junit(found))
    else:
        say(markdown(found))
    return NOTHING_FOUND if is_failed(found, fail_on) else DONE


def page(view: View, found: Review) -> str:
    """The page of `rpg view`, opened at the review; where no scripts run, the review alone."""
    from rpg.queries.review.machine_formats import html_body
    from rpg.queries.review.markdown import markdown
    from rpg.queries.view.page import page_data, static_page
    from rpg.tools.viewed import build_cleaner, build_shown

    data = page_data(view.index, view.header, build_shown(view, found.base, found=found), view.graph_only, view.folder)
    return static_page(view.index, data, build_cleaner(view), fallback=html_body(markdown(found)))


def revisions_of(written: str) -> tuple[str, str]:
    """Base and head; the base of `A...B` is their common ancestor."""
    if "..." in written:
        return written, written.partition("...")[2] or "HEAD"
    base, dots, head = written.partition("..")
    return base or "HEAD", (head or "HEAD") if dots else ""


def is_failed(found: Review, fail_on: str) -> bool:
    if fail_on == "never":
        return False
    if fail_on == "untested" and found.untested:
        return True
    return any(each.certain or fail_on != "certain" for each in found.broken)


review.params += [graph_option(), json_option()]
