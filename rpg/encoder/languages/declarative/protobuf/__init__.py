"""Protobuf: messages, enums and services by their full names, which all files know; types of fields and calls.

In: a syntax tree. Out: facts. What is missing: options, and names that are relative to a part of the package.
"""

from rpg.encoder.languages.declarative.protobuf.rules import Rules
from rpg.encoder.languages.declarative.protobuf.syntax import Lowering

__all__ = ["Lowering", "Rules"]
