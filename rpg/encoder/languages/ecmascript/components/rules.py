"""What the scripts of components know besides ECMAScript: names that a format's compiler provides."""

from __future__ import annotations

from rpg.encoder.languages.ecmascript.rules import Rules

_RUNES = "$$props $$restProps $$slots $state $derived $props $effect $bindable $inspect $host"
_MACROS = "defineProps defineEmits defineExpose defineModel defineOptions defineSlots withDefaults"


class VueRules(Rules):
    builtins = Rules.builtins | frozenset(_MACROS.split())


class SvelteRules(Rules):
    builtins = Rules.builtins | frozenset(_RUNES.split())


class AstroRules(Rules):
    builtins = Rules.builtins | frozenset(("Astro", "Fragment"))
