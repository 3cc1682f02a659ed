"""Names that the configuration of a bundler gives to folders lead to files, also after an edit of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from repositories import write

from rpg.encoder.languages.ecmascript.aliases import aliases
from rpg.encoder.options import Options
from rpg.repository import encode
from rpg.stores.graph_file import graph_file


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("alias: { '@': path.resolve(__dirname, './src') }", [("@", "./src")]),
        ("alias: { '@': fileURLToPath(new URL('./src', import.meta.url)), b: 'c/*' }", [("@", "./src"), ("b", "c")]),
        ("alias: { '~/': `${path.resolve(__dirname, 'src')}/` }", [("~", "src")]),
        ("const alias = { '$/*': './src/lib/*', '$': \"all\" };", [("$", "./src/lib"), ("$", "all")]),
        (
            "alias: [{ find: '@', replacement: join(root, '..', 'lib') }, { find: /^b/, replacement: 'c' }]",
            [("@", "../lib")],
        ),
        ("alias: { ...others, // 'a': 'b',\n /* c: 'd' */ 'vue$': 'vue/dist/vue.js' }", [("vue", "vue/dist/vue.js")]),
        ("alias: { a: computed(), b }", []),
        ("alias: { 'a': ", []),
        ("alias: others", []),
    ],
)
def test_an_alias_is_read_and_not_run(text: str, found: list[tuple[str, str]]) -> None:
    assert list(aliases(text)) == found


def test_after_an_edit_of_the_configuration_the_graph_is_that_of_a_clean_encode(tmp_path: Path) -> None:
    root, kept, clean = tmp_path / "repo", tmp_path / "kept.graph.json", tmp_path / "clean.graph.json"
    write(
        root,
        {
            "src/a.js": "export function one() {}\n",
            "lib/a.js": "export function one() {}\n",
            "web/Cart.vue": "<script setup>\nimport { one } from '#here/a';\none();\n</script>\n",
        },
    )
    seen = []
    for folder in ("", "src", "lib", "nowhere"):
        if folder:
            write(root, {"vite.config.js": f"export default {{ resolve: {{ alias: {{ '#here': '/{folder}' }} }} }};\n"})
        encode(root, kept, Options())
        encode(root, clean, Options(), full=True)
        assert kept.read_bytes() == clean.read_bytes()
        seen.append([each.target for each in graph_file.read(kept).edges if each.kind == "calls"])

    assert seen == [[], ["src/a.js::one"], ["lib/a.js::one"], []]
