"""Functions that one language offers to another one: JNI, PyO3, pybind11 and nanobind, methods of CPython's C API,
N-API and napi-rs, wasm-bindgen, exported functions that ctypes or cffi load.

In: a file (`Source`). Out: rows of both sides, whose names begin with the kind of the crossing. What offers is read
from its macros and attributes; what uses it is an import of a module that is called like one that a compiler makes
(`_core`, `shop_rs`, `./build/Release/addon`, `../pkg/shop.js`), a method marked native, a library that is loaded, or a
declaration that another language makes of a function of C: cgo, `extern` blocks of Rust, `DllImport`, FFI of Dart and
Ruby. Plain C offers what is not static. Absent: members of what a native function returns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpg.encoder.facts import FileFacts
from rpg.encoder.frameworks.data.declared import around
from rpg.encoder.frameworks.http.requests import is_test
from rpg.encoder.frameworks.rows import Reading, Setting
from rpg.encoder.frameworks.source import Source
from rpg.encoder.frameworks.text import SAID
from rpg.graph import CLASS_KINDS, FUNCTION_KINDS

NATIVE: Final = "native"
BY: Final = "native code"
MOST_BYTES: Final = 1 << 20
_OF_C: Final = frozenset(
    "PYBIND11_MODULE NB_MODULE PyMethodDef PyModuleDef NODE_API_MODULE NAPI_MODULE NAPI_MODULE_INIT"
    " napi_create_function napi_define_properties DLLEXPORT EXPORT DLL_EXPORT EMSCRIPTEN_KEEPALIVE".split()
)
_OF_RUST: Final = re.compile(r"^(?:pyo3|wasm_bindgen|napi|napi_derive|jni|libc|std::(?:ffi|os::raw))\b")
_MODULE: Final = re.compile(
    r"(?:^|[.])(?:_[a-z]\w*|\w*(?:rust|native|cpp|_core|_rs|_c|_ext|_lib))$"
)  # fmt: skip
"""What extension modules of Python are called."""
_LOADERS: Final = frozenset("CDLL LoadLibrary dlopen PyDLL WinDLL load_library cdll".split())
_OF_NODE: Final = re.compile(
    r"\.node$|build/Release|^bindings$|^node-gyp-build$|^\.\.?/index\.node|/native(?:/index)?(?:\.js)?$"
)
_OF_WASM: Final = re.compile(r"(?:^|/)pkg(?:/|$)|wasm")

_JNI: Final = re.compile(r"^Java_(?P<name>\w+?)(?:__\w*)?$")
_PYTHON_IN_RUST: Final = re.compile(
    r"#\[(?P<word>pyfunction|pyclass|pymodule)\b(?P<rest>[^\]]*)\](?P<more>(?:\s*(?:#\[[^\]]*\]|//[^\n]*))*)\s*(?:pub(?:\([^)]*\))?\s+)?"
    r"(?:(?:async|unsafe)\s+)*(?:fn|struct|enum|mod)\s+(?P<key>\w+)"
)
_PYTHON_NAME: Final = re.compile(r"\bname\s*=\s*\"(\w+)\"")
_WASM_IN_RUST: Final = re.compile(
    r"#\[wasm_bindgen\b(?P<rest>[^\]]*)\](?:\s*(?:#\[[^\]]*\]|//[^\n]*))*\s*pub\s+(?:async\s+)?(?:fn|struct|enum)\s+(?P<key>\w+)"
)
_JS_NAME: Final = re.compile(r"\bjs_name\s*=\s*\"?(\w+)")
_NODE_IN_RUST: Final = re.compile(
    r"#\[napi\b(?P<rest>[^\]]*)\](?:\s*(?:#\[[^\]]*\]|//[^\n]*))*\s*pub\s+(?:async\s+)?(?:unsafe\s+)?(?P<word>fn|struct|enum)\s+(?P<key>\w+)"
)
_EXPORTED_BY_RUST: Final = re.compile(
    r"#\[(?:unsafe\()?no_mangle\)?\](?:\s*#\[[^\]]*\])*\s*pub\s+(?:unsafe\s+)?extern\s+\"C\"\s+fn\s+(?P<key>\w+)"
)
_BOUND: Final = re.compile(
    r"(?:\.|\bm\.)def\(\s*\"(?P<def>\w+)\"\s*,\s*&?(?P<target>[\w:]+)?|\bclass_<\s*(?P<of>[\w:]+)[^>]*>\s*(?:\w+\s*)?\(\s*\w+\s*,\s*\""
    r"(?P<class>\w+)\"|\{\s*\"(?P<method>\w+)\"\s*,\s*(?:\(PyCFunction\)\s*)?(?P<function>\w+)\s*,\s*METH_"
)
_OF_ADDON: Final = re.compile(
    r"\bexports\.Set\(\s*(?:Napi::String::New\(\s*\w+\s*,\s*)?\"(?P<set>\w+)\"\)?\s*,\s*Napi::Function::New(?:<\s*(?P<by>\w+)\s*>)?\(\s*\w+"
    r"(?:\s*,\s*(?P<target>\w+))?|\bDECLARE_NAPI_METHOD\(\s*\"(?P<declared>\w+)\"\s*,\s*(?P<method>\w+)"
    r"|\bnapi_create_function\([^,]*,\s*(?:\"(?P<made>\w+)\"|\w+)[^,]*,[^,]*,\s*(?P<function>\w+)"
)
_EXPORTED: Final = re.compile(
    r"^[ \t]*(?:extern\s+\"C\"\s+)?(?:__declspec\(dllexport\)|DLL_?EXPORT|EXPORT|EMSCRIPTEN_KEEPALIVE)\s+"
    r"[\w*\s]*?\b(?P<key>\w+)\s*\(",
    re.MULTILINE,
)
_NATIVE_IN_JAVA: Final = re.compile(
    r"\bnative\s+[\w<>\[\].]+\s+(?P<key>\w+)\s*\(|\bexternal\s+fun\s+(?P<kotlin>\w+)\s*\("
)
_PACKAGE: Final = re.compile(r"^\s*package\s+([\w.]+)", re.MULTILINE)
_LOADED: Final = re.compile(
    r"^[ \t]*(?:self\.)?(?P<name>\w+)\s*(?::[^=\n]+)?=\s*"
    r"(?:[\w.]*\b(?:CDLL|LoadLibrary|PyDLL|WinDLL|load_library)|[\w.]*\.dlopen)\(",
    re.MULTILINE,
)
_REQUIRED: Final = re.compile(
    r"(?:const|let|var)\s+(?:(?P<name>\w+)|\{(?P<names>[^}]*)\})\s*=\s*(?:require\(\s*[\"'](?P<path>[^\"']+)[\"']\s*\)"
    r"(?:\(\s*[\"']?[^)]*\))?)"
)
_IMPORTED: Final = re.compile(
    r"\bimport\s+(?:(?P<default>\w+)\s*,?\s*)?(?:\*\s+as\s+(?P<name>\w+)\s*|\{(?P<names>[^}]*)\}\s*)?from\s+[\"'](?P<path>[^\"']+)[\"']"
)


def may_cross(facts: FileFacts) -> bool:
    """Whether a file has a word of native code, or imports a module that is called like one."""
    language = facts.language
    if language == "c":
        return facts.path.endswith(".c")
    if language == "go":
        return any(each.module == "C" for each in facts.imports)
    if language == "csharp":
        return not _IMPORTS.isdisjoint(facts.strings)
    if language == "dart":
        return "DynamicLibrary" in facts.strings
    if language == "ruby":
        return "attach_function" in facts.strings
    if language == "cpp":
        return not _OF_C.isdisjoint(facts.strings) or any(each.name.startswith("Java_") for each in facts.definitions)
    if language == "rust":
        return any(_OF_RUST.match(each.module) for each in facts.imports) or not (_OF_FOREIGN.isdisjoint(facts.strings))
    if language == "python":
        return any(_MODULE.search(each.module) for each in facts.imports) or not _LOADERS.isdisjoint(facts.strings)
    if language in ("java", "kotlin"):
        return not _LOADS.isdisjoint(facts.strings)
    if language in ("javascript", "typescript", "tsx"):
        return any(_OF_NODE.search(each.module) or _OF_WASM.search(each.module) for each in facts.imports) or any(
            _OF_NODE.search(each) for each in facts.strings
        )
    return False


_LOADS: Final = frozenset(("loadLibrary", "load"))
_OF_FOREIGN: Final = frozenset("c_int c_char c_void c_double c_float c_uint c_long CStr CString".split())
"""Types of Rust that functions of C have."""
_IMPORTS: Final = frozenset("DllImport DllImportAttribute LibraryImport".split())
_OF_GO: Final = re.compile(r"(?<![\w.])C\.(?P<key>[A-Za-z_]\w*)\s*\(")
_FOREIGN: Final = re.compile(r"\bextern\s+\"C\"\s*\{(?P<body>[^{}]*)\}")
_FUNCTION: Final = re.compile(r"\bfn\s+(?P<key>\w+)\s*\(")
_OF_CSHARP: Final = re.compile(
    r"\[(?:DllImport|LibraryImport)\((?P<rest>[^\]]*)\)\](?:\s*\[[^\]]*\])*\s*[\w\s<>*\[\],.]*?\b(?P<key>\w+)\s*\("
)
_ENTRY: Final = re.compile(r"\bEntryPoint\s*=\s*\"(\w+)\"")
_OF_DART: Final = re.compile(r"\.lookup(?:Function)?\s*(?:<[^;]*?>)?\(\s*['\"](?P<key>\w+)['\"]")
_OF_RUBY: Final = re.compile(r"\battach_function\s*\(?\s*(?::\w+\s*,\s*)?:(?P<key>\w+)\s*,\s*\[")


def native_of(source: Source) -> Iterator[Setting]:
    text, language = source.text, source.language
    if len(text) > MOST_BYTES:
        return
    if language in ("c", "cpp", "rust"):
        for number, each in enumerate(source.facts.definitions):
            found = _JNI.match(each.name) if each.kind in FUNCTION_KINDS else None
            if found is not None:
                plain = found["name"].replace("_1", "\0").replace("_", ".").replace("\0", "_")
                yield _row(source, f"jni {plain}", number, each.name_byte)
    if language == "rust":
        yield from _of_rust(source)
    elif language in ("c", "cpp"):
        if language == "c":
            yield from _of_plain_c(source)
        yield from _of_c(source)


def _of_plain_c(source: Source) -> Iterator[Setting]:
    for number, each in enumerate(source.facts.definitions):
        if each.kind == "function" and "static" not in source.text[each.start_byte : each.name_byte]:
            yield _row(source, f"c {each.name}", number, each.name_byte)


def _row(source: Source, name: str, number: int, at: int) -> Setting:
    return Setting(NATIVE, name, source.symbol(number), source.line(at), BY, "", True)


def _of_rust(source: Source) -> Iterator[Setting]:
    for kind, pattern in (
        ("python", _PYTHON_IN_RUST), ("wasm", _WASM_IN_RUST), ("node", _NODE_IN_RUST), ("c", _EXPORTED_BY_RUST),
    ):  # fmt: skip
        for found in pattern.finditer(source.text):
            at = found.start("key")
            if source.is_comment(found.start()):
                continue
            name = found["key"]
            if kind == "python" and (stated := _PYTHON_NAME.search(found["rest"] + found["more"])):
                name = stated[1]
            elif kind in ("wasm", "node"):
                stated = _JS_NAME.search(found["rest"])
                is_function = kind == "node" and found["word"] == "fn"
                name = stated[1] if stated else _camel(name) if is_function else name
            yield _row(source, f"{kind} {name}", source.innermost(at), at)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(each.capitalize() for each in rest)


def _of_c(source: Source) -> Iterator[Setting]:
    numbers = {
        each.name: at for at, each in enumerate(source.facts.definitions) if each.kind in FUNCTION_KINDS | CLASS_KINDS
    }
    for kind, pattern in (("python", _BOUND), ("node", _OF_ADDON)):
        for found in pattern.finditer(source.text):
            groups = found.groupdict()
            named = [groups.get(each) for each in ("def", "class", "method", "set", "declared", "made")]
            name = (
                next((each for each in named if each), "")
                if kind == "python" or not groups.get("declared")
                else groups["declared"]
            )
            targets = [groups.get(each) for each in ("target", "of", "function", "by")]
            if kind == "node" and groups.get("declared"):
                targets = [groups["method"]]
            target = next((each for each in targets if each), "") or ""
            number = numbers.get(target.rpartition("::")[2], 0) or source.innermost(found.start())
            if name and not source.is_comment(found.start()):
                yield _row(source, f"{kind} {name}", number, found.start())
    for found in _EXPORTED.finditer(source.text):
        yield _row(source, f"c {found['key']}", numbers.get(found["key"], 0), found.start("key"))


def native_uses(source: Source) -> Iterator[Reading]:
    text, language = source.text, source.language
    if len(text) > MOST_BYTES:
        return
    if language in ("java", "kotlin"):
        yield from _of_java(source)
    elif language == "python":
        yield from _of_python(source)
    elif language in ("javascript", "typescript", "tsx"):
        yield from _of_script(source)
    elif language == "rust":
        yield from _of_foreign(source)
    elif language == "csharp":
        for found in _OF_CSHARP.finditer(text):
            stated = _ENTRY.search(found["rest"])
            yield _reading(source, f"c {stated[1] if stated else found['key']}", found.start("key"))
    elif language in _DECLARED:
        for found in _DECLARED[language].finditer(text):
            if not source.is_comment(found.start("key")):
                yield _reading(source, f"c {found['key']}", found.start("key"))


_DECLARED: Final = {"go": _OF_GO, "dart": _OF_DART, "ruby": _OF_RUBY}


def _of_foreign(source: Source) -> Iterator[Reading]:
    """What blocks of `extern "C"` declare, and calls of it."""
    for block in _FOREIGN.finditer(source.text):
        for found in _FUNCTION.finditer(source.text, block.start("body"), block.end("body")):
            name = re.escape(found["key"])
            places = [found.start("key")]
            places += [each.start() for each in re.finditer(rf"(?<![\w.])(?<!fn ){name}(?=\s*\()", source.text)]
            for at in places:
                if not source.is_comment(at):
                    yield _reading(source, f"c {found['key']}", at)


def _reading(source: Source, name: str, at: int, known: bool = True) -> Reading:
    maker = around(source, at)
    return Reading(NATIVE, ((SAID, name),), source.symbol(maker), source.place(at), is_test(source, maker), known=known)


def _of_java(source: Source) -> Iterator[Reading]:
    package = _PACKAGE.search(source.text)
    for found in _NATIVE_IN_JAVA.finditer(source.text):
        group = found.lastgroup or "key"
        at = found.start(group)
        number = around(source, at)
        name = source.facts.definitions[number].qualified_name
        if number and not source.is_comment(at):
            whole = f"{package[1]}.{name}" if package else name
            yield _reading(source, f"jni {whole.removesuffix('.' + found[group])}.{found[group]}", at)


def _of_python(source: Source) -> Iterator[Reading]:
    for found in _LOADED.finditer(source.text):
        yield from _members(source, found["name"], "c", found.end())
    if "cdll." in source.text or "CDLL" in source.text:
        for found in re.finditer(r"\bcdll\.\w+\.(?P<key>\w+)", source.text):
            yield _reading(source, f"c {found['key']}", found.start("key"))
    for found in re.finditer(
        r"^[ \t]*from\s+(?P<module>[\w.]+)\s+import\s+(?P<names>\([^)]*\)|[^\n#]+)", source.text, re.MULTILINE
    ):
        if _MODULE.search(found["module"]):
            yield from _names(source, found, "python", r"[\w]+")
    for found in re.finditer(
        r"^[ \t]*import\s+(?P<module>[\w.]+)(?:\s+as\s+(?P<name>\w+))?[ \t]*$", source.text, re.MULTILINE
    ):
        if _MODULE.search(found["module"]):
            yield from _members(source, found["name"] or found["module"], "python", found.end())


def _members(source: Source, name: str, kind: str, start: int) -> Iterator[Reading]:
    for found in re.finditer(rf"(?<![\w]){re.escape(name)}\.(?P<key>[A-Za-z]\w*)", source.text):
        at = found.start("key")
        if at >= start and not source.is_comment(at) and not source.target_at(at):
            yield _reading(source, f"{kind} {found['key']}", found.start("key"))


def _names(source: Source, statement: re.Match[str], kind: str, word: str) -> Iterator[Reading]:
    """What an import names, at each call of it, or where it is imported, if it is not called."""
    at, stop = statement.span("names")
    for each in re.finditer(
        rf"(?P<key>{word})(?:\s+as\s+(?P<other>\w+)|\s*:\s*(?P<renamed>\w+))?", source.text[at:stop]
    ):
        here = each["other"] or each["renamed"] or each["key"]
        if here == "type":
            continue
        calls = [found.start() for found in re.finditer(rf"(?<![\w.]){re.escape(here)}(?=\s*[(.])", source.text[stop:])]
        for place in [stop + call for call in calls] or [at + each.start("key")]:
            if not source.is_comment(place) and not source.target_at(place):
                yield _reading(source, f"{kind} {each['key']}", place)


def _of_script(source: Source) -> Iterator[Reading]:
    for pattern in (_REQUIRED, _IMPORTED):
        for found in pattern.finditer(source.text):
            path = found["path"]
            kind = "node" if _OF_NODE.search(path) else "wasm" if _OF_WASM.search(path) else ""
            if not kind or source.is_comment(found.start()):
                continue
            name = found["name"] or (found["default"] if pattern is _IMPORTED and kind == "node" else None)
            if name:
                yield from _members(source, name, kind, found.end())
            if found["names"]:
                yield from _names(source, found, kind, r"[\w$]+")
