"""The house: rooms ignorant of those above them, libraries and words that stand in one place."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

import pytest
from importlinter.cli import EXIT_STATUS_SUCCESS, lint_imports
from repositories import ENVIRONMENT

from rpg.components import components
from rpg.encoder.languages import BY_NAME, Rules
from rpg.encoder.languages.results import CallsArgument, Gives
from rpg.stores.installation import data_folder
from rpg.tools import TOOLS
from rpg.tools.calling.registry import input_schema, output_schema

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "rpg").rglob("*.py"))
LANGUAGES = ROOT / "rpg" / "encoder" / "languages"
LIBRARIES = ROOT / "rpg" / "encoder" / "frameworks"
"""Tables of libraries, which say of which language each is."""

VAGUE = frozenset({"utils", "util", "common", "base", "manager", "helper", "helpers", "misc", "stuff", "core"})
UNWANTED = frozenset({
    "uid", "key", "entity", "entities", "item", "object", "type", "loc", "location", "range", "mention", "chunk",
    "chunks", "invokes", "uses", "depends_on",
})  # fmt: skip
"""What the vocabulary does not call things by, in the JSON that clients see."""

MACHINE = re.compile(r"(?<![\w.~<>)}\]-])/(?:home|Users|root|tmp|work|private|mnt|opt)/\w+|[A-Z]:\\\\?Users")
"""A path that is there on one machine alone."""
INVENTED_PATHS = frozenset({"tests/repository/test_clones.py", "tests/docs/test_house.py"})
"""Tests that have such paths as examples."""

NAMED_OUTSIDE: dict[str, tuple[frozenset[str], str]] = {
    "rpg/cli/completion.py": (frozenset({"bash"}), "it is a shell there"),
    "rpg/cli/doctor/checks.py": (frozenset({"python"}), "it is the interpreter there"),
    "rpg/models/llama_child.py": (frozenset({"cpp"}), "it is a part of the name llama.cpp there"),
    "rpg/queries/answer/citations.py": (frozenset({"go", "java", "tsx"}), "they are file name suffixes there"),
    "rpg/cli/review.py": (frozenset({"html", "markdown"}), "they are forms of a review there"),
    "rpg/cli/tests.py": (frozenset({"go"}), "it is the program that runs tests there"),
    "rpg/queries/overview/one_page.py": (frozenset({"html"}), "it is markup in Markdown there"),
    "rpg/queries/review/machine_formats.py": (frozenset({"html"}), "it is a form of a review there"),
    "rpg/queries/review/markdown.py": (frozenset({"markdown"}), "it is a form of a review there"),
    "rpg/queries/tests_to_run/coverage_files.py": (frozenset({"go"}), "it is a form of coverage there"),
    "rpg/queries/tests_to_run/runners.py": (frozenset({"go"}), "it is the program that runs tests there"),
}
"""Modules outside the languages that have the name of one, and why."""

OWN_FORMATS = frozenset({"json", "toml", "yaml", "sql"})
"""Languages that rpg itself reads and writes."""

SHARED_ROOMS = ("rpg/encoder/resolve/", "rpg/encoder/explain/", "rpg/encoder/lowering/", "rpg/stores/search/tables.py")
"""What every language shares."""
FRAMEWORKS = "rpg/encoder/resolve/frameworks/"
"""One file a framework: each knows its own."""
OWN_WORDS = frozenset(
    "list dict map record tuple context coroutine str int None any"  # kinds of containers, types and parameters
    " file module object property type constructor self super value test parent new default"  # of symbols and edges
    " overload classmethod contextmanager dataclass"  # flags of definitions
    " all exports globals flags name key id keyword enum contains"  # of facts, tables and edges
    " read this replace unknown private".split()  # what our own code is told
)
"""Words of facts, values and edges that some language calls something by as well."""

SOURCES = ("rpg", "tests", "bin")
MOST_MODULES = 20

KNOWN_BY = {
    "tree_sitter": ("rpg/encoder/parsing/trees.py", "rpg/encoder/lowering/node.py"),
    "tree_sitter_language_pack": ("rpg/encoder/parsing/trees.py",),
    "llama_cpp": ("rpg/models/",),
    "mcp": ("rpg/server/",),
    "apsw": ("rpg/stores/", "rpg/repository/encoding/encode.py"),
    "networkx": ("rpg/queries/exchange/",),
    "rich": ("rpg/cli/",),
    "click": ("rpg/cli/",),
}
"""The rooms that know a library. node.py knows a type alone, repository/encoding/encode.py the failures of apsw
alone, to tell what could not be written."""


def tracked() -> list[Path]:
    """What belongs to the repository: all that is tracked, or in a copy without git what stands in its folders."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]
    return [path for folder in ("rpg", "tests", "bin", "fixtures") for path in (ROOT / folder).rglob("*.*")]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.invariant(
    "the house",
    "rooms import downwards only; the encoder uses no store, model or network; the resolver and the "
    "repository are imported from their packages, not from modules inside them",
)
def test_each_room_is_ignorant_of_those_above_it(capsys: pytest.CaptureFixture[str]) -> None:
    code = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)

    assert code == EXIT_STATUS_SUCCESS, capsys.readouterr().out


