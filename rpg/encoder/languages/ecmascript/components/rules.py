"""What the scripts of components know besides ECMAScript: names that a format's compiler provides."""

from __future__ import annotations

from rpg.encoder.languages.ecmascript.rules import Rules

_RUNES = "$$props $$restProps $$slots $state $derived $props $effect $bindable $inspect $host"
_MACROS = "defineProps defineEmits defineExpose defineModel defineOptions defineSlots withDefaults"
_ELEMENTS = "KeepAlive RouterLink RouterView Suspense Teleport Transition TransitionGroup"
"""Components of Vue and its router, which templates know."""


class VueRules(Rules):
    needs_imports = False  # builds import and register components by themselves
    builtins = Rules.builtins | frozenset(_MACROS.split()) | frozenset(_ELEMENTS.split())


class SvelteRules(Rules):
    builtins = Rules.builtins | frozenset(_RUNES.split())


class AstroRules(Rules):
    builtins = Rules.builtins | frozenset(("Astro", "Fragment"))
