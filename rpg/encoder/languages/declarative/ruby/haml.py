"""Haml: Ruby in lines that are nested by their indentation.

In: a `.haml` file. Out: as for ERB.
"""

from __future__ import annotations

from rpg.encoder.languages.declarative.ruby.erb import Lowering as ErbLowering
from rpg.encoder.languages.declarative.ruby.indented import haml_code
from rpg.encoder.languages.declarative.ruby.rules import Rules

__all__ = ["Lowering", "Rules"]


class Lowering(ErbLowering):
    @staticmethod
    def ruby_of(source: bytes) -> tuple[bytes, list[tuple[int, int]]]:
        return haml_code(source)
