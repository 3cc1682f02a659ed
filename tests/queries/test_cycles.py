"""Files that import each other in circles are those that a graph library finds."""

from __future__ import annotations

from itertools import pairwise

import networkx
from hypothesis import given
from hypothesis import strategies as st

from rpg.components import components
from rpg.queries.graph.cycles import shortest_cycle

FILES = [f"{letter}.py" for letter in "abcdefghij"]


@given(st.lists(st.tuples(st.sampled_from(FILES), st.sampled_from(FILES)).filter(lambda pair: pair[0] != pair[1])))
def test_circles_are_the_strongly_connected_components(pairs: list[tuple[str, str]]) -> None:
    imports = {file: sorted({to for of, to in pairs if of == file}) for file in FILES}
    graph = networkx.DiGraph(pairs)

    found = {frozenset(group) for group in components(FILES, imports.__getitem__) if len(group) > 1}

    assert found == {frozenset(each) for each in networkx.strongly_connected_components(graph) if len(each) > 1}
    for group in found:
        for file in group:
            cycle = shortest_cycle(imports, set(group), file)
            assert cycle[0] == cycle[-1] == file
            assert all(to in imports[of] for of, to in pairwise(cycle))
            assert len(cycle) - 1 == min(
                networkx.shortest_path_length(graph, to, file) + 1 for to in imports[file] if to in group
            )
