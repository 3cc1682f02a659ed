"""The type of a node of a syntax tree, for those who are handed one: lowering names no parser.

Not compiled: the name stands for something else where types are checked than where code runs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node as Node
else:
    Node = object
