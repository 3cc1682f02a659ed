"""Modules that a framework loads when it needs them, for their default export: `component: () => import("./Page.vue")`.

In: a call of `import` with a literal. Out: whether the default export of that module is what is asked for. Only where
it stands says so: as a component of a route or of another component, in a function of a framework that wants such a
loader, or because the file is a component. `React.lazy` and its like are known by where they are imported from.

Absent: loaders that do more than to import.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder import operations as op
from rpg.encoder.languages.ecmascript.walker import EcmaScriptWalker
from rpg.encoder.lowering.node import Node

COMPONENT_SUFFIXES: Final = (".vue", ".svelte", ".astro")
_LOADERS: Final = {
    "react": "lazy",
    "preact/compat": "lazy",
    "solid-js": "lazy",
    "vue": "defineAsyncComponent",
    "next/dynamic": "default",
    "@loadable/component": "default",
    "react-loadable": "default",
}
"""Module -> its function that takes a loader, or an object with one."""
_WANT_COMPONENT: Final = frozenset(("component", "loadComponent", "loadChildren"))
_FUNCTIONS: Final = frozenset(("arrow_function", "function_expression"))
_TAKEN_APART: Final = frozenset(("await_expression", "member_expression"))
"""Around a module of which is said what is wanted."""
_COMPONENT: Final = re.compile(rb"\bcomponent\s*:\s*([A-Za-z_$][\w$]*)\s*[,}\n]")
_COMPONENTS: Final = re.compile(rb"\bcomponents\s*:\s*\{([^{}]*)\}")
_WORD: Final = re.compile(rb"(?<![\w$.])[A-Za-z_$][\w$]*(?=\s*(?:,|$))")


def is_default_wanted(walker: EcmaScriptWalker, node: Node, module: str) -> bool:
    """Whether the module that a call of `import` names is loaded for its default export."""
    if node.parent is None:
        return False
    if module.endswith(COMPONENT_SUFFIXES):
        return node.parent.type not in _TAKEN_APART
    loader = loader_around(node)
    around = loader.parent if loader is not None else None
    if around is None:
        return False
    if is_component(walker, around):
        return True
    if around.type == "variable_declarator":
        name = around.child_by_field_name("name")
        return name is not None and name.type == "identifier" and walker.source_of(name) in component_names(walker)
    if around.type == "pair":
        around = around.parent.parent if around.parent is not None else None
    call = around.parent if around is not None and around.type == "arguments" else None
    function = call.child_by_field_name("function") if call is not None else None
    return function is not None and takes_loader(walker, function)


def loader_around(node: Node) -> Node | None:
    """The function that does nothing but to return what the call of `import` promises; None if there is none."""
    inside, around = node, node.parent
    while around is not None and around.type in ("await_expression", "parenthesized_expression"):
        inside, around = around, around.parent
    if around is not None and around.type == "return_statement":
        block = around.parent
        if block is None or block.type != "statement_block":
            return None
        if sum(each.type != "comment" for each in block.named_children) != 1:
            return None
        inside, around = block, block.parent
    body = around.child_by_field_name("body") if around is not None and around.type in _FUNCTIONS else None
    return around if body is not None and body.start_byte == inside.start_byte else None


def is_component(walker: EcmaScriptWalker, pair: Node) -> bool:
    """Whether a pair of an object is `component: ...`, or like it, or one of those in `components: {...}`."""
    if pair.type != "pair":
        return False
    if key_of(walker, pair) in _WANT_COMPONENT:
        return True
    around = pair.parent.parent if pair.parent is not None else None
    return around is not None and around.type == "pair" and key_of(walker, around) == "components"


def key_of(walker: EcmaScriptWalker, pair: Node) -> str:
    key = pair.child_by_field_name("key")
    return walker.name_of(key) if key is not None else ""


def component_names(walker: EcmaScriptWalker) -> frozenset[str]:
    """Variables of the file that are put in as components."""
    if walker.component_names is None:
        found = [each.group(1) for each in _COMPONENT.finditer(walker.source)]
        for each in _COMPONENTS.finditer(walker.source):
            found += _WORD.findall(each.group(1))
        walker.component_names = frozenset([each.decode() for each in found])
    return walker.component_names


def takes_loader(walker: EcmaScriptWalker, function: Node) -> bool:
    """Whether a function of a framework is called that loads modules for their default export."""
    names = walker.source_of(function).split(".")
    code = walker.code
    for binding in walker.bindings:
        if binding.scope or binding.name != names[0] or code[binding.value] not in (op.IMPORT, op.IMPORTED):
            continue
        wanted = _LOADERS.get(walker.imports[code[binding.value + op.STATEMENT]].module)
        if len(names) > 1:
            return wanted == names[1]
        return code[binding.value] == op.IMPORTED and wanted == walker.texts[code[binding.value + op.MEMBER]]
    return False
