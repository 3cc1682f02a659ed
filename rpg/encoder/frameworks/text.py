"""What an expression says as text: a path, an address, a name; where it is computed, a hole.

In: the source of a file, where an expression begins, and what a name in it means. Out: parts: literal text, holes,
names of the environment, and constants of other files by symbol id. Quotation marks and brackets are enough; no grammar
is used, so that one reader serves all languages. The source is one character a byte (latin-1), so that positions are
those of the facts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

Part = tuple[str, str]
"""One of the kinds below, and what it is."""
Text = tuple[Part, ...]

SAID: Final = "s"
HOLE: Final = "?"
OF: Final = "@"
"""The text of a constant, by its symbol id."""
ENVIRONMENT: Final = "e"
DEFAULT: Final = "d"
"""What the variable of the environment in front of it is if it is not set."""
RETURNED: Final = "c"
"""What a function of another file returns: its symbol id and the texts of its arguments, as JSON."""
PARAMETER: Final = "p"
"""Of what a function returns: an argument, by its position."""

LONGEST: Final = 4_000
"""The most characters of one expression that are read."""
DEEPEST: Final = 8

Meaning = Callable[[str, int, int], Text]
"""Of a name at a position of the source, and how deep this is inside others."""

_OPENING: Final = "([{"
_CLOSING: Final = ")]}"
_IN_ARGUMENTS: Final = re.compile(r"[\"'`(\[{)\]},]")
_IN_EXPRESSION: Final = re.compile(r"[\"'`(\[{)\]},;\n]")
_IN_CHOICE: Final = re.compile(r"[\"'`(\[{)\]}?:]")
_IN_SUM: Final = re.compile(r"[\"'`(\[{)\]}+.]")
"""Characters that end something, or begin what must be read as a whole; all between them is passed over."""
_STRING: Final = re.compile(
    r"""(?P<prefix>[$@]{0,2}|[a-zA-Z]{0,2}|r#*)(?:(?P<triple>\"{3}|'{3})(?P<long>(?:[^\\]|\\.)*?)(?P=triple)"""
    r"""|(?P<quote>["'`])(?P<short>(?:(?!(?P=quote))[^\\]|\\.)*)(?P=quote))(?P<hash>\#*)""",
    re.DOTALL,
)
_KEYWORD: Final = re.compile(
    r"""\s*(?:(?P<quote>["'])(?P<quoted>[A-Za-z_][\w-]*)(?P=quote)|:?(?P<plain>[A-Za-z_][\w-]*))"""
    r"""\s*(?:=>|=(?![=>])|:(?![:/]))\s*"""
)
_NAME: Final = re.compile(r"[&*$@!]*[A-Za-z_$@][\w$]*(?:\s*(?:\??\.|::|->|!!\.)\s*[A-Za-z_$][\w$]*)*")
_ENVIRONMENT: Final = re.compile(
    r"""(?:process\.env|import\.meta\.env|Deno\.env)(?:\.(?P<member>[A-Z]\w*)|\[["'](?P<index>\w+)["']\])"""
    r"""|(?:os\.environ|ENV|\$_ENV|System\.getenv\(\))(?:\.get|\.fetch)?[\[(]\s*["'](?P<mapped>\w+)["']"""
    r"""|(?:os\.[Gg]etenv|os\.LookupEnv|System\.getenv|getenv|env|config|environ\.get|std::env::var|env::var|env!"""
    r"""|Environment\.GetEnvironmentVariable|Deno\.env\.get|settings\.get)\(\s*["'](?P<called>[A-Z][A-Z0-9_]+)["']"""
)
_OTHERWISE: Final = re.compile(
    r"""[\])]*\s*(?:\|\||\?\?|\bor\b|\?:|,|\.unwrap_or(?:_else)?\(|\?(?!\.)[^?:;\n]{1,120}\s:)\s*(?:\|\w*\|\s*)?"""
)
"""Between a variable of the environment and what is taken where it is not set."""
_KEPT: Final = re.compile(
    r"(?<=[\w!])(?:\s*\.(?:to_string|to_owned|clone|as_str|as_ref|toString|strip|trim|ToString)\(\))+$"
)
"""Members behind a name that leave the text as it is, but for its end."""
_FORMATTED: Final = re.compile(r"(?:fmt\.Sprintf|String\.format|string\.Format|format!|sprintf|util\.format)\s*\(")
_WRAPPED: Final = re.compile(
    r"""(?:new\s+)?(?:URI\.create|URI|URL|Uri|Uri\.parse|url\.parse|url\.Parse|Url::parse|encodeURI|str|String"""
    r"""|UriComponentsBuilder\.from(?:Path|UriString|HttpUrl)|yarl\.URL|httpx\.URL|Uri\.Parse|HttpUrl\.parse|u?trim\w*)\s*\("""
)
_JOINED: Final = re.compile(
    r"(?:urljoin|urllib\.parse\.urljoin|parse\.urljoin|url\.JoinPath|path\.Join|path\.join|URI\.join)\s*\("
)
_BUILT: Final = re.compile(r"\(?\w+\)?\s*->\s*\{?\s*\w+\s*(?:\.\s*\w+\([^()]*\)\s*)*?\.\s*path\s*\(")
"""A builder of addresses that is passed to a function: `builder -> builder.path("/users").build()`."""
_HOLES: Final = re.compile(r"%[-+0#]*\d*(?:\.\d+)?[sdvqfuixX]|\{[^{}]*\}")


