"""What the scripts of components know besides ECMAScript: names that a format's compiler provides."""

from __future__ import annotations

from rpg.encoder.languages.ecmascript.rules import Rules

_MACROS = "defineProps defineEmits defineExpose defineModel defineOptions defineSlots withDefaults"


class VueRules(Rules):
    builtins = Rules.builtins | frozenset(_MACROS.split())
