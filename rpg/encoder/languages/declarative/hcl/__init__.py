"""HCL, as Terraform, OpenTofu and their relatives write it: blocks by their addresses, which all files of a folder see.

In: a syntax tree. Out: facts. A symbol is named as it is referred to (`var.x`, `aws_vpc.this`, `module.m`); an argument
of a module is its variable, `module.m.out` its output. What is missing: attributes of resources, and variables that
are set from outside the folder.
"""

from rpg.encoder.languages.declarative.hcl.rules import Rules
from rpg.encoder.languages.declarative.hcl.syntax import Lowering

__all__ = ["Lowering", "Rules"]
