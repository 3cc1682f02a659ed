"""YAML of well-known kinds: workflows and actions of GitHub, Compose, Kubernetes, OpenAPI. What a file is, `kinds.py`
says; a module each reads it.

In: a syntax tree. Out: facts.
"""

from __future__ import annotations

from rpg.encoder.languages.configuration import compose, kubernetes, openapi, workflows
from rpg.encoder.languages.configuration.kinds import is_compose, is_workflow
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering
from rpg.encoder.languages.configuration.rules import ConfigurationRules
from rpg.encoder.languages.configuration.values import documents
from rpg.encoder.languages.prose.text import count_search_bytes, is_data
from rpg.encoder.lowering.node import Node

__all__ = ["Lowering", "Rules", "count_search_bytes", "is_data"]


class Rules(ConfigurationRules):
    shares_package_scope = True


class Lowering(ConfigurationLowering):
    def read(self, root: Node) -> None:
        for value in documents(root, self.source):
            if is_workflow(self.path):
                workflows.read(self, value)
            elif is_compose(self.path):
                compose.read(self, value)
            elif value.get("openapi") is not None or value.get("swagger") is not None:
                openapi.read(self, value)
            elif value.get("apiVersion") is not None:
                kubernetes.read(self, value)
            elif value.get("runs") is not None:
                workflows.read_action(self, value)
