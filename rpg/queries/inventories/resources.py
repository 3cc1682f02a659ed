"""What frameworks derive from the name of a resource.

In: a name. Out: the name of one of them, as far as endings say it.
"""

from __future__ import annotations


def singular(name: str) -> str:
    if name.endswith("ies"):
        return name[:-3] + "y"
    if name.endswith(("sses", "shes", "ches", "xes")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith("ss") else name
