"""Copies of functions as someone else would have written them: other names, another layout, no comments.

In: the source of one function, Python or a language with braces. Out: the copy. In `renamed` all names are new that the
function itself brings in (its own, parameters, variables); in `disguised` every name but keywords and literals.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import textwrap
from collections.abc import Iterator

_TOKEN = re.compile(
    r"//[^\n]*|/\*.*?\*/|'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\"|`(?:[^`\\]|\\.)*`|[A-Za-z_$][\w$]*|\d[\w.]*"
    r"|=>|\.\.\.|:=|[=!]==?|&&|\|\||\?\?|\?\.|<-|<<|>=|<=|[-+*/|&]=|\+\+|--|\S",
    re.DOTALL,
)
_DECLARED = re.compile(r"\b(?:const|let|var|function|func)\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)|([A-Za-z_]\w*)\s*:=")
_PARAMETER = re.compile(r"[(,]\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)\s*(?=[?:,)]|\s[\w*\[])")
_KEPT = frozenset(
    """
    abstract any as async await boolean break case catch chan class const constructor continue default defer delete do
    else enum export extends fallthrough false finally for from func function get go if implements import in instanceof
    interface keyof let map new nil null number of package private protected public range readonly return select set
    static string struct super switch this throw true try type typeof undefined var void while yield
    """.split()
)


def renamed(source: str, language: str) -> str:
    """Raises ValueError for what cannot be read alone."""
    return _python(source, every=False) if language == "python" else _braces(source, every=False)


def disguised(source: str, language: str) -> str:
    return _python(source, every=True) if language == "python" else _braces(source, every=True)


def _python(source: str, every: bool) -> str:
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError as error:
        raise ValueError(str(error)) from error
    own = set() if every else set(_own_names(tree))
    new: dict[str, str] = {}

    def other(name: str) -> str:
        if keyword.iskeyword(name) or (name not in own and (not every or name in vars(builtins))):
            return name
        return new.setdefault(name, f"other_{len(new)}")

    for node in ast.walk(tree):
        match node:
            case ast.Name():
                node.id = other(node.id)
            case ast.arg():
                node.arg = other(node.arg)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                node.name = other(node.name)
                if ast.get_docstring(node, clean=False) is not None and len(node.body) > 1:
                    del node.body[0]
            case ast.Attribute():
                node.attr = other(node.attr) if every else node.attr
            case ast.keyword() if every and node.arg:
                node.arg = other(node.arg)
            case ast.ExceptHandler() if node.name:
                node.name = other(node.name)
    return ast.unparse(tree)


def _own_names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.arg():
                yield node.arg
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.ExceptHandler() if node.name:
                yield node.name


def _braces(source: str, every: bool) -> str:
    tokens = [token for token in _TOKEN.findall(source) if not token.startswith(("//", "/*"))]
    text = " ".join(tokens)
    own = {name for names in _DECLARED.findall(text) for name in names if name} | set(_PARAMETER.findall(text))
    first = re.search(r"([A-Za-z_$][\w$]*) (?:< .*? > )?\(", text)
    if first:
        own.add(first[1])
    new: dict[str, str] = {}
    lines, line, depth = [], "", 0
    for at, token in enumerate(tokens):
        is_member = at > 0 and tokens[at - 1] in (".", "?.")
        if re.match(r"[A-Za-z_$]", token) and token not in _KEPT and (every or (token in own and not is_member)):
            token = new.setdefault(token, f"other{len(new)}")
        if token == "}":
            depth -= 1
        line += token if not line or token in ".,;)]" or line[-1] in ".([" else f" {token}"
        if token in "{};":
            lines.append("\t" * max(0, depth - (token == "{")) + line)
            line = ""
        if token == "{":
            depth += 1
    return "\n".join([*lines, line]).strip() + "\n"
