"""What a model is shown, and which answers it is able to write.

In: evidence. Out: messages after the template in prompt.txt, and a grammar (GBNF) in which every claim ends with a
citation of the evidence in its exact spelling; a malformed citation cannot be written. Repository text is enclosed in
marks that its authors could not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files

from rpg.models.answerer import Message
from rpg.queries.answer.citations import Lines
from rpg.queries.answer.evidence import Evidence
from rpg.queries.answer.excerpt_choice import Piece

NOT_FOUND = "NOT FOUND"
CLAIMS = 16
CITATIONS_OF_A_CLAIM = 3
LONGEST_QUESTION = 2_000
SIGNATURE = 160
"""Characters of a symbol that is shown only by its signature."""
GRAMMAR = r"""
root ::= "{not_found}" | claim (gap claim){{0,{more}}}
gap ::= " " | "\n"
claim ::= item? begin part* stop? (" " cited){{1,{citations}}} "."?
item ::= "- " | [1-9] ". "
begin ::= [^ \t\r\n.!?\[\]`] | code
part ::= [^\t\r\n.!?\[\]`] | [.!?] [^ \t\r\n.!?\[\]`] | code
stop ::= [.!?]
code ::= "`" [^`\r\n]+ "`"
cited ::= {cited}
"""


def messages(evidence: Evidence, repository: str) -> list[Message]:
    shown = "\n\n".join(blocks(evidence))
    question = " ".join(evidence.question.text.split())[:LONGEST_QUESTION]
    values = {
        "mark": mark_for(question, shown),
        "repository": repository or "this repository",
        "question": question,
        "evidence": shown,
    }
    return [Message(role, fill_template(text, values)) for role, text in template()]


def mark_for(question: str, shown: str) -> str:
    """The author of the repository cannot know the mark, so no text in the repository can end the quoted part."""
    return sha256(f"{question}\0{shown}".encode()).hexdigest()[:8]


@cache
def template(name: str = "prompt.txt", room: str = "rpg.queries.answer") -> tuple[tuple[str, str], ...]:
    text = files(room).joinpath(name).read_text(encoding="utf-8")
    sections = [section.partition("\n") for section in text.split("=== ")[1:]]
    return tuple((role.strip(), body.strip("\n")) for role, _, body in sections)


def fill_template(text: str, values: dict[str, str]) -> str:
    """Each placeholder is filled once: braces in the evidence are not placeholders."""
    out: list[str] = []
    rest = text
    while True:
        at, name = min(((rest.find(f"{{{name}}}"), name) for name in values if f"{{{name}}}" in rest), default=(-1, ""))
        if at < 0:
            return "".join([*out, rest])
        out += [rest[:at], values[name]]
        rest = rest[at + len(name) + 2 :]


def blocks(evidence: Evidence) -> Iterator[str]:
    """Related names first, the excerpts after them: a model attends most to what is nearest to the question."""
    if evidence.calls:
        yield "Calls, in order:\n" + "\n".join(map(str, evidence.calls))
    if evidence.outlines:
        yield "\n".join(f"{piece.lines[0]} {fold_to_line(piece)}" for piece in evidence.outlines)
    for piece in evidence.pieces:
        yield block(piece)


def block(piece: Piece) -> str:
    why = f", {piece.candidate.why}" if piece.candidate.why else ""
    out = [f"{piece.node.label} ({piece.node.kind}{why})"]
    for lines, text in zip(piece.lines, piece.texts, strict=True):
        fence = fence_for(text)
        out += [str(lines), f"{fence}{piece.node.language}", text, fence]
    return "\n".join(out)


def grammar(lines: Iterable[Lines]) -> str:
    """Common parts of citations are written once: a grammar takes longer the more alternatives it has."""
    places: dict[str, dict[str, None]] = {}
    for each in lines:
        places.setdefault(each.path, {})[f'"{each.start}-{each.end}"'] = None
    files = " | ".join(f"{literal(path + ':')} ({' | '.join(numbers)})" for path, numbers in places.items())
    return GRAMMAR.format(
        not_found=NOT_FOUND, more=CLAIMS - 1, citations=CITATIONS_OF_A_CLAIM, cited=f'"[" ({files}) "]"'
    ).strip()


def literal(text: str) -> str:
    escaped = "".join(
        f"\\{c}" if c in '"\\' else f"\\x{ord(c):02X}" if ord(c) < 0x20 or ord(c) == 0x7F else c for c in text
    )
    return f'"{escaped}"'


def fold_to_line(piece: Piece) -> str:
    return " ".join(" ".join(piece.texts).replace("`", "'").split())[:SIGNATURE]


def fence_for(text: str) -> str:
    """Longer than any run of backticks in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)
