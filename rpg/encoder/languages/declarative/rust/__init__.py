"""Rust: modules by file, `use` and paths, methods with their types, traits as bases, calls and items in macros.

In: a syntax tree. Out: facts. What is missing: what traits of other files add to a type, and types that are inferred
through generics.
"""

from rpg.encoder.languages.declarative.rust.rules import Rules
from rpg.encoder.languages.declarative.rust.syntax import Lowering

__all__ = ["Lowering", "Rules"]
