"""What the sites of an edge do with its target: raise, catch, instantiate, decorate, read, write, annotate.

In: the requested kinds (of edges, or of roles), and an edge as the index stores it. Out: the kinds of edges that may
have such sites, and those sites with the names of what they do. One site may do several things: `raise Failure()`
calls, instantiates and raises.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rpg.graph import CLASS_KINDS, role_at

ROLE_KINDS = {
    "instantiates": ("calls", "references"),
    "raises": ("calls", "references"),
    "catches": ("references",),
    "decorates": ("calls", "references"),
    "reads": ("references",),
    "writes": ("references",),
    "annotates": ("references",),
    "deletes": ("references",),
}
"""Role that may be requested like a kind of edge -> the kinds of edges whose sites may have it."""

TELLING = frozenset({"raises", "catches", "decorates", "deletes"})
"""Roles that a list of all uses names: they answer the usual next question."""


def edge_kinds(kinds: Collection[str]) -> tuple[str, ...]:
    """The kinds of edges that can answer a question for these kinds and roles."""
    return tuple(dict.fromkeys(edge for kind in kinds for edge in ROLE_KINDS.get(kind, (kind,))))


def roles_of(edge_kind: str, target_kind: str, roles: str, position: int) -> tuple[str, ...]:
    """What one site does besides being of its kind; the most informative first."""
    role = role_at(edge_kind, roles, position)
    makes = edge_kind == "calls" and target_kind in CLASS_KINDS
    found = (role,) if role != "calls" else ()
    return (*found, "instantiates") if makes and role != "instantiates" else found


def site_roles(
    kinds: Collection[str], edge_kind: str, target_kind: str, sites: str, roles: str
) -> Iterator[tuple[str, str]]:
    """The sites (`line:column`) of an edge that are of the requested kinds, each with its kind."""
    whole = edge_kind in kinds
    has_both = "calls" in kinds and "references" in kinds
    for position, site in enumerate(sites.split()):
        if whole:
            role = role_at(edge_kind, roles, position) if has_both and roles else edge_kind
            yield site, role if role in TELLING else edge_kind
            continue
        wanted = [role for role in roles_of(edge_kind, target_kind, roles, position) if role in kinds]
        if wanted:
            yield site, wanted[0]