class Argument(NamedTuple):
    keyword: str
    text: str
    start: int
    """Where it begins in the source."""


def arguments_behind(source: str, at: int) -> list[Argument]:
    """The arguments of a call whose callee's name begins at a position; without brackets, those on the rest of the
    line, as Ruby has them."""
    end = min(len(source), at + LONGEST)
    while at < end and (source[at].isalnum() or source[at] in "_$"):
        at += 1
    while at < end and source[at] in "?!:":
        at += 1
    if at < end and source[at] == "<":
        at = _behind_generics(source, at, end)
    while at < end and source[at] in " \t":
        at += 1
    if at < end and source[at] == "(":
        return list(pieces(source, at + 1, end))
    if at < end and source[at - 1] in " \t" and (source[at] in "\"':" or source[at].isalpha()):
        stop = at
        while True:
            stop = source.find("\n", stop + 1, end)
            if stop < 0:
                return list(pieces(source, at, end))
            if source[:stop].rstrip()[-1:] != ",":
                return list(pieces(source, at, stop))
    return []


def _behind_generics(source: str, at: int, end: int) -> int:
    depth = 0
    for position in range(at, min(end, at + 200)):
        character = source[position]
        depth += (character == "<") - (character == ">")
        if not depth:
            return position + 1
        if character in ";\n\"'" and character != "\n":
            return at
    return at


def pieces(source: str, start: int, end: int) -> Iterator[Argument]:
    """What stands between commas, up to the bracket that closes around it."""
    for first, stop in split_at_commas(source, start, end):
        piece = source[first:stop]
        keyword = _KEYWORD.match(piece)
        first += keyword.end() if keyword else len(piece) - len(piece.lstrip())
        text = source[first:stop].rstrip()
        if text:
            yield Argument((keyword["quoted"] or keyword["plain"]) if keyword else "", text, first)


def items(argument: Argument, source: str) -> list[Argument]:
    """The items of a literal list or object; otherwise the argument itself."""
    text = argument.text
    if text[:1] in ("{", "[") and text[-1:] in ("}", "]"):
        return list(pieces(source, argument.start + 1, argument.start + len(text)))
    return [argument]


