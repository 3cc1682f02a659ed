"""Which file an import names: the one that ends so; and the types that come with Protobuf."""

from __future__ import annotations

from rpg.encoder.languages.declarative.rules import DeclarativeRules
from rpg.encoder.languages.given_names import ANYWHERE, VALUES, Given, pascal, spellings
from rpg.encoder.languages.project import Project

_WELL_KNOWN = """
Any Api BoolValue BytesValue DescriptorProto DoubleValue Duration Empty Enum EnumOptions EnumValue
EnumValueOptions Field FieldMask FieldOptions FileDescriptorProto FileDescriptorSet FileOptions FloatValue
Int32Value Int64Value ListValue MessageOptions Method MethodOptions Mixin NullValue OneofOptions Option
ServiceOptions StringValue Struct Timestamp Type UInt32Value UInt64Value Value
"""


class Rules(DeclarativeRules):
    builtins = frozenset(f"google.protobuf.{name}" for name in _WELL_KNOWN.split())
    has_packages = True
    is_contract = True
    imports = "files"

    @classmethod
    def names_given(cls, kind: str, name: str) -> tuple[Given, ...]:
        made = [Given(each, ANYWHERE) for each in spellings(name)]
        if kind in VALUES:
            made += [Given(f"{word}{pascal(name)}", ANYWHERE) for word in ("Get", "get", "set", "has")]
        return tuple(made)

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self.by_name: dict[str, list[str]] = {}
        """The last part of a path -> the files that have it."""
        for path in project.paths():
            if path.endswith(".proto"):
                self.by_name.setdefault(path.rpartition("/")[2], []).append(path)

    def module(self, importer: str, module: str, level: int) -> tuple[str, ...] | None:
        candidates = self.by_name.get(module.rpartition("/")[2], ())
        found = [path for path in candidates if path == module or path.endswith(f"/{module}")]
        return (min(found, key=lambda path: (path.count("/"), path)),) if found else None