MOST_IN_A_CIRCLE = 5
CIRCLES = {"rpg.encoder.languages.ecmascript": 28, "rpg.repository": 13}
"""Rooms with larger circles of imports, those for types alone included: never larger than this."""


def test_few_modules_import_each_other_in_a_circle() -> None:
    importing = {module_name(path): set(imported_modules(path)) for path in MODULES}
    circles = components(importing, lambda name: importing[name] & importing.keys())
    most: dict[str, int] = {}
    for circle in circles:
        room = next((room for room in CIRCLES if any(is_in_room(name, room) for name in circle)), min(circle))
        most[room] = max(most.get(room, 0), len(circle))

    assert {room: count for room, count in most.items() if count > CIRCLES.get(room, MOST_IN_A_CIRCLE)} == {}


def is_in_room(name: str, room: str) -> bool:
    return name == room or name.startswith(f"{room}.")


def module_name(path: Path) -> str:
    return name_of(path).removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def imported_modules(path: Path) -> Iterator[str]:
    """The modules, or what stands in them, that a module imports, wherever and for whatever."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module != module_name(path):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_every_module_opens_with_its_door_sign() -> None:
    assert [name_of(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_bytes()))] == []


def test_no_folder_has_more_modules_than_one_looks_through() -> None:
    ours = [path for path in tracked() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in SOURCES]
    folders = Counter(name_of(path.parent) for path in ours if path.name != "__init__.py")

    assert folders["tests"], "the tests are looked at"
    assert {folder: number for folder, number in folders.items() if number > MOST_MODULES} == {}


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert [name_of(path) for path in MODULES if path.stem in VAGUE] == []


def test_any_exception_is_caught_at_two_doors_alone() -> None:
    catching = [
        name_of(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.ExceptHandler) and catches_all(node)
    ]

    assert catching == ["rpg/cli/__init__.py", "rpg/server/__init__.py"]


def catches_all(handler: ast.ExceptHandler) -> bool:
    """Whether it keeps every exception; one that cleans up and raises it again does not."""
    is_any = handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")
    return is_any and not any(isinstance(node, ast.Raise) and node.exc is None for node in ast.walk(handler))


RANKING = (
    "rpg/queries/search/",
    "rpg/queries/answer/",
    "rpg/queries/ranked_map",
    "rpg/queries/pagerank",
    "rpg/stores/search/",
)
"""Rooms whose constants decide what comes first."""


@pytest.mark.invariant("the house", "every constant of a ranking is in its table, a `*_weights.py`, with its reason")
def test_what_a_ranking_weighs_is_in_its_table_with_a_reason() -> None:
    astray = []
    for path in MODULES:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(RANKING):
            continue
        body = ast.parse(path.read_text()).body
        for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
            if not isinstance(node, ast.Assign):
                continue
            if name.endswith("_weights.py"):
                has_reason = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            else:
                parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                has_reason = not any(isinstance(each, ast.Constant) and isinstance(each.value, float) for each in parts)
            if not has_reason:
                astray.append(f"{name}:{node.lineno} {ast.unparse(node)[:60]}")
    assert astray == []


def test_languages_are_named_in_their_own_room_alone() -> None:
    named: dict[str, set[str]] = {}
    for path in MODULES:
        if LANGUAGES not in path.parents and LIBRARIES not in path.parents:
            found = (
                set(words_of(ast.parse(path.read_bytes()))) & {name for name in BY_NAME if len(name) > 1} - OWN_FORMATS
            )
            if found:
                named[name_of(path)] = found

    assert named == {path: set(words) for path, (words, _) in NAMED_OUTSIDE.items()}


@pytest.mark.invariant(
    "the house",
    "what a language brings (builtins, library, protocols) is named only in the language's own folder; a "
    "new language changes no other room",
)
def test_what_a_language_brings_is_named_in_the_room_of_languages_alone() -> None:
    known = brought_names()
    named = {
        name_of(path): named_in(path.read_text(), known)
        for path in MODULES
        if name_of(path).startswith(SHARED_ROOMS) and not name_of(path).startswith(FRAMEWORKS)
    }

    assert {path: found for path, found in named.items() if found} == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('CONTAINERS = {"Promise": "coroutine", "Sequence": "list"}', {"Promise", "Sequence"}),
        ('SAME = frozenset("""copy toSorted elements""".split())', {"copy", "toSorted"}),
        ('hit = find(value[FILE], value[SYMBOL], "__getattr__")', {"__getattr__"}),
        ('if name == "functools.reduce" or name.endswith("TypedDict()"):\n    pass', {"functools.reduce", "TypedDict"}),
        ('"""What `functools.reduce` gives."""\nkind = "coroutine"', set()),
    ],
)
def test_a_name_that_a_language_brings_is_found_in_a_text(text: str, found: set[str]) -> None:
    assert named_in(text, brought_names()) == found


def brought_names() -> set[str]:
    """Names of builtins, libraries and what the languages look up, as their rules have them, but for our own words."""
    found: set[str] = set()
    annotations = {name: said for each in Rules.__mro__ for name, said in getattr(each, "__annotations__", {}).items()}
    for language in BY_NAME.values():
        if language.tier in ("defined", "outlined"):
            continue  # what these bring are lists of common words
        for part in inspect.getmembers(language.rules, lambda each: not callable(each)):
            is_way = annotations.get(part[0], "").startswith(("Literal[", "Extensions"))
            if not part[0].startswith("_") and not is_way:
                found.update(strings_in(part[1]))
    return {name for name in found if re.fullmatch(r"[.$@\[]*\w[\w.$@\[\]]*", name)} - OWN_WORDS


def strings_in(value: object) -> Iterator[str]:
    """Names in a table: of what it gives in our own words, the keys alone."""
    if isinstance(value, str):
        yield value.removesuffix("()")
    elif isinstance(value, Mapping):
        yield from value
    elif isinstance(value, Set | tuple) and not isinstance(value, Gives | CallsArgument):
        for each in value:
            yield from strings_in(each)


def named_in(text: str, names: set[str]) -> set[str]:
    """The names that stand in a text as whole strings, or as words of a string that is split, outside docstrings."""
    tree = ast.parse(text)
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            said.update(map(id, ast.walk(node.value)))
    words: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            words.add(node.value.removesuffix("()"))
        elif isinstance(node, ast.Attribute) and node.attr == "split" and isinstance(node.value, ast.Constant):
            words.update(str(node.value.value).split())
    return words & names


def words_of(tree: ast.Module) -> Iterator[str]:
    """Whole strings that are no docstrings, and the words that names are made of."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value
        for field in ("id", "attr", "arg", "name"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield from name.lower().split("_")


def test_no_file_names_a_place_on_one_machine() -> None:
    places = {
        name_of(path): sorted(set(MACHINE.findall(path.read_text("utf-8", errors="replace"))))
        for path in tracked()
        if name_of(path) not in INVENTED_PATHS and path.suffix != ".bin"
    }

    assert {path: found for path, found in places.items() if found} == {}


def test_no_test_writes_into_the_users_data_folder(users_data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test fails that does (`tests/conftest.py`): here is what it looks at, and that processes are told too."""
    assert data_folder() == Path(ENVIRONMENT["RPG_DATA"])
    assert not data_folder().is_relative_to(users_data_folder)
    monkeypatch.delenv("RPG_DATA")
    assert data_folder() == users_data_folder
    monkeypatch.delenv("XDG_DATA_HOME")
    if sys.platform == "linux":
        assert data_folder() == users_data_folder


def test_answers_use_the_words_of_the_schema() -> None:
    used = {
        name
        for tool in TOOLS.values()
        for schema in (input_schema(tool), output_schema(tool))
        for name in property_names(schema)
    }

    assert used & UNWANTED == set()


def property_names(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        for value in schema.values():
            yield from property_names(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from property_names(value)


def test_a_tool_is_a_file_with_a_function_of_its_name() -> None:
    for tool in TOOLS.values():
        tree = ast.parse((ROOT / "rpg" / "tools" / f"{tool.name}.py").read_bytes())
        functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}

        assert {tool.name, "text"} <= functions


PARTICIPLES = frozenset(
    "begun brought built chosen done drawn found given gone held hidden kept known left made named seen sent shown "
    "spoken taken told written".split()
)
IN_ED = frozenset({"embed", "exceed", "feed", "need", "proceed", "seed"})
"""Words that end like a participle and are verbs."""


def is_participle(name: str) -> bool:
    word = name.partition("_")[0]
    return word in PARTICIPLES or (word.endswith("ed") and word not in IN_ED)


def test_functions_are_named_by_verbs() -> None:
    """What they do, or `is_`, `has_`; some of those that are left handle a node of a grammar by its name."""
    functions = [
        node.name
        for path in MODULES
        for node in ast.parse(path.read_bytes()).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_")
    ]
    participles = [name for name in functions if is_participle(name)]

    assert len(participles) <= 0.03 * len(functions), sorted(participles)


def test_a_library_is_known_to_its_room_alone() -> None:
    strangers = {
        f"{name_of(path)} imports {module}"
        for path in MODULES
        for module in imported(path)
        if module in KNOWN_BY and not name_of(path).startswith(KNOWN_BY[module])
    }

    assert strangers == set()


def imported(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_bytes())
    typing_alone = {
        id(each)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for each in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_alone:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


STATEMENT = re.compile(r"\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE (?:TABLE|INDEX))\b")
MOST_WITH_SQL = 30
"""A new read of the index gets a name in `rpg/stores/index/`: beside `reader.py`, by its subject."""


def test_few_modules_hold_sql() -> None:
    holding = [name_of(path) for path in MODULES if any(map(STATEMENT.search, strings_in_module(path)))]

    assert len(holding) <= MOST_WITH_SQL, holding


def strings_in_module(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.invariant("trust", "an index that came with a repository cannot run code")
def test_nothing_is_unpickled_or_evaluated() -> None:
    """What a repository brings with it, an index too, is data."""
    unpicklers = {"pickle", "marshal", "shelve", "dill", "runpy", "code"}
    importing = {name_of(path): set(imported(path)) & unpicklers for path in MODULES}
    calling = {
        name_of(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("eval", "exec", "compile")
    }

    assert {path: found for path, found in importing.items() if found} == {}
    assert calling == set()


REPRESENTATION = frozenset({"code", "sites", "blocks", "value", "callee", "receiver", "function", "entry", "owner"})
"""What operations, sites, blocks, values and entries of a resolution order are called where they are read."""
READING = ("languages", "lowering", "parsing", "resolve", "explain")
"""The rooms of the encoder that read them."""


@pytest.mark.invariant("the house", "operations, sites and values are read by the names of their parts")
def test_operations_and_values_are_read_by_the_names_of_their_parts() -> None:
    assert [
        f"{name_of(path)}:{line} {read}"
        for room in READING
        for path in sorted((ROOT / "rpg" / "encoder" / room).rglob("*.py"))
        for line, read in reads_by_number(ast.parse(path.read_bytes()))
    ] == []


@pytest.mark.parametrize(
    ("read", "is_by_number"),
    [
        ("value[2]", True),
        ("file.code[e + 2]", True),
        ("owner[:1]", True),
        ("sites[-3]", True),
        ("value[FILE]", False),
        ("code[e + op.ITEMS]", False),
        ("code[e + op.ITEMS + 1]", False),
        ("sites[at + ROLE]", False),
        ("rows[0]", False),
    ],
)
def test_a_read_by_number_is_noticed(read: str, is_by_number: bool) -> None:
    assert bool(list(reads_by_number(ast.parse(read)))) == is_by_number


def test_operations_are_named_after_their_module() -> None:
    """`op.CALL`: a reader sees what is an operation and what is a value or a role."""
    bare = {name_of(path) for path in MODULES if "rpg.encoder.operations" in set(imported_from(path))}

    assert bare == set()


def imported_from(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def reads_by_number(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """`value[2]`, `value[:3]`, `code[e + 2]`; what is counted from the name of a part is read by name."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Subscript)
            and getattr(node.value, "id", getattr(node.value, "attr", "")) in REPRESENTATION
        ):
            bounds = (node.slice.lower, node.slice.upper) if isinstance(node.slice, ast.Slice) else (node.slice,)
            if any(bound is not None and is_number(bound) for bound in bounds):
                yield node.lineno, ast.unparse(node)


def is_number(bound: ast.expr) -> bool:
    last = bound.right if isinstance(bound, ast.BinOp) else bound.operand if isinstance(bound, ast.UnaryOp) else bound
    is_named = any(str(getattr(part, "attr", getattr(part, "id", ""))).isupper() for part in ast.walk(bound))
    return isinstance(last, ast.Constant) and isinstance(last.value, int) and not is_named


def attributes_of_rules() -> dict[str, set[str]]:
    """What `Rules` says of a language without running anything -> the files of languages that say it."""
    shared = sorted((LANGUAGES / "rules").glob("*.py"))
    found: dict[str, set[str]] = {name: set() for module in shared for name, _ in stated(module)}
    for module in LANGUAGES.rglob("*.py"):
        for name, place in stated(module) if module not in shared else ():
            if name in found:
                found[name].add(place)
    return found


def stated(module: Path) -> Iterator[tuple[str, str]]:
    """The attributes that the classes of rules in a module give a value."""
    for each in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if not isinstance(each, ast.ClassDef) or not each.name.endswith("Rules"):
            continue
        for line in each.body:
            targets = (
                line.targets
                if isinstance(line, ast.Assign)
                else [line.target]
                if isinstance(line, ast.AnnAssign)
                else []
            )
            yield from ((target.id, str(module)) for target in targets if isinstance(target, ast.Name))


OF_ONE_LANGUAGE = 8
"""How many attributes of `Rules` one language alone gives a value: never more, and where languages differ in one
respect, the attribute says which of its ways each has (`Literal`)."""


def test_rules_say_what_languages_differ_in() -> None:
    found = attributes_of_rules()
    assert len(found) > 100
    assert not [name for name, places in found.items() if not places]
    alone = [name for name, places in found.items() if len(places) == 1]
    assert len(alone) <= OF_ONE_LANGUAGE, alone


IN_TABLES_OF_ONE_LANGUAGE = 86
"""The same of the fields of the tables that `Rules` consists of, which have rows for what a language brings: types,
methods, protocols, decorators, and how code names members."""


def test_tables_of_rules_have_what_languages_bring() -> None:
    found = fields_of_tables()
    assert len(found) > 100
    alone = [name for name, places in found.items() if len(places) == 1]
    assert len(alone) <= IN_TABLES_OF_ONE_LANGUAGE, alone


def fields_of_tables() -> dict[str, set[type]]:
    """Fields of the tables in `Rules` -> the rules of languages that fill them."""
    found: dict[str, set[type]] = {}
    for language in BY_NAME.values():
        for name, table in inspect.getmembers(language.rules, lambda each: hasattr(each, "_field_defaults")):
            stating = next(each for each in language.rules.__mro__ if name in vars(each))
            for field, default in table._field_defaults.items():
                if getattr(table, field) != default:
                    found.setdefault(f"{name}.{field}", set()).add(stating)
    return found


def test_only_rules_that_there_are_are_read() -> None:
    for module in [*(ROOT / "rpg/encoder/resolve").rglob("*.py"), *(ROOT / "rpg/queries").rglob("*.py")]:
        for each in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Attribute) and each.value.attr == "rules":
                assert hasattr(Rules, each.attr), (module, each.lineno, each.attr)
