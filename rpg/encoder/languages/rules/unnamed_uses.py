"""What uses a symbol without naming it: the language, a library, a tool."""

from __future__ import annotations

from rpg.encoder.languages.standard_library import NONE


class UnnamedUseRules:
    passive_marks: frozenset[str] = NONE
    """Annotations, attributes and decorators by the last part of their names that have nothing called."""
    override_marks: frozenset[str] = NONE
    """Those that say that a method overrides or implements one."""
    bases_in_parentheses = False
    """Whether the bases of a class stand in parentheses behind its name."""
    called_functions: frozenset[str] = NONE
    """Functions that the language or a tool calls by their names."""
    called_members: frozenset[str] = NONE
    """Members that a library calls by their names, whatever type has them."""
    library_folders: frozenset[str] = NONE
    library_suffixes: tuple[str, ...] = ()
    """Folders whose code a library runs, and how the names of the classes there end whose objects only the library
    makes: other code has none of them."""
    unnamed_members: frozenset[str] = NONE
    """Members that the language runs where nothing names them, and whose uses are not followed."""
    unnamed_prefixes: tuple[str, ...] = ()
    """How the names of such members begin."""
    unnamed_signs = False
    """Whether a member whose name is no word, like `+`, is one of them."""
    unnamed_words: frozenset[str] = NONE
    """The words before their names one of which says so; empty: none is needed."""
    looked_up: frozenset[str] = NONE
    looked_up_prefixes: tuple[str, ...] = ()
    """Members that the language itself looks up."""
    run_unnamed: frozenset[str] = NONE
    """Members whose uses are followed where the language runs them without naming them; so are those with
    `unnamed_prefixes`, if there are any."""

    @classmethod
    def is_entry(cls, name: str) -> bool:
        """Whether functions of that name run without being named."""
        return name in ("main", "Main")

    @classmethod
    def adds_to_library(cls, header: str) -> bool:
        """Whether a definition adds to a library; `header`: its declaration."""
        return False

    @classmethod
    def is_called_by_name(cls, name: str, is_member: bool) -> bool:
        """Whether the language or a tool calls functions of that name."""
        return name in (cls.called_members if is_member else cls.called_functions)

    @classmethod
    def is_run_unnamed(cls, name: str, header: str) -> bool:
        """Whether the language runs a member of that name where no code names it; `header`: what is in front of the
        name."""
        is_sign = cls.unnamed_signs and not (name[:1].isalnum() or name[:1] in "_$")
        if not is_sign and name not in cls.unnamed_members and not name.startswith(cls.unnamed_prefixes):
            return False
        return not cls.unnamed_words or not cls.unnamed_words.isdisjoint(header.split())

    @classmethod
    def is_implicit(cls, header: str) -> bool:
        """Whether the compiler finds it by its type, where no code names it; `header`: its declaration."""
        return False

    @classmethod
    def is_embedded(cls, kind: str, name: str, header: str) -> bool:
        """Whether the members of a member are reached without naming it; `header`: its declaration."""
        return False

    @classmethod
    def is_run_by_library(cls, path: str) -> bool:
        """Whether code in a file may have an object that only a library makes: it runs in one."""
        return not cls.library_folders.isdisjoint(path.split("/")[:-1])

    @classmethod
    def speaks_to_library(cls, path: str) -> bool:
        """Whether calls in a file describe something to a library, such as the tables of a database: those that no
        lowering reads are the library's."""
        return False

    @classmethod
    def is_run_by_place(cls, path: str) -> bool:
        """Whether a framework calls what a file exports because of its place."""
        return False

    @classmethod
    def is_made_by_library(cls, path: str, name: str) -> bool:
        """Whether only a library makes objects of a class."""
        return name.endswith(cls.library_suffixes) and cls.is_run_by_library(path)
