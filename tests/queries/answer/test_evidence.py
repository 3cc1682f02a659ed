"""Evidence: what a question asks for, what stands in the excerpts, and when there is none to be had."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from repositories import repository
from shop import SOURCES, write_graph, write_repository

from rpg.encoder.options import options_for
from rpg.queries.answer import excerpts
from rpg.queries.answer.evidence import Evidence, Filters, find, gather
from rpg.queries.answer.excerpts import Run
from rpg.queries.answer.prompt import fence_for
from rpg.queries.answer.question_analysis import Question, analyse_question
from rpg.queries.graph.nodes import Node
from rpg.queries.search.hits import Wanted
from rpg.queries.search.meaning import synonyms
from rpg.queries.search.search import search
from rpg.repository import encode, index_path
from rpg.stores.index.index import Index


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder: Path = tmp_path_factory.mktemp("shop")
    output = write_graph(write_repository(folder / "shop"), folder / "shop.graph.json")
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


def names(evidence: Evidence) -> list[str]:
    return [piece.node.label for piece in evidence.pieces]


@pytest.mark.parametrize(
    ("text", "asks", "named"),
    [
        ("How does the cart add up prices?", "how", ()),
        ("What happens when Session.send gets a redirect?", "how", ("Session.send",)),
        ("Who calls place_order?", "who", ("place_order",)),
        ("Where is `price` used?", "who", ("price",)),
        ("callers of Cart.total", "who", ("Cart.total",)),
        ("Where does the total come from?", "where", ()),
        ("What sets the owner of a cart?", "where", ()),
        ("What breaks if Cart.total returns None?", "breaks", ("Cart.total",)),
        ("If I rename priceOf, what is affected?", "breaks", ("priceOf",)),
        ("What is this repository?", "overview", ()),
        ("Where should I start reading?", "overview", ()),
        ("Why does it fail, e.g. with two carts?", "how", ()),
    ],
)
def test_a_question_says_which_way_to_walk(text: str, asks: str, named: tuple[str, ...]) -> None:
    question = analyse_question(text)
    assert (question.asks, question.names) == (asks, named)


def test_everyday_words_and_the_form_of_a_question_are_not_what_it_is_about() -> None:
    assert analyse_question("What would break if I changed how somebody's carts are kept inside?").subject == ["cart"]
    assert analyse_question("How is a change of the cart detected?").subject == ["chang", "cart", "detect"]
    assert analyse_question("Where does it stay?").subject == ["stay"]


def test_how_brings_what_is_called_and_says_why(index: Index) -> None:
    evidence = gather(index, "How does the checkout add up the total of a cart?", 2_000)
    assert {"checkout", "Cart.total", "price"} <= set(names(evidence))
    price = next(piece for piece in evidence.pieces if piece.node.label == "price")
    assert price.candidate.why == "called by Cart.total"


def test_what_answers_comes_before_what_it_only_calls(index: Index) -> None:
    found = names(gather(index, "How does the checkout add up the total of a cart?", 2_000))
    assert found.index("checkout") < found.index("Cart.total") < found.index("price")
    assert found[-1] == "test_total", "a test shows a use, and seldom how something works"


def test_who_brings_the_symbol_and_each_caller_with_its_line(index: Index) -> None:
    evidence = gather(index, "Who calls `Cart.total`?", 2_000)
    assert names(evidence)[0] == "Cart.total"
    shown = {piece.node.label: "\n".join(piece.texts) for piece in evidence.pieces}
    assert "return cart.total()" in shown["checkout"]
    assert "assert cart.total() == 0" in shown["test_total"]
    assert "retired" not in shown


def test_what_breaks_follows_callers_of_callers(index: Index) -> None:
    one, far = gather(index, "Who calls `price`?", 2_000), gather(index, "What breaks if `price` changes?", 2_000)
    assert "checkout" not in names(one)
    assert {"Cart.total", "checkout"} <= set(names(far))


def test_a_misspelled_name_is_taken_for_the_one_it_is_like(index: Index) -> None:
    evidence = gather(index, "Who calls Cart.totl?", 2_000)
    assert "Cart.total" in names(evidence)
    assert "Cart.totl is read as it" in [piece.candidate.why for piece in evidence.pieces]


def test_an_overview_brings_the_introduction_and_what_most_files_rest_on(index: Index) -> None:
    evidence = gather(index, "What is this repository and what are its main parts?", 2_000)
    assert names(evidence)[0] == "README.md"
    assert "A small shop." in evidence.pieces[0].texts[0]
    assert {"Cart", "Base"} <= set(names(evidence))


@pytest.mark.invariant(
    "answers",
    "a question in words is answered with the nearest evidence there is; doubt takes one line",
)
@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("How are invoices printed on paper?", '"invoices", "printed", "paper"'),
        ("Which algorithm compresses the backups of the database?", '"algorithm", "compresses", "backups", "database"'),
        ("Where is the password of a customer hashed?", '"password", "hashed"'),
    ],
)
def test_what_is_not_there_is_said(index: Index, text: str, absent: str) -> None:
    evidence = gather(index, text, 2_000)
    assert not evidence.coverage.enough
    assert evidence.doubt == f"weak: nothing here names {absent}; nearest by meaning and use"
    assert len(evidence.pieces) > 3, "the nearest evidence is given all the same"


@pytest.mark.parametrize(
    "text",
    [
        "How does the checkout work?",
        "How are prices summed up?",
        "Where is an item put into the cart?",
        "What happens when a cart is sent?",
    ],
)
def test_what_is_there_is_not_doubted(index: Index, text: str) -> None:
    assert gather(index, text, 2_000).doubt == ""


def test_documents_are_asked_where_code_says_nothing(index: Index) -> None:
    evidence = gather(index, "Is this a small shop?", 2_000)
    assert not evidence.coverage.in_code
    assert evidence.coverage.is_documented
    assert evidence.doubt == "", "they have the answer"
    assert evidence.pieces[0].node.path == "README.md"
    assert any("A small shop." in text for text in evidence.pieces[0].texts)


USES_BERTH = "from mooring.berth import assign_berth\n\ndef {}(ship):\n    return assign_berth(ship)\n"


def test_parts_that_others_rest_on_come_before_examples_and_helpers(tmp_path: Path) -> None:
    sources = {
        "mooring/berth.py": "def assign_berth(ship):\n    return ship.length\n",
        "mooring/port.py": USES_BERTH.format("arrive"),
        "mooring/night.py": USES_BERTH.format("wait"),
        "examples/berth.py": "def assign_berth(ship):\n    return ship.name\n",
    }
    output = tmp_path / "port.graph.json"
    encode(repository(tmp_path / "port", sources), output, options_for(tmp_path / "port"))
    with_index = Index.open_read_only(index_path(output))
    try:
        evidence = gather(with_index, "How does a ship get its berth?", 2_000)
        scores = {piece.node.id: piece.candidate.score for piece in evidence.pieces}
    finally:
        with_index.close()
    best = max(scores, key=lambda each: scores[each])
    assert best == "mooring/berth.py::assign_berth"
    assert scores[best] > 2 * scores["examples/berth.py::assign_berth"]


def test_the_name_of_the_repository_is_not_what_a_question_is_about(tmp_path: Path) -> None:
    files = {f"src/bin/wren/part{n}.py": f"def wren_part{n}(path):\n    return open(path).read()\n" for n in range(12)}
    files["src/syntax.py"] = "def language_of(path):\n    return path.rpartition('.')[2]\n"
    question = "How does wren find the language?"

    def asked(more: dict[str, str], folder: Path) -> tuple[Question, str]:
        output = folder / "wren.graph.json"
        root = repository(folder / "wren", files | more)
        encode(root, output, options_for(root))
        opened = Index.open_read_only(index_path(output))
        try:
            found = find(opened, question)
            return found.question, search(opened, Wanted(query=question)).hits[0].node.label
        finally:
            opened.close()

    alone, first = asked({}, tmp_path / "alone")
    assert alone.terms == ("find", "languag")
    assert alone.text == question
    assert first == "language_of"
    called_so, _ = asked({"src/birds.py": "class Wren:\n    pass\n"}, tmp_path / "called_so")
    assert "wren" in called_so.terms


def test_methods_that_only_pass_a_call_on_do_not_all_come_before_what_else_there_is(tmp_path: Path) -> None:
    ways = ("north", "south", "east", "west", "up", "down", "left", "right")
    passing = "".join(f"    def sail_ship_{way}(self, ship):\n        return ship.steer({way!r})\n\n" for way in ways)
    rigging = "".join(f"    if wind == {way!r}:\n        ship.turn({way!r})\n" for way in ways)
    files = {"helm.py": f"class Helm:\n{passing}", "rig.py": f"def rig_ship(ship, wind):\n{rigging}    return ship\n"}
    root = repository(tmp_path / "helm", files)
    output = tmp_path / "helm.graph.json"
    encode(root, output, options_for(root))
    with_index = Index.open_read_only(index_path(output))
    try:
        found = find(with_index, "How does a ship sail?")
    finally:
        with_index.close()
    order = [candidate.node.label for candidate in found.candidates]
    assert len([label for label in order[: order.index("rig_ship")] if ".sail_ship" in label]) < len(ways)


def test_words_of_the_code_that_come_with_a_question_find_what_it_does_not_name(index: Index) -> None:
    question = "Where does my money go?"
    alone, told = packed_names(index, question, ""), packed_names(index, question, "checkout, Cart.total")
    assert alone[0] != "Cart.total"
    assert set(told[:2]) == {"checkout", "Cart.total"}


def packed_names(index: Index, question: str, in_code: str) -> list[str]:
    """Best first."""
    return [candidate.node.label for candidate in find(index, question, in_code=in_code).candidates] or [""]


def test_words_that_nothing_has_are_weak_evidence_too(index: Index) -> None:
    assert find(index, "Where does my money go?", in_code="checkout cart").coverage.enough
    guessed = find(index, "Where does the cart's money go?", in_code="ledger, payment gateway, invoice")
    assert not guessed.coverage.enough
    assert guessed.coverage.unknown == ("ledger", "payment", "gateway", "invoice")


def test_weak_evidence_is_broad_and_what_is_sure_is_whole(tmp_path: Path) -> None:
    lines = "".join(f"    berth.step_{number}(ship)\n" for number in range(14))
    files = {f"quay{n}.py": f"def moor_ship_{n}(ship, berth):\n{lines}    return ship\n" for n in range(60)}
    output = tmp_path / "quay.graph.json"
    root = repository(tmp_path / "quay", files)
    encode(root, output, options_for(root))
    with_index = Index.open_read_only(index_path(output))
    try:
        sure, unsure = (
            gather(with_index, text, 2_000)
            for text in ("How is a ship moored?", "Which printer puts a ship's invoice and receipt on paper?")
        )
    finally:
        with_index.close()
    assert sure.coverage.in_code
    assert not unsure.coverage.enough
    assert len(shown_whole(sure)) > len(shown_whole(unsure)) > 0
    assert len(with_lines(unsure)) > len(with_lines(sure))


def with_lines(evidence: Evidence) -> list[str]:
    """More than named."""
    return [piece.node.label for piece in evidence.pieces if not piece.is_named]


def shown_whole(evidence: Evidence) -> list[str]:
    return [piece.node.label for piece in evidence.pieces if piece.whole]


def test_documents_that_speak_of_a_question_come_first_and_push_no_code_out(index: Index) -> None:
    evidence = gather(index, "Is this a small shop?", 2_000)
    best = sorted(evidence.pieces, key=lambda piece: -piece.candidate.score)
    assert best[0].node.path == "README.md"
    assert sum(piece.node.path == "README.md" for piece in best) <= 2
    assert {"Cart", "checkout"} <= set(names(evidence))


def test_filters_are_those_of_search(index: Index) -> None:
    found = gather(index, "How does the cart work?", 2_000, Filters(path="shop/orders.py"))
    first = next(piece for piece in found.pieces if piece.candidate.seed)
    assert first.node.path == "shop/orders.py"


WORDS = ["how", "who calls", "cart", "Cart.total", "`price`", "breaks", "overview", "order", "where", "tea"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join), st.integers(60, 1_500))
def test_excerpts_fit_the_budget_are_what_the_file_says_and_are_shown_once(
    index: Index, text: str, budget: int
) -> None:
    evidence = gather(index, text, budget)
    pieces = [*evidence.pieces, *evidence.outlines]
    assert evidence.tokens <= budget
    assert sum(len(text.encode()) for piece in pieces for text in piece.texts) <= 4 * budget
    shown: set[tuple[str, int]] = set()
    for piece in pieces:
        lines = SOURCES[piece.node.path].split("\n")
        for run, excerpt in zip(piece.runs, piece.texts, strict=True):
            assert excerpt == "\n".join(lines[run.start - 1 : run.end])
            fresh = {(piece.node.path, line) for line in range(run.start, run.end + 1)}
            assert not fresh & shown
            shown |= fresh
    assert [lines for piece in pieces for lines in piece.lines] == evidence.lines


def test_how_says_in_which_order_the_pieces_call_one_another(index: Index) -> None:
    evidence = gather(index, "How does the checkout add up the total of a cart?", 2_000)
    told = [str(step) for step in evidence.calls]
    assert told[:3] == ["checkout", "  Cart.add", "  place"], "as the calls stand in it"
    assert told.index("  place") < told.index("    Base.save") < told.index("  Cart.total")
    assert told[told.index("  Cart.total") + 1] == "    price"
    assert len(told) == len({step.node.row for step in evidence.calls})


def test_a_member_that_is_shown_keeps_its_signature_where_its_class_is_shown_too(index: Index) -> None:
    evidence = gather(index, "How does the cart add up its total?", 2_000)
    shown = {piece.node.label: piece.texts[0] for piece in evidence.pieces}
    assert shown["Cart.total"].lstrip().startswith("def total(")


PLANNER = {
    "planner.py": '''\
class Planner:
    """Deliveries of a day.

    Each delivery waits for those that it names: its number says nothing.

    {rest}
    """

    def delivery_order(self, first):
        """Deliveries in the order in which they leave."""
        return self.walk(first)

    def walk(self, first):
        seen = []
        for each in first.waits_for:
            seen += self.walk(each)
        return [*seen, first]

    def print_delivery_order(self, first):
        """Print deliveries in the order in which they leave."""
        width = 80
        lines = []
        for each in self.delivery_order(first):
            name = each.name
            name = name[:width]
            lines.append(name)
        text = "\\n".join(lines)
        text = pretty(text)
        print(text)
        return text


def pretty(text):
    return text.strip()
'''.replace("{rest}", "\n    ".join(f"Remark {number}." for number in range(20))),
}


@pytest.fixture(scope="module")
def planner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder: Path = tmp_path_factory.mktemp("planner")
    output = folder / "planner.graph.json"
    source = repository(folder / "planner", PLANNER)
    encode(source, output, options_for(source))
    opened = Index.open_read_only(index_path(output))
    yield opened
    opened.close()


def test_what_a_short_function_passes_its_work_to_comes_before_what_a_long_one_uses(planner: Index) -> None:
    evidence = gather(planner, "how are deliveries ordered", 2_000)
    scores = {piece.node.label: piece.candidate.score for piece in evidence.pieces}
    assert scores["Planner.walk"] > scores["pretty"]


def test_the_enclosing_class_says_what_it_is_for_in_as_many_paragraphs_as_fit(planner: Index) -> None:
    evidence = gather(planner, "how are deliveries ordered", 2_000)
    told = next("\n".join(piece.texts) for piece in evidence.pieces if piece.node.label == "Planner")
    assert "its number says nothing" in told
    assert "Remark 0" not in told


def test_what_is_asked_about_a_named_symbol_is_looked_for_apart() -> None:
    assert analyse_question("what happens when Session.send gets a redirect").about == "redirect"
    assert analyse_question("how does Session.send work").about == ""
    assert analyse_question("how are redirects followed").about == ""


def test_a_fence_cannot_be_closed_from_inside() -> None:
    assert fence_for("a ``` b ```` c") == "`````"
    assert fence_for("plain") == "```"


RENDER = '''\
@decorated
def render(
    name,
    options=None,
):
    """Render the page.

    More about it,
    over many lines,
    that nobody needs
    to understand the code,
    not even once.
    """
    first = name
    second = options
    third = 3
    fourth = 4
    fifth = 5
    sixth = 6
    return first
'''

LONG_DOC = RENDER.splitlines()


def function(start: int, end: int, name_line: int) -> Node:
    return Node(1, "a.py::f", "function", "f", "f", "a.py", None, "python", start, end, name_line, "", "", 1, 0)


def test_a_long_doc_comment_is_cut_to_its_first_paragraph() -> None:
    node = function(1, 20, 2)
    assert excerpts.signature_lines(LONG_DOC, node) == [2, 3, 4, 5]
    assert excerpts.doc_lines(LONG_DOC, node) == list(range(6, 14))
    assert excerpts.whole(LONG_DOC, node) == [Run(1, 6), Run(14, 20)]


def test_a_cut_excerpt_keeps_head_and_the_lines_that_matter() -> None:
    assert excerpts.cut(LONG_DOC, function(1, 20, 2), [20]) == [Run(1, 6), Run(20, 20)]
    assert excerpts.outline(LONG_DOC, function(1, 20, 2)) == [Run(2, 5)]


NESTED = """\
def send(request):
    first(request)
    second(request)
    third(request)
    for hook in hooks:
        fourth(hook)
        fifth(hook)
        sixth(hook)
        if hook.wants(
            request,
            again=True,
        ):
            hook(request)
    seventh(request)
    eighth(request)
    return request
