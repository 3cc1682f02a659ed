"""What scripts define outside modules is used by scripts in pages of any language, and as a member of `window`."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, lines_left, usages

SCRIPT = (
    "function openMenu() {}\nvar closeMenu = function () {};\nwindow.showRow = function () {};\nfunction unused() {}\n"
    "const App = {};\nApp.fireOnce = function () {};\n"
)
PAGE = """\
<html><body>
<a onclick="openMenu()">unused</a>
<script>
closeMenu();
window.showRow();
App.fireOnce();
// unused
</script>
<p>unused</p></body></html>
"""


@pytest.mark.parametrize("suffix", ["html", "php", "blade.php", "html.erb", "ejs", "html.twig", "jsp", "cshtml"])
def test_a_script_in_a_page_uses_what_scripts_define(suffix: str, tmp_path: Path) -> None:
    root = encoded(tmp_path, {"menu.js": SCRIPT, f"page.{suffix}": PAGE})
    found = usages(root, "openMenu", "closeMenu", "showRow", "fireOnce", "unused").symbols

    assert [lines_left(each) for each in found] == [[f"page.{suffix}:{line}"] for line in (2, 4, 5, 6)] + [[]]
    assert [each.complete for each in found] == [False, False, False, False, True]


def test_a_member_of_the_window_may_be_what_a_script_defines(tmp_path: Path) -> None:
    uses = "window.openMenu();\nself.closeMenu();\nother.openMenu();\n"
    root = encoded(tmp_path, {"menu.js": SCRIPT, "use.js": uses, "a.py": "def go(window):\n    window.openMenu()\n"})
    opening, closing = usages(root, "openMenu", "closeMenu").symbols

    assert lines_left(opening) == ["use.js:1"]
    assert lines_left(closing) == ["use.js:2"]


def test_code_of_another_language_behind_a_script_in_a_string_is_no_use(tmp_path: Path) -> None:
    text = "def go():\n    page = '<script>'\n    return page + openMenu()\n"
    (found,) = usages(encoded(tmp_path, {"menu.js": SCRIPT, "a.py": text}), "openMenu").symbols

    assert found.complete
