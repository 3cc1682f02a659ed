"""The evidence as a document: a table of contents, then each excerpt with its place and its reason.

In: evidence. Out: Markdown, the same for a person at a terminal and for an agent that reads it in place of many files.
Text from the repository stands in fences that it cannot close.
"""

from __future__ import annotations

import re

from rpg.queries.evidence import Evidence, Piece

READING = {
    "how": "Read in order: what is used stands before what uses it.",
    "where": "Read in order: what a value comes out of stands before what takes it.",
    "who": "The symbol itself, then its users with the lines that name it.",
    "breaks": "The symbol itself, then what rests on it, directly and through others.",
    "overview": "The introduction, entry points, then the symbols that most other files rest on.",
}


def document(evidence: Evidence, repository: str = "") -> str:
    pieces = evidence.pieces
    source = f" from {repository}" if repository else ""
    out = [f"# {' '.join(evidence.question.text.split())}", ""]
    if not pieces:
        return "\n".join([*out, f"No evidence{source}: {evidence.doubt}."])
    out += [
        f"Evidence{source}: {len(pieces)} excerpts of {evidence.files} files, about {evidence.tokens:,} tokens. "
        + READING[evidence.question.asks],
        "",
        "## Contents",
        "",
        *(f"{number}. {entry(piece)}" for number, piece in enumerate(pieces, 1)),
    ]
    if evidence.doubt:
        out[2:2] = [f"**Low evidence:** {evidence.doubt}. What comes nearest:", ""]
    for number, piece in enumerate(pieces, 1):
        out += ["", f"## {number}. {piece.node.label}", "", *body(piece)]
    if evidence.outlines:
        out += ["", "## Related, by signature", ""]
        out += [f"- `{folded(piece)}` {place(piece)}{why(piece)}" for piece in evidence.outlines]
    if evidence.left_out:
        out += ["", f"{evidence.left_out} more found no room: ask with a larger max_tokens, or narrower."]
    return "\n".join(out)


def entry(piece: Piece) -> str:
    return f"{piece.node.label} ({piece.node.kind}) {place(piece)}{why(piece)}"


def body(piece: Piece) -> list[str]:
    fence = fence_for("\n".join(piece.texts))
    out = [f"{piece.node.kind}, {' '.join(map(str, piece.lines))}{why(piece)}", "", f"{fence}{piece.node.language}"]
    for number, text in enumerate(piece.texts):
        if number:
            out.append(f"… {piece.runs[number - 1].end + 1}-{piece.runs[number].start - 1}")
        out.append(text)
    return [*out, fence]


def place(piece: Piece) -> str:
    return f"[{piece.node.path}:{piece.runs[0].start}-{piece.runs[-1].end}]"


def why(piece: Piece) -> str:
    return f": {piece.candidate.why}" if piece.candidate.why else ""


def folded(piece: Piece) -> str:
    return " ".join(" ".join(piece.texts).replace("`", "'").split())[:160]


def fence_for(text: str) -> str:
    """Longer than any run of backticks in the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)