""".splitlines()


def test_a_line_that_matters_brings_its_whole_statement_and_the_blocks_around_it() -> None:
    assert excerpts.cut(NESTED, function(1, 16, 1), [13]) == [Run(1, 1), Run(5, 5), Run(9, 9), Run(13, 13)]
    assert excerpts.cut(NESTED, function(1, 16, 1), [10]) == [Run(1, 1), Run(5, 5), Run(9, 12)]


def test_brackets_that_do_not_add_up_cost_no_more_than_a_line() -> None:
    lines = ["def smile():", '    one(":(")', "    two()", "    three()", "    four()", "    five()", "    six()"]
    assert excerpts.cut(lines, function(1, 7, 1), [6]) == [Run(1, 1), Run(6, 6)]


def test_comments_before_a_definition_are_its_doc_in_every_language() -> None:
    lines = ["// Send sends it.", "//", "// It waits.", "func Send() {", "\treturn 1", "}"]
    node = function(1, 6, 4)
    assert excerpts.doc_lines(lines, node) == [1, 2, 3]
    assert excerpts.head(lines, node, [1, 2, 3]) == [1, 4]


def test_words_that_stand_for_one_another_are_found_in_both_directions() -> None:
    assert "sort" in synonyms.others(["order"])
    assert "order" in synonyms.others(["sort"])
    assert synonyms.others(["kubernet"]) == []
