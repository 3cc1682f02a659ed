"""What comes with C, and which files `#include` names: below the file's folder, else any file that ends so."""

from __future__ import annotations

import posixpath

from rpg.encoder.facts import Parameter
from rpg.encoder.languages.declarative.c.library import LIBRARY
from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.project import Project
from rpg.encoder.languages.rules.attribute_types import Macros, Words
from rpg.encoder.languages.standard_library import Types

_NAMES = """
NULL abort abs assert atoi atol bool bsearch calloc close clock errno exit fclose feof ferror fflush fgetc fgets fopen
fprintf fputc fputs fread free fscanf fseek ftell fwrite getc getenv isalnum isalpha isdigit isspace isupper longjmp
malloc memchr memcmp memcpy memmove memset offsetof open perror printf putc putchar puts qsort rand read realloc remove
setjmp signal size_t snprintf sprintf sscanf stderr stdin stdout strcat strchr strcmp strcpy strdup strerror strlen
strncmp strncpy strrchr strstr strtol strtoul time tolower toupper va_arg va_end va_list va_start vfprintf vsnprintf
write int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ssize_t FILE
"""
STANDARD = frozenset(
    """assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
    stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h
    threads.h time.h uchar.h wchar.h wctype.h""".split()
)
SUFFIXES = (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".inc")


UNITS = (".c", ".cc", ".cpp", ".cxx")
"""How files end that are compiled by themselves, unlike headers."""
NAMES: frozenset[str] = frozenset(_NAMES.split())


class Rules(DeclarativeRules):
    hiding = Words(frozenset({"static"}))
    has_void = True
    refuses_more_arguments = True
    refuses_fewer_arguments = True
    types_precede_names = True
    builtins = NAMES
    types = Types(containers={"list": "list"}, without_members=frozenset({"char", "int", "bool"}))
    called_functions = frozenset({"main", "wmain", "WinMain", "DllMain", "LLVMFuzzerTestOneInput"})
    has_alternatives = True
    macros = Macros("#", "##")
    links_by_name = True
    has_packages = True
    imports = "files"

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.by_name: dict[str, list[str]] = {}
        """The last part of a path -> the files that have it."""
        for path in project.paths():
            if path.endswith(SUFFIXES):
                self.by_name.setdefault(path.rpartition("/")[2], []).append(path)

    @classmethod
    def is_in_headers(cls, name: str) -> bool:
        return name in LIBRARY

    @classmethod
    def is_unit(cls, path: str) -> bool:
        return path.endswith(UNITS)

    def written_parameter(self, row: Parameter, text: str) -> Parameter | None:
        return None if text == "void" else row

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        folder = importer.rpartition("/")[0]
        beside = posixpath.normpath(posixpath.join(folder, module))
        if self.project.exists(beside):
            return (beside,)
        if module in STANDARD:
            return None
        plain = module.lstrip("./")
        found = [
            path
            for path in self.by_name.get(plain.rpartition("/")[2], ())
            if path == plain or path.endswith("/" + plain)
        ]
        if not found:
            return None
        return (max(found, key=lambda path: (len(posixpath.commonprefix([path, importer])), -len(path))),)
