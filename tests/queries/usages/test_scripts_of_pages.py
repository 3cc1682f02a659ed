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


ATTRIBUTES = """\
<div id="till-dialog"></div><div id="more"></div><p id="note">more</p>
<b hx-on:click='openMenu("till-dialog")' title="The shown(x) of #note">x</b>
<b hx-vals='js:{ id: closeMenu().id || "" }'>x</b>
<b hx-trigger="click[showRow(event)]" data-label="Have shown(1) it">x</b>
<b _="on click call fireOnce()" style="a: shown(1)">x</b>
<b hx-target="closest #more .x, #till-dialog" hx-on:change="htmx.toggleClass('#more', 'x')">x</b>
"""


@pytest.mark.parametrize("suffix", ["html", "hbs", "html.twig"])
def test_an_attribute_that_calls_a_function_is_code_whatever_it_is_called(suffix: str, tmp_path: Path) -> None:
    script = f"{SCRIPT}function shown() {{}}\n"
    root = encoded(tmp_path, {"menu.js": script, f"page.{suffix}": ATTRIBUTES})
    found = usages(root, "openMenu", "closeMenu", "showRow", "fireOnce", "shown").symbols

    assert [lines_left(each) for each in found] == [[f"page.{suffix}:{line}"] for line in (2, 3, 4, 5)] + [[]]
    assert [each.complete for each in found] == [False, False, False, False, True]


@pytest.mark.parametrize("suffix", ["html", "hbs"])
def test_selectors_in_attributes_of_scripts_name_elements(suffix: str, tmp_path: Path) -> None:
    found = usages(encoded(tmp_path, {f"page.{suffix}": ATTRIBUTES}), "till-dialog", "more", "note").symbols

    lines = [[place.site.partition(":")[0] for each in one.certain for place in each.usages] for one in found]
    assert lines == [["6"], ["6", "6"], []]
    assert [lines_left(each) for each in found] == [[f"page.{suffix}:2"], [], []]


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


SHEET = (
    ".price { color: red }\n.row-title { color: red }\n.title { color: red }\n"
    ":is(#till .price > .x[disabled]) { color: red }\n"
)
STYLED = """\
<html><body><b id="till">price</b>
<script>
document.querySelector("b.price").remove();
var title = "title";
// .price
</script>
<script type="text/template"><b class="wide row-title">price</b></script>
</body></html>
"""


def test_a_script_of_a_page_names_what_style_sheets_define(tmp_path: Path) -> None:
    root = encoded(tmp_path, {"a.css": SHEET, "page.html": STYLED})
    found = usages(root, "price", "row-title", "title", "till").symbols

    assert [lines_left(each) for each in found] == [["a.css:4", "page.html:3"], ["page.html:7"], [], ["a.css:4"]]
    assert [each.complete for each in found] == [False, False, True, False]


def test_a_page_names_a_method_of_a_script_behind_its_class(tmp_path: Path) -> None:
    text = "export default class extends Base {\n  send() {}\n  reset() {}\n}\n"
    page = '<a data-action="input->shelf--composer#send">x</a>\n<a data-action="old-shelf--composer#reset">x</a>\n'
    files = {"app/javascript/controllers/shelf/composer_controller.js": text, "app/views/show.html.erb": page}
    sending, resetting = usages(encoded(tmp_path, dict(files)), "default.send", "default.reset").symbols

    assert (lines_left(sending), sending.complete) == (["app/views/show.html.erb:1"], False)
    assert (lines_left(resetting), resetting.complete) == ([], True)


SERVICES = """\
services:
    App\\:
        resource: '../src/*'
        exclude: '../src/{Entity,Tests}/*'
    App\\Shop\\Till:
        arguments:
            $mainCache: '@redis'
    App\\Shop\\Door:
        arguments:
            $other: '@redis'
"""


def test_configuration_names_classes_and_the_arguments_of_their_constructors(tmp_path: Path) -> None:
    till, door = (
        f"<?php\nnamespace App\\Shop;\nclass {name} {{\n    public function __construct(private $mainCache) {{}}\n}}\n"
        for name in ("Till", "Door")
    )
    root = encoded(tmp_path, {"src/Shop/Till.php": till, "src/Shop/Door.php": door, "config/services.yml": SERVICES})
    found = usages(root, "Till", "Till.mainCache", "Door.mainCache").symbols

    assert [lines_left(each) for each in found] == [["config/services.yml:5"], ["config/services.yml:7"], []]


@pytest.mark.parametrize("suffix", ["html", "cshtml"])
def test_a_link_may_run_a_script_that_asks_for_a_mark(suffix: str, tmp_path: Path) -> None:
    link = "<a href=\"javascript:document.getElementById('logoutForm').submit()\">Out</a>"
    form = f'<form id="logoutForm">\n{link}\n</form>\n'
    root = encoded(tmp_path, {f"page.{suffix}": form})
    [found] = usages(root, "logoutForm").symbols

    assert (lines_left(found), found.complete) == ([f"page.{suffix}:2"], False)


def test_configuration_binds_an_argument_for_all_classes(tmp_path: Path) -> None:
    services = "services:\n    _defaults:\n        bind:\n            $limit: 3\n    App\\:\n        $other: 4\n"
    code = (
        "<?php\nnamespace App;\nclass Till {\n    public function __construct(private $limit, private $other) {}\n}\n"
    )
    root = encoded(tmp_path, {"src/Till.php": code, "config/services.yaml": services})
    limit, other = usages(root, "Till.limit", "Till.other").symbols

    assert (lines_left(limit), lines_left(other)) == (["config/services.yaml:4"], [])
