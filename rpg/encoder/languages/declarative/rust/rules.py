"""What comes with Rust, and where its modules are: files below the root of a crate, crates by their Cargo.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.declarative.rust.cargo import ROOTS, Crates
from rpg.encoder.languages.declarative.rust.operators import METHODS
from rpg.encoder.languages.literals import fitting
from rpg.encoder.languages.project import Project, folders_of
from rpg.encoder.languages.results import (
    BOXED,
    EMPTY_CONTAINER,
    FIRST,
    FLATTENED,
    KEYS,
    MAPPED,
    OF_WRITTEN_TYPE,
    PAIRS,
    SAME,
    VALUES,
    ZIPPED,
    Gives,
)
from rpg.encoder.languages.rules.attribute_types import Construction, GivenToType, Macros, OnAnyObject, Words
from rpg.encoder.languages.standard_library import Methods, Protocols, Types
from rpg.encoder.languages.tests import Tests
from rpg.graph import OVERRIDE

_NAMES = """
Any Arc BTreeMap BTreeSet Borrow Box Cell Clone Copy Cow Debug Default Deref DerefMut Display Drop Eq Err Extend Fn
FnMut FnOnce From FromIterator FromStr Future Hash HashMap HashSet Hasher Into IntoIterator Iterator Mutex None Ok
Option Ord PartialEq PartialOrd PathBuf PhantomData Pin Rc RefCell Result RwLock Send Sized Some String Sync ToOwned
ToString TryFrom TryInto Unpin Vec VecDeque Weak assert assert_eq assert_ne cfg column compile_error concat dbg
debug_assert debug_assert_eq debug_assert_ne drop env eprint eprintln file format format_args include include_bytes
include_str line macro_rules matches module_path option_env panic print println stringify thread_local todo
unimplemented unreachable vec write writeln bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 u32 u64 u8 usize
"""
_TO_IMPORT = frozenset(
    "Any Arc BTreeMap BTreeSet Borrow Cell Cow Debug Deref DerefMut Display FromStr HashMap HashSet Hasher Mutex"
    " PathBuf PhantomData Pin Rc RefCell RwLock VecDeque Weak".split()
)
"""Those of the library that are not in its prelude."""
_MEMBERS = """
all and_then any append as_bytes as_mut as_ref as_str borrow borrow_mut bytes chars clear clone cloned cmp collect
contains contains_key copied count default deref drain drop ends_with entry enumerate eq err expect extend filter
filter_map find first flat_map flatten flush fmt fold for_each from from_str get get_mut get_or_insert_with hash insert
into into_inner into_iter is_empty is_err is_none is_ok is_some iter iter_mut join keys last len lines lock map map_err
map_or max min new next ok ok_or or or_else or_insert parse peek poll pop position push push_str read read_to_string
remove replace retain rev set skip sort split starts_with sum swap take then to_owned to_string to_vec trim try_from
try_into unwrap unwrap_or unwrap_or_default unwrap_or_else values with_capacity wrap write write_all zip
"""
_EACH = """
all and_then any filter filter_map find find_map flat_map for_each inspect is_some_and map map_while max_by_key
min_by_key partition position retain skip_while sort_by_key take_while
"""
_SAME = """
as_deref as_mut as_ref as_slice by_ref clone cloned collect copied drain filter inspect into_iter iter iter_mut
map_err ok ok_or ok_or_else or or_else peekable rev skip skip_while step_by take take_while
"""
_TRANSPARENT = {
    "Arc": "sync", "Box": "boxed", "Cell": "cell", "Cow": "borrow", "ManuallyDrop": "mem", "Mutex": "sync",
    "NonNull": "ptr", "Pin": "pin", "Rc": "rc", "RefCell": "cell", "RwLock": "sync",
}  # fmt: skip
"""Types that are used like what they hold -> the module of std that they are in."""
_ITSELF = frozenset(
    "as_mut as_ptr as_ref borrow borrow_mut by_ref clone expect into_inner lock read to_owned unwrap write".split()
)
"""Methods that an object has from traits of std, or as it is in one of those types."""
_FUNCTIONS: dict[str, Gives] = {
    f"{place}{name}.{made}": Gives(FIRST)
    for name, module in _TRANSPARENT.items()
    for place in ("", f"std::{module}.", f"std::{module}::", f"std.{module}.")
    for made in ("new", "clone")
}
_EMPTY: dict[str, Gives] = {
    f"{place}{name}.{made}": Gives(EMPTY_CONTAINER)
    for name in ("BTreeSet", "HashSet", "Vec", "VecDeque")
    for place in ("", "std::collections.", "std::collections::", "std.collections.")
    for made in ("new", "with_capacity", "default")
}
_BOXED = frozenset(
    """find first first_mut get get_mut last last_mut max_by_key min_by_key next next_back nth peek pop pop_back
    pop_front remove""".split()
)
CONVERTS_TO = frozenset({"cast"})
"""Methods of pointers that give a pointer to the type that is written for them."""
_MOST_PARTS = 12
"""Of a tuple."""
_UNNAMED = """
as_mut as_ref borrow borrow_mut clone cmp default deref deref_mut deserialize drop extend from_iter from_str hash into
poll product serialize sum to_owned try_from try_into
"""
"""Methods of traits that syntax, or functions of the library with another name, run."""
_PASSIVE = """
allow cfg cfg_attr cold deny deprecated derive diagnostic doc expect forbid inline must_use non_exhaustive repr
track_caller warn
"""

_FENCE = re.compile(rb"^[ \t]*(?://[/!]|\*)?[ \t]*```([\w,= -]*)", re.MULTILINE)
_RUN = frozenset((b"rust", b"no_run", b"should_panic", b"compile_fail"))
"""What may stand behind the opening of code in a comment that `cargo test` builds."""


class Rules(DeclarativeRules):
    needs_imports = True
    hiding = Words(that_say_no=frozenset({"pub"}))
    may_be_nothing = re.compile(r"\A(?:\w+::)*(?:Option|Result)\b")
    objects_reach_statics = False
    overrides_fit = "exactly"
    reached_by = frozenset({"strings", "derives"})
    plain_types = frozenset("i8 i16 i32 i64 u8 u16 u32 u64 usize isize f32 f64 bool char str &str String".split())
    effects_of_overrides = Words(frozenset({"async", "unsafe"}), frozenset({"async"}))
    demands_members = "of classes"
    literals_need = "all fields by name"
    branching = re.compile(r"\bmatch\b[^{};]*\Z")
    branch_sign = "=>"
    refuses_more_arguments = True
    literals_fit = fitting("""
        &str|&'static str: string
        bool: bool
        char: char
        String: none
        i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize: int
        f32 f64: float
    """)
    has_characters = True
    refuses_fewer_arguments = True
    owners = "named"
    extensions = "traits"
    member_spaces = "named by types"
    construction = Construction(variants=True)
    traits = "behind"
    has_alternatives = True
    macros = Macros("macro_rules!")
    follows_declared_functions = True
    passive_marks = frozenset(_PASSIVE.split())
    called_functions = frozenset({"main"})
    tests = Tests(folders=frozenset({"benches"}), marks=frozenset({"test", "rstest", "test_case"}), runners=("cargo",))
    methods = Methods(
        calls_back=dict.fromkeys(_EACH.split(), ("value",))
        | dict.fromkeys(("map_err", "or_else", "unwrap_or_else", "inspect_err"), ("other",))
        | dict.fromkeys(("max_by", "min_by", "sort_by", "sort_unstable_by", "reduce"), ("value", "value")),
        calls_back_later={
            "fold": ("", "value"),
            "try_fold": ("", "value"),
            "map_or": ("value",),
            "map_or_else": ("value",),
        },
        results=dict.fromkeys(_SAME.split(), SAME)
        | {
            "map": MAPPED,
            "and_then": FLATTENED,
            "flat_map": FLATTENED,
            "values": VALUES,
            "keys": KEYS,
            "values_mut": VALUES,
            "into_values": VALUES,
            "enumerate": PAIRS,
            "zip": ZIPPED,
        },
        element=_BOXED,
        boxes=_BOXED,
        held_otherwise=frozenset({"unwrap_err", "expect_err"}),
        part_members={str(at): at for at in range(_MOST_PARTS)},
        held=frozenset(
            {"unwrap", "expect", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "get", "get_mut", "remove"}
        ),
    )
    functions_by_last_part = dict.fromkeys(CONVERTS_TO, Gives(OF_WRITTEN_TYPE))
    functions = _FUNCTIONS | _EMPTY | {"Some": Gives(BOXED), "Ok": Gives(BOXED)}
    protocols = Protocols(
        forwards="deref",
        converts="From.from",
        iterators={"IntoIterator.into_iter": ("Iterator.next", "")},
        iterates_itself="Iterator.next",
        item="Index.index",
    )
    looked_up = METHODS
    marks_name_fields = re.compile(rb"#\[\s*(?:arg|clap|command|group|structopt)\s*\Z")
    unnamed_members = frozenset({each.rpartition(".")[2] for each in METHODS}) | frozenset(_UNNAMED.split())
    unnamed_words = frozenset({OVERRIDE})
    given_to_types: Mapping[str, GivenToType] = {"default": "itself"}
    on_any_object = dict.fromkeys(_ITSELF, OnAnyObject("itself"))
    object_members = _ITSELF | {"into", "try_into", "to_string"}
    builtins = frozenset(_NAMES.split())
    builtin_members = frozenset(_MEMBERS.split())
    converted = re.compile(rb"\brename_all\b")
    types = Types(
        containers={
            "list": "list", "Vec": "list", "VecDeque": "list", "HashSet": "list", "BTreeSet": "list",
            "HashMap": "map", "BTreeMap": "map", "Option": "box", "Result": "box",
        },
        supertypes={"list": ("slice",), "String": ("str",)},
        transparent=frozenset(_TRANSPARENT),
        lend_arguments=True,
        without_members=frozenset({"str", "String", "bool", "char", "usize", "u8", "u16", "u32", "u64", "i32", "i64"}),
        closed=frozenset({"bool", "usize", "u32", "u64"}),
    )  # fmt: skip

    @classmethod
    def examples_in_comments(cls, source: bytes) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        opened = -1
        is_run = False
        for fence in _FENCE.finditer(source):
            if opened < 0:
                opened = fence.end()
                is_run = all(
                    each in _RUN or each.startswith(b"edition") for each in fence[1].replace(b",", b" ").split()
                )
                continue
            if is_run:
                found.append((opened, fence.start()))
            opened = -1
        return found

    def brings(self, module: str, name: str, role: int) -> bool:
        """Crates are named without an import, too: `use serde_json` only repeats it."""
        return module in ("", name) or (name in self.builtins and name not in _TO_IMPORT)

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        paths = [path for path in project.paths() if path.endswith(".rs")]
        self.roots = {path.rpartition("/")[0] for path in paths if path.rpartition("/")[2] in ROOTS}
        self.crates = Crates(project, folders_of(paths), self.roots)
        self.roots |= {crate.sources for crate in self.crates.by_folder.values() if crate.root}

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        words = module.split("::")
        root, own = self.place(importer)
        head = words.pop(0)
        if head == "crate":
            found = self.file(root, words, importer)
        elif head == "self":
            found = self.file(root, own + words, importer)
        elif head == "super":
            up = 1
            while words and words[0] == "super":
                up += 1
                words.pop(0)
            found = self.file(root, [*own[: max(len(own) - up, 0)], *words], importer)
        else:
            inside = self.file(root, [*own, head, *words], importer)
            if inside:
                return (inside,)
            crate = self.crates.named(importer, head)
            if crate is None:
                return None
            found = crate.root if crate.root and not words else self.file(crate.sources, words, "")
            found = found if self.project.exists(found) else ""
        return (found,) if found else ()

    def around_module(self, importer: str, module: str) -> tuple[str, str] | None:
        words = module.split("::")
        for count in range(len(words) - 1, 0, -1):
            found = self.module(importer, "::".join(words[:count]), 0)
            if found:
                return found[0], ".".join(words[count:])
        return None if words[0] in ("crate", "self", "super") else (importer, ".".join(words))

    def place(self, path: str) -> tuple[str, list[str]]:
        """The folder of the crate's root, and the names of the modules from there to a file's own."""
        folder, _, name = path.rpartition("/")
        root = folder
        while root not in self.roots:
            if not root:
                root = folder
                break
            root = root.rpartition("/")[0]
        inner = folder[len(root) :].strip("/")
        words = inner.split("/") if inner else []
        stem = name.removesuffix(".rs")
        if path in self.crates.root_files:
            return folder, []
        if inner == "bin" or (root == folder and folder not in self.roots and self.is_main(path)):
            return folder, []
        return root, words if name in (*ROOTS, "mod.rs") else [*words, stem]

    def sees_globals(self, path: str, other: str) -> bool:
        """Macros of a crate are seen in all of it."""
        return self.place(path)[0] == self.place(other)[0]

    def is_main(self, path: str) -> bool:
        """Whether a file outside the sources of a crate is a program or a test of its own."""
        folder = path.rpartition("/")[0].rpartition("/")[2]
        return folder in ("tests", "examples", "benches") or path.endswith("build.rs")

    def file(self, root: str, words: list[str], importer: str) -> str:
        """The file of a module; empty if there is none."""
        start = f"{root}/" if root else ""
        if not words:
            own = [start + name for name in (*ROOTS, "mod.rs", root.rpartition("/")[2] + ".rs")]
            own += self.crates.roots_in.get(root, ())
            return next((path for path in own if path == importer), "") or next(filter(self.project.exists, own), "")
        inner = start + "/".join(words)
        return next(filter(self.project.exists, (f"{inner}.rs", f"{inner}/mod.rs")), "")

    def submodule(self, path: str, name: str) -> str | None:
        root, own = self.place(path)
        return self.file(root, [*own, name], "") or None

    def is_promise(self, kind: str, text: str) -> bool:
        return kind in ("constant", "type") and "=" not in text.partition(";")[0]
