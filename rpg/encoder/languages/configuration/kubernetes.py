"""Kubernetes: resources are structs, named by kind; what refers to another by its kind and name means those of the same
folder.

In: a document. Out: symbols and references.
"""

from __future__ import annotations

from typing import Final

from rpg.encoder.facts import READ
from rpg.encoder.languages.configuration.lowering import ConfigurationLowering, join_path
from rpg.encoder.languages.configuration.values import Value

_REFERENCES: Final[dict[str, str]] = {
    "configMapRef": "ConfigMap",
    "configMapKeyRef": "ConfigMap",
    "configMap": "ConfigMap",
    "secretRef": "Secret",
    "secretKeyRef": "Secret",
    "persistentVolumeClaim": "PersistentVolumeClaim",
    "service": "Service",
}
"""Key of a map with the name of a resource -> its kind."""
_NAMES: Final[dict[str, str]] = {
    "secretName": "Secret",
    "serviceAccountName": "ServiceAccount",
    "claimName": "PersistentVolumeClaim",
    "serviceName": "Service",
    "storageClassName": "StorageClass",
    "ingressClassName": "IngressClass",
    "priorityClassName": "PriorityClass",
}
"""Key of a name -> kind of the resource."""
_FILES: Final = ("resources", "bases", "components", "patchesStrategicMerge", "configurations", "crds")


def read(walker: ConfigurationLowering, value: Value) -> None:
    kind, name = value.get("kind"), value.get("metadata", "name")
    if kind is None or not kind.text:
        return
    if kind.text in ("Kustomization", "Component"):
        _kustomization(walker, value)
    if name is None or not name.text:
        return
    qualified = f"{kind.text}.{name.text}"
    index = walker.symbol(
        "struct", name.text, value.start, value.end, name.byte, f"{kind.text}/{name.text}", 0,
        qualified.replace("::", "."), f"{kind.text} {name.text}",
    )  # fmt: skip
    walker.definition = index
    for pair in value.pairs:
        if pair.key not in ("metadata", "kind", "apiVersion"):
            _references(walker, pair.value)
    walker.definition = 0


def _references(walker: ConfigurationLowering, value: Value) -> None:
    pending = [value]
    while pending:
        each = pending.pop()
        pending += each.items
        kind, named = each.get("kind"), each.get("name")
        if kind is not None and named is not None and kind.text and named.text:
            _resource(walker, kind.text, named)
        for pair in each.pairs:
            inside = pair.value
            name = inside.get("name") or inside.get("claimName")
            if pair.key in _REFERENCES and name is not None and name.text:
                _resource(walker, _REFERENCES[pair.key], name)
                continue
            if pair.key in _NAMES and inside.text:
                _resource(walker, _NAMES[pair.key], inside)
            pending.append(inside)


def _resource(walker: ConfigurationLowering, kind: str, name: Value) -> None:
    walker.site(walker.variable(walker.string(f"{kind}/{name.text}"), name.byte), READ)


def _kustomization(walker: ConfigurationLowering, value: Value) -> None:
    for key in _FILES:
        for text in value.texts(key):
            path = join_path(walker.folder, text.text)
            walker.names_file(
                text.byte, [path, f"{path}/kustomization.yaml", f"{path}/kustomization.yml"] if path else ()
            )
    for key in ("patches", "patchesJson6902"):
        listed = value.get(key)
        for each in listed.items if listed is not None else ():
            for text in each.texts("path"):
                walker.names_file(text.byte, [join_path(walker.folder, text.text)])
