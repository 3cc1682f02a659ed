"""Which members a type has, and which of several is meant."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Literal

from rpg.encoder.languages.rules.attribute_types import Construction, Extensions, MethodSets
from rpg.encoder.languages.standard_library import NONE
from rpg.text.computed_keys import key_of


class MemberRules:
    sides: Literal["shared", "separate", "apart", "companions"] = "shared"
    """The static members of a class and those of its instances: each side has the other's, too; lacks them
    (`separate`); or a member of each side may have the same name, which is meant on its own side (`apart`).
    `companions`: the static ones are those of an object that the type may have beside it (COMPANION), which has bases
    of its own (`metaclass`); calling the type runs `protocols.call` of that object."""
    method_sets = MethodSets()
    construction = Construction()
    gives_itself: frozenset[str] = NONE
    """Members that a class has from a base outside the repository, and that return instances of the class itself."""
    owners: Literal["within", "named", "anywhere", "beside", "spaces"] = "within"
    """Where a type's methods may be defined: within it; wherever its name means the type (`named`); in any file of the
    repository, where methods in a file that defines a type of that name may be of that type alone (`beside`), or a
    namespace before a name is a symbol (`spaces`)."""
    traits: Literal["above", "within", "behind"] = "above"
    """Where what a class takes from a trait is found: as what it inherits; as its own, and nothing of its parent's
    (`within`); or `behind` the methods of that name that it has by itself."""
    member_spaces: Literal["one", "read as fields", "named by types"] = "one"
    """Whether a type may have a method and a field of one name: `x.name()` then means the method alone, `x.name` the
    field alone, but for reading what no field has (`read as fields`), or for `Type.name` without a call, which may mean
    a method, too, and never a field of an object (`named by types`)."""
    base_precedence: Literal["kind", "first", "last", "none"] = "kind"
    """Which member a class has that inherits one from each of two bases: that of a class before that of an interface
    (`kind`), that of the base named first or last, or of neither, because the call would be ambiguous (`none`)."""
    extensions: Extensions = "none"
    """What a repository may add to types that it does not define: nothing; members, to any type, also to builtin ones,
    seen `anywhere`; such that a file sees only by its package or an import (`imported`); methods that are `called` as
    members of their first argument; members and bases (`based`); `traits`, whose methods are then called as members of
    the types that implement them by files that import the trait."""
    names_of_itself: frozenset[str] = frozenset()
    """Members that a type has without declaring them, and that lead to its static ones: `Cart.Companion.LIMIT`, and for
    Java `Registry.INSTANCE.find()`."""
    accessors: Literal["named", "overriding", "offered", "read", "called"] = "named"
    """How members are read by methods: of a property, which may replace a base's attribute, so that reading the
    attribute runs it (`overriding`); by others, as properties (`offered`, see `properties_of`); as such an accessor of
    another language's, if a type lacks the member (`read`, see `accessors_of`); always, by calling it, and calling a
    value that is no function returns the value (`called`)."""
    writers_end = ""
    """What ends the name of a method that runs when a member is written: `=` of `size=`, for `cart.size = 2`."""
    cases_are_bare = False
    """Whether the constant of an enum is named alone in a case of what is compared with it."""

    @cached_property
    def declares_apart(self) -> bool:
        """Whether the text of a class or a header declares what the facts hold only where it is defined: default
        arguments, access, constructors."""
        return self.owners == "beside"

    @cached_property
    def owners_anywhere(self) -> bool:
        """Whether a type's methods may be defined in any file of the repository."""
        return self.owners in ("anywhere", "beside", "spaces")

    def accessors_of(self, name: str, is_written: bool) -> tuple[str, ...]:
        """The methods that reading or writing a property may run; only if `accessors` are read."""
        return ()

    def properties_of(self, method: str) -> tuple[str, ...]:
        """The properties as which a language whose `accessors` are read reads or writes a method of that name."""
        written = self.word_of(method)
        return (written,) if written != method else ()

    @classmethod
    def word_of(cls, name: str) -> str:
        """The word that stands in code for a symbol of that name: `size` for the method `size=`, and `KEY` for
        `[Keys.KEY]`."""
        key = key_of(name)
        if key is not None:
            stem = key.rpartition(".")[2]
        else:
            stem = name.removesuffix(cls.writers_end) if cls.writers_end else name
        return stem if stem.isidentifier() else name

    @classmethod
    def sign_of(cls, name: str) -> str:
        """What stands for a symbol of that name where code uses it by a sign: `GQL` of `~GQL"..."`."""
        return name

    def method_shape(self, signature: str, named: Callable[[str, str], str]) -> str:
        """The types in a method's signature, as text that is equal for identical types; empty if they cannot be
        compared. `named(module, name)` gives the full name of a type; the module is empty for a name without one."""
        return ""

    @classmethod
    def is_field_meant(cls, before: str, after: str) -> bool | None:
        """Whether a name between these two parts of a line means a field; None if it may mean a function as well. Asked
        only where members are `named by types`."""
        return None
