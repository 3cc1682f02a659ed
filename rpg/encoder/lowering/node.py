"""The type of a syntax tree node, so that lowering need not import a parser.

Not compiled: the name means something else to the type checker than at run time.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node as Node
else:
    Node = object
