"""C and C++ by clang: run by the Python that has `libclang`, as `clang_oracle.py ROOT FLAG... -- FOLDER...`.

In: a checkout, the flags of its compiler, and the folders whose files are judged. Out: JSON on standard output, as
`occurrences.py` reads it; columns count bytes. What a macro writes is left out: its names stand nowhere in the text.
A name that depends on a template's parameter has no target here, so it is not judged; nor are includes, because
`libclang` names a header only where a unit reads it first.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from clang import cindex  # type: ignore[import-not-found]

UNITS = (".c", ".cc", ".cpp", ".cxx")
Kind = cindex.CursorKind
REFERENCES = {Kind.DECL_REF_EXPR, Kind.MEMBER_REF_EXPR, Kind.TYPE_REF, Kind.TEMPLATE_REF, Kind.MEMBER_REF}
WRAPPERS = {Kind.UNEXPOSED_EXPR, Kind.PAREN_EXPR}
LOCAL = {Kind.VAR_DECL, Kind.PARM_DECL, Kind.TEMPLATE_TYPE_PARAMETER, Kind.TEMPLATE_NON_TYPE_PARAMETER,
         Kind.TEMPLATE_TEMPLATE_PARAMETER, Kind.NAMESPACE}  # fmt: skip
FUNCTIONS = {Kind.FUNCTION_DECL, Kind.CXX_METHOD, Kind.CONSTRUCTOR, Kind.FUNCTION_TEMPLATE, Kind.DESTRUCTOR}

DEFINED = FUNCTIONS | {Kind.STRUCT_DECL, Kind.CLASS_DECL, Kind.ENUM_DECL, Kind.UNION_DECL, Kind.VAR_DECL}


class Oracle:
    def __init__(self, root: Path, folders: list[str]) -> None:
        self.root = root
        self.folders = [(root / folder).resolve() for folder in folders]
        self.places: dict[str, str | None] = {}
        self.all_places: dict[str, str | None] = {}
        self.texts: dict[str, list[bytes]] = {}
        self.found: set[tuple[str, int, int, str, str]] = set()
        self.targets: dict[str, set[tuple[str, int, str]]] = {}
        self.failed: list[str] = []
        self.walked: set[tuple[str, int, int]] = set()
        self.aliases: dict[str, str] = {}
        """The typedef of a struct of its own name."""

    def path_of(self, name: str) -> str | None:
        """The path below the root of a file that is judged."""
        if name not in self.places:
            resolved = Path(name).resolve()
            inside = any(resolved.is_relative_to(folder) for folder in self.folders)
            self.places[name] = str(resolved.relative_to(self.root)) if inside else None
        return self.places[name]

    def place_of(self, location: cindex.SourceLocation) -> str | None:
        """The path below the root of any file of the checkout: what is judged may mean something elsewhere."""
        name = location.file.name
        if name not in self.all_places:
            resolved = Path(name).resolve()
            inside = resolved.is_relative_to(self.root)
            self.all_places[name] = str(resolved.relative_to(self.root)) if inside else None
        return self.all_places[name]

    def is_written(self, path: str | None, line: int, column: int, name: str) -> bool:
        if not path:
            return False
        if path not in self.texts:
            self.texts[path] = (self.root / path).read_bytes().split(b"\n")
        lines = self.texts[path]
        return line <= len(lines) and lines[line - 1][column - 1 :].startswith(name.encode())

    def note(self, cursor: cindex.Cursor, kind: str) -> None:
        target = cursor.referenced
        if target is None or not cursor.location.file:
            return
        if target.kind in LOCAL and target.semantic_parent and target.semantic_parent.kind in FUNCTIONS:
            return
        if target.kind in (Kind.NAMESPACE, Kind.TEMPLATE_TYPE_PARAMETER, Kind.TEMPLATE_NON_TYPE_PARAMETER):
            return
        path = self.path_of(cursor.location.file.name)
        if path is None:
            return
        name = target.spelling.split("<")[0]
        line, column = cursor.location.line, cursor.location.column
        if not name or not self.is_written(path, line, column, name):
            return
        if target.location.file:
            place = self.place_of(target.location)
            there = (place, target.location.line, target.location.column)
            if place is not None and (there == (path, line, column) or not self.is_written(*there, name)):
                return  # its own definition; or what a macro defines, whose name stands nowhere
        usr = target.get_usr() or f"{name}@{target.location}"
        known = self.targets.setdefault(usr, set())
        template = cindex.conf.lib.clang_getSpecializedCursorTemplate(target)
        for each in (target, target.canonical, target.get_definition(), template):
            self.note_place(known, each)
        if target.kind == Kind.TYPEDEF_DECL:
            named = target.underlying_typedef_type.get_declaration()
            if named.spelling == name:  # `typedef struct name name`: one type
                self.note_place(known, named)
                self.note_place(known, named.get_definition())
                self.aliases[named.get_usr()] = usr
        self.found.add((path, line, column, kind, usr))

    def note_place(self, known: set[tuple[str, int, str]], target: cindex.Cursor | None) -> None:
        if target is not None and target.location.file:
            place = self.place_of(target.location)
            if place is not None:
                known.add((place, target.location.line, target.spelling.split("<")[0]))

    def walk(self, cursor: cindex.Cursor, kind: str = "references") -> None:
        pending = [(cursor, kind)]
        while pending:
            cursor, kind = pending.pop()
            if cursor.kind == Kind.TRANSLATION_UNIT:
                pending += [(each, "references") for each in cursor.get_children() if self.is_new(each)]
                continue
            if cursor.kind in REFERENCES:
                self.note(cursor, kind)
            below = "calls" if cursor.kind in WRAPPERS and kind == "calls" else "references"
            if cursor.kind == Kind.CXX_BASE_SPECIFIER:
                below = "inherits"
            if cursor.is_definition() and cursor.kind in DEFINED:
                self.note_definition(cursor)
            children = list(cursor.get_children())
            for number, child in enumerate(children):
                is_callee = cursor.kind == Kind.CALL_EXPR and number == 0 and child.kind not in (Kind.TYPE_REF,)
                is_callee = is_callee and self.is_callee(cursor, child)
                if self.is_holder(cursor, child):
                    continue  # the class before the name of its member's definition is no use
                pending.append((child, "calls" if is_callee else below))

    def is_new(self, cursor: cindex.Cursor) -> bool:
        """Whether a unit's part is judged and was not in a unit before: headers are read once."""
        location = cursor.location
        if not location.file or self.path_of(location.file.name) is None:
            return False
        place = (location.file.name, location.line, location.column)
        is_new = place not in self.walked
        self.walked.add(place)
        return is_new

    def is_holder(self, cursor: cindex.Cursor, child: cindex.Cursor) -> bool:
        if cursor.kind not in FUNCTIONS or child.kind != Kind.TYPE_REF or not cursor.semantic_parent:
            return False
        if not child.referenced or child.referenced.get_usr() != cursor.semantic_parent.get_usr():
            return False
        end = child.extent.end
        return self.is_written(self.path_of(child.location.file.name), end.line, end.column, "::")

    def note_definition(self, cursor: cindex.Cursor) -> None:
        """A definition in another unit than the use is a place of the same target."""
        usr = cursor.get_usr()
        if usr:
            self.note_place(self.targets.setdefault(usr, set()), cursor)

    @staticmethod
    def is_callee(call: cindex.Cursor, child: cindex.Cursor) -> bool:
        """Whether the first child is what is called, not the object of an operator or a constructor's argument."""
        target = call.referenced
        if target is None or target.kind == Kind.CONSTRUCTOR:
            return False
        inner = child
        while inner.kind in WRAPPERS:
            below = list(inner.get_children())
            if len(below) != 1:
                break
            inner = below[0]
        return (
            inner.kind in REFERENCES and inner.referenced is not None and inner.referenced.spelling == target.spelling
        )

    def run(self, flags: list[str]) -> None:
        index = cindex.Index.create()
        units = sorted(
            {
                p
                for f in self.folders
                for p in ([f] if f.is_file() else f.rglob("*"))
                if f.is_file() or p.suffix in UNITS
            }
        )
        for unit in units:
            try:
                parsed = index.parse(str(unit), args=flags)
            except cindex.TranslationUnitLoadError:
                self.failed.append(str(unit.relative_to(self.root)))
                continue
            if any(each.severity >= cindex.Diagnostic.Fatal for each in parsed.diagnostics):
                self.failed.append(str(unit.relative_to(self.root)))
                continue
            self.walk(parsed.cursor)
        for struct, alias in self.aliases.items():
            self.targets[alias] |= self.targets.get(struct, set())


def main() -> None:
    root, (flags, folders) = Path(sys.argv[1]).resolve(), split(sys.argv[2:])
    oracle = Oracle(root, folders)
    oracle.run([flag.replace("{root}", str(root)) for flag in flags])
    json.dump(
        {
            "columns": "bytes",
            "judges_imports": False,
            "failed": oracle.failed,
            "targets": {usr: sorted(places) for usr, places in oracle.targets.items()},
            "occurrences": sorted(oracle.found),
        },
        sys.stdout,
    )


def split(arguments: list[str]) -> tuple[list[str], list[str]]:
    middle = arguments.index("--")
    return arguments[:middle], arguments[middle + 1 :]


if __name__ == "__main__":
    main()
