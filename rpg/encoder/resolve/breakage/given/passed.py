"""Functions that are handed on to be called, and need another number of arguments now.

In: what a function takes before and after. Out: what does not fit, in a few words.
"""

from __future__ import annotations

from rpg.encoder.languages.rules import Rules
from rpg.encoder.resolve.program.arguments_taken import Shape


def find_other_number(was: Shape, has: Shape, rules: Rules) -> str:
    """Whoever calls the function knows only how many arguments it took."""
    had, needed = len(was.needed) + len(was.needed_keywords), len(has.needed) + len(has.needed_keywords)
    is_more = needed > had
    is_fewer = rules.refuses_more_arguments and rules.always_checks_arguments and has.most() < len(was.needed)
    if not (is_more or is_fewer):
        return ""
    count = needed if is_more else has.most()
    return f"is passed on to be called, and {'needs' if is_more else 'takes'} {count} argument{'s' * (count != 1)} now"