def split_at_commas(source: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts between commas, up to the bracket that closes around them."""
    depth, at = 0, start
    while (mark := _IN_ARGUMENTS.search(source, at, end)) is not None:
        at = mark.start()
        character = source[at]
        if character in "\"'`":
            string = _STRING.match(source, at, end)
            at = string.end() if string and string.end() > at else at + 1
            continue
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            if not depth:
                yield start, at
                return
            depth -= 1
        elif not depth:
            yield start, at
            start = at + 1
        at += 1
    yield start, max(at, end)


def expression_at(source: str, at: int) -> tuple[int, str]:
    """The expression that begins at a position: up to a comma, a bracket that closes around it, a semicolon, or the end
    of a line after which it does not go on."""
    end = min(len(source), at + LONGEST)
    while at < end and source[at] in " \t":
        at += 1
    depth, position = 0, at
    while (mark := _IN_EXPRESSION.search(source, position, end)) is not None:
        position = mark.start()
        character = source[position]
        if character in "\"'`":
            string = _STRING.match(source, position, end)
            position = string.end() if string and string.end() > position else position + 1
            continue
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            if not depth:
                break
            depth -= 1
        elif not depth and (character in ",;" or (character == "\n" and not _goes_on(source, position, end))):
            break
        position += 1
    else:
        position = max(position, end)
    return at, source[at:position].rstrip()


def _goes_on(source: str, at: int, end: int) -> bool:
    before = source[max(0, at - 80) : at].rstrip()
    if before[-1:] in ("+", "=", "(", "[", "{", "?", "|", "&", "\\") or before.endswith(("=>", "or")):
        return True
    behind = source[at : min(end, at + 80)].lstrip()
    return (behind[:1] in ("+", ".", "?") and behind[:2] != "++") or behind.startswith(("||", "&&", ": "))


def text_of(source: str, start: int, text: str, meaning: Meaning, depth: int = 0) -> Text:
    """The text that an expression means."""
    if depth > DEEPEST:
        return ((HOLE, ""),)
    found: list[Part] = []
    for at, operand in _operands(text):
        found += _operand(source, start + at, operand, meaning, depth)
    return join_parts(found)


def join_parts(parts: list[Part]) -> Text:
    """With literal text in one part where it stands side by side."""
    found: list[Part] = []
    for kind, word in parts:
        if kind == SAID and found and found[-1][0] == SAID:
            found[-1] = (SAID, found[-1][1] + word)
        elif kind != SAID or word:
            found.append((kind, word))
    return tuple(found)


def _operands(text: str) -> Iterator[tuple[int, str]]:
    """The operands of a sum of texts."""
    depth, at, start = 0, 0, 0
    while (mark := _IN_SUM.search(text, at)) is not None:
        at = mark.start()
        character = text[at]
        if character in "\"'`":
            string = _STRING.match(text, at)
            at = string.end() if string and string.end() > at else at + 1
            rest = text[at:].lstrip()
            if not depth and rest[:1] in ('"', "'"):  # literals side by side
                yield start, text[start:at]
                at += len(text[at:]) - len(rest)
                start = at
            continue
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif not depth and (character == "+" or (character == "." and _is_sum(text, at))):
            yield start, text[start:at]
            start = at + 1
        at += 1
    yield start, text[start:]


def _is_sum(text: str, at: int) -> bool:
    """Whether a dot is PHP's `.` between texts."""
    before, behind = text[:at].rstrip(), text[at + 1 :].lstrip()
    if behind[:1] in ('"', "'"):
        return True
    return before[-1:] in ('"', "'") and behind[:1] == "$"


def _operand(source: str, start: int, text: str, meaning: Meaning, depth: int) -> Text:
    stripped = text.strip()
    start += len(text) - len(text.lstrip())
    if not stripped:
        return ()
    while stripped[:1] in "&*(" and stripped[:1]:
        if stripped[0] == "(":
            if stripped[-1] != ")":
                break
            stripped = stripped[:-1]
        stripped = stripped[1:]
        inside = stripped.lstrip()
        start += 1 + len(stripped) - len(inside)
        stripped = inside
    if stripped.startswith(("await ", "return ")):
        start, stripped = start + 6, stripped[6:]
    environment = _ENVIRONMENT.match(stripped)
    if environment:
        return _of_environment(source, start, stripped, environment, meaning, depth)
    string = _STRING.match(stripped)
    if string and string.end() > 0:
        return _string(source, start, stripped, string, meaning, depth)
    formatted = _FORMATTED.match(stripped)
    if formatted:
        return _format(source, start, formatted.end(), meaning, depth)
    if (built := _BUILT.match(stripped)) is not None:
        inner = next(pieces(source, start + built.end(), start + len(stripped)), None)
        return text_of(source, inner.start, inner.text, meaning, depth + 1) if inner else ((HOLE, ""),)
    if (wrapped := _JOINED.match(stripped)) is not None:
        return _joined_path(source, start, wrapped.end(), meaning, depth)
    if (wrapped := _WRAPPED.match(stripped)) is not None:
        inner = next(pieces(source, start + wrapped.end(), start + len(stripped)), None)
        return text_of(source, inner.start, inner.text, meaning, depth + 1) if inner else ((HOLE, ""),)
    if "?" in stripped and (choices := _choices(stripped)):
        return _alternative(source, start, stripped, choices, meaning, depth)
    alternatives = re.split(r"\|\||\?\?|\bor\b|\?:", stripped)
    if len(alternatives) > 1:
        return _alternative(source, start, stripped, alternatives, meaning, depth)
    if (kept := _KEPT.search(stripped)) is not None:
        stripped = stripped[: kept.start()]
    name = _NAME.match(stripped)
    if name is not None and name.end() == len(stripped.removesuffix("!")):
        return meaning(name[0], start, depth)
    if name is not None and stripped[name.end() : name.end() + 1] == "(" and stripped[-1] == ")":
        return _returned(source, start, stripped, name, meaning, depth)
    return ((HOLE, stripped[:60]),)


def _choices(text: str) -> list[str]:
    """The two sides of `a ? b : c`."""
    depth, at, asked, found = 0, 0, -1, -1
    while (mark := _IN_CHOICE.search(text, at)) is not None:
        at = mark.start()
        character = text[at]
        if character in "\"'`":
            string = _STRING.match(text, at)
            at = string.end() if string and string.end() > at else at + 1
            continue
        depth += (character in _OPENING) - (character in _CLOSING)
        if not depth and character == "?":
            if text[at + 1 : at + 2] in ("?", ".", ":") or text[at - 1 : at] == "?":
                at += 2
                continue
            asked = at if asked < 0 else asked
        elif not depth and character == ":" and asked >= 0:
            found = at
            break
        at += 1
    return [text[asked + 1 : found], text[found + 1 :]] if found >= 0 else []


def _returned(source: str, start: int, text: str, name: re.Match[str], meaning: Meaning, depth: int) -> Text:
    """What a function returns, with the arguments that it is passed."""
    found = meaning(f"{name[0]}()", start, depth)
    if not any(kind in (RETURNED, PARAMETER) for kind, _ in found):
        return found
    passed = [
        text_of(source, each.start, each.text, meaning, depth + 1)
        for each in pieces(source, start + name.end() + 1, min(len(source), start + len(text)))
        if not each.keyword
    ]
    if any(kind == PARAMETER for kind, _ in found):
        return fill_in(found, passed)
    return tuple((kind, json.dumps([word, passed]) if kind == RETURNED else word) for kind, word in found)


def fill_in(returned: Text, passed: Sequence[Text]) -> Text:
    """What a function returns, with its arguments in place of its parameters."""
    found: list[Part] = []
    for kind, word in returned:
        if kind == PARAMETER:
            found += passed[int(word)] if int(word) < len(passed) else ((HOLE, ""),)
        else:
            found.append((kind, word))
    return join_parts(found)


def read_call(word: str) -> tuple[str, list[Text]]:
    """The function that a part of the kind RETURNED names, and what it is passed."""
    named, passed = json.loads(word)
    return named, [tuple((kind, each) for kind, each in text) for text in passed]


def _of_environment(source: str, start: int, text: str, found: re.Match[str], meaning: Meaning, depth: int) -> Text:
    name = next(word for word in (found["member"], found["index"], found["mapped"], found["called"]) if word)
    rest = text[found.end() :]
    other = _OTHERWISE.match(rest)
    if other is not None:
        at = start + found.end() + other.end()
        said = text_of(source, *expression_at(source, at), meaning, depth + 1)
        if len(said) == 1 and said[0][0] == SAID and said[0][1]:
            return ((ENVIRONMENT, name), (DEFAULT, said[0][1]))
    return ((ENVIRONMENT, name),)


def _alternative(source: str, start: int, text: str, alternatives: list[str], meaning: Meaning, depth: int) -> Text:
    """The first of several that is known."""
    at = 0
    first: Text = ()
    for each in alternatives:
        at = text.find(each, at)
        found = text_of(source, start + at, each, meaning, depth + 1)
        if found and found[0][0] in (SAID, OF, RETURNED):
            return found
        first = first or found
        at += len(each)
    return first or ((HOLE, ""),)


def _format(source: str, start: int, offset: int, meaning: Meaning, depth: int) -> Text:
    """`Sprintf("%s/users/%d", base, id)`."""
    arguments = list(pieces(source, start + offset, min(len(source), start + LONGEST)))
    if not arguments:
        return ((HOLE, ""),)
    said = text_of(source, arguments[0].start, arguments[0].text, meaning, depth + 1)
    return _filled(source, said, arguments[1:], meaning, depth)


def _filled(source: str, said: Text, fillings: list[Argument], meaning: Meaning, depth: int) -> Text:
    found: list[Part] = []
    rest = [each for each in fillings if not each.keyword]
    named = {each.keyword: each for each in fillings if each.keyword}
    for kind, word in said:
        if kind != SAID and not (kind == HOLE and not word):
            found.append((kind, word))
            continue
        if kind == HOLE:
            found += _next(source, rest, meaning, depth)
            continue
        last = 0
        for hole in _HOLES.finditer(word):
            found.append((SAID, word[last : hole.start()]))
            last = hole.end()
            inner = hole[0][1:-1] if hole[0][0] == "{" else ""
            if inner in named:
                found += text_of(source, named[inner].start, named[inner].text, meaning, depth + 1)
            elif inner and not inner[0].isdigit() and inner[0] != ":":
                found.append((HOLE, inner))
            else:
                found += _next(source, rest, meaning, depth)
        found.append((SAID, word[last:]))
    return join_parts(found)


def _next(source: str, rest: list[Argument], meaning: Meaning, depth: int) -> Text:
    if not rest:
        return ((HOLE, ""),)
    each = rest.pop(0)
    return text_of(source, each.start, each.text, meaning, depth + 1) or ((HOLE, ""),)


def _joined_path(source: str, start: int, offset: int, meaning: Meaning, depth: int) -> Text:
    found: list[Part] = []
    for each in pieces(source, start + offset, min(len(source), start + LONGEST)):
        part = text_of(source, each.start, each.text, meaning, depth + 1)
        if found:
            found.append((SAID, "/"))
        found += part
    return join_parts(found)


def _string(source: str, start: int, text: str, string: re.Match[str], meaning: Meaning, depth: int) -> Text:
    """A literal, with what is filled into it."""
    name = "long" if string["triple"] else "short"
    body, at = string[name], start + string.start(name)
    behind = text[string.end() :].strip()
    prefix = (string["prefix"] or "").lower()
    parts = list(_interpolated(source, at, body, prefix, string["quote"] or "", meaning, depth))
    if behind.startswith(".format("):
        fillings = list(pieces(source, start + text.index(".format(") + 8, min(len(source), start + LONGEST)))
        return _filled(source, join_parts(parts), fillings, meaning, depth)
    if behind.startswith("%") and not behind.startswith("%>"):
        where = start + text.index("%", string.end()) + 1
        filling = source[where : start + len(text)]
        inside = filling.strip().removeprefix("(").removesuffix(")")
        first = where + filling.index(inside[:1] or "") if inside else where
        fillings = list(pieces(source, first, first + len(inside)))
        return _filled(source, join_parts(parts), fillings, meaning, depth)
    return join_parts(parts)


_EXPRESSION: Final = {
    "js": re.compile(r"\$\{"), "ruby": re.compile(r"#\{"), "python": re.compile(r"(?<!\{)\{(?!\{)"),
    "swift": re.compile(r"\\\("),
    "plain": re.compile(r"\$\{|#\{|\\\(|\{\$|\$(?=[A-Za-z_])"),
}  # fmt: skip


def _interpolated(
    source: str, start: int, body: str, prefix: str, quote: str, meaning: Meaning, depth: int
) -> Iterator[Part]:
    if quote == "'" and not prefix:
        yield SAID, unescape(body)
        return
    form = "js" if quote == "`" else "python" if prefix in ("f", "fr", "rf", "$", "$@", "@$") else "plain"
    at = 0
    while True:
        opening = _EXPRESSION[form].search(body, at)
        if opening is None:
            yield SAID, unescape(body[at:].replace("{{", "{").replace("}}", "}") if form == "python" else body[at:])
            return
        yield SAID, unescape(body[at : opening.start()])
        if opening[0] == "$":
            name = re.match(r"[A-Za-z_]\w*(?:->\w+)*", body[opening.end() :])
            assert name is not None
            yield from meaning(name[0], start + opening.end(), depth)
            at = opening.end() + name.end()
            continue
        inside = opening.end() - (opening[0] == "{$")
        stop = _closing(body, inside)
        expression = body[inside:stop]
        if form == "python" and (mark := re.search(r"![rsa]$|:[^'\"\[\]()]*$", expression)) is not None:
            expression = expression[: mark.start()]
        yield from text_of(source, start + inside, expression, meaning, depth + 1) or ((HOLE, ""),)
        at = stop + 1


def _closing(body: str, at: int) -> int:
    depth = 0
    while at < len(body):
        if body[at] in _OPENING:
            depth += 1
        elif body[at] in _CLOSING:
            if not depth:
                return at
            depth -= 1
        at += 1
    return at


def unescape(text: str) -> str:
    """Literal text as it is at run time; the source is one character a byte."""
    if "\\" in text:
        text = re.sub(r"\\(.)", lambda escape: escape[1] if escape[1] in "\\/'\"`$" else " ", text, flags=re.DOTALL)
    return text if text.isascii() else text.encode("latin-1", "replace").decode("utf-8", "replace")
