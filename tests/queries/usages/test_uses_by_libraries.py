"""Uses that a library or a tool makes of a symbol: of a class that it is given, by a path in a file, by a key."""

from __future__ import annotations

from pathlib import Path

import pytest
from accounts import encoded, lines_left, usages

CLASSES: dict[str, str | bytes] = {
    "app/__init__.py": "",
    "app/urls.py": "from django.urls import register_converter\n\n\nclass Hex:\n    def to_url(self):\n"
    "        return 1\n\n\nclass Own:\n    def to_url(self):\n        return 2\n\n\n"
    "register_converter(Hex, 'hex')\nisinstance(1, Own)\nassert len([Own]) == 1\n",
    "app/backends.py": "class Base:\n    def get_user(self):\n        return None\n\n\nclass Token(Base):\n"
    "    def authenticate(self):\n        return None\n",
    "app/settings.py": 'BACKENDS = ["app.backends.Token"]\n',
    "app/own.ts": "import { container } from 'lib'\nexport class Till {\n  refresh(): number { return 1 }\n}\n"
    "export class Free {\n  refresh(): number { return 1 }\n}\nexport function show(given: Free): number { return 2 }\n"
    "container.attach(Till)\n",
}


@pytest.mark.parametrize(
    ("symbol", "reason"),
    [
        ("Hex.to_url", "its class is handed to register_converter of a library (app/urls.py:14)"),
        ("Own.to_url", ""),
        ("Token.authenticate", "its class is named in a string"),
        ("Base.get_user", "its class is named in a string"),
        ("Till.refresh", "its class is handed to attach of a library"),
        ("Free.refresh", ""),
    ],
)
def test_a_library_that_is_given_a_class_may_call_its_methods(tmp_path: Path, symbol: str, reason: str) -> None:
    (found,) = usages(encoded(tmp_path, CLASSES), symbol).symbols

    assert ("its class is" in found.reason) == bool(reason), found.reason
    assert reason in found.reason


TOOLS: dict[str, str | bytes] = {
    "app/__init__.py": "",
    "app/wsgi.py": "application = object()\nother = object()\n",
    "app/second.py": "application = object()\n",
    "uwsgi.ini": "[uwsgi]\nmodule = app.wsgi:application\nother: thing\n",
}


@pytest.mark.parametrize(("symbol", "lines"), [("wsgi.py::application", ["uwsgi.ini:2"]), ("wsgi.py::other", [])])
def test_configuration_names_a_variable_behind_the_path_of_its_module(
    tmp_path: Path, symbol: str, lines: list[str]
) -> None:
    (found,) = usages(encoded(tmp_path, TOOLS), f"app/{symbol}").symbols

    assert lines_left(found) == lines
    assert found.complete == (not lines)


FORMS: dict[str, str | bytes] = {
    "forms.py": "from django import forms\n\n\nclass KeyForm(forms.Form):\n    user_key = forms.CharField()\n"
    "    note = forms.CharField()\n\n    def clean(self):\n        return self.cleaned_data['user_key']\n\n\n"
    "class Plain:\n    user_key = 1\n",
    "views.py": "from forms import KeyForm\n\n\ndef save(request):\n    form = KeyForm(request)\n"
    "    return form.cleaned_data.get('note'), request['user_key']\n",
    "far.py": "def save(form):\n    return form.cleaned_data['user_key']\n",
}


@pytest.mark.parametrize(
    ("symbol", "lines"),
    [("KeyForm.user_key", ["forms.py:9"]), ("KeyForm.note", ["views.py:6"]), ("Plain.user_key", [])],
)
def test_a_field_of_a_librarys_class_is_read_by_its_name_from_what_that_makes_of_it(
    tmp_path: Path, symbol: str, lines: list[str]
) -> None:
    (found,) = usages(encoded(tmp_path, FORMS), symbol).symbols

    assert lines_left(found) == lines


TABLE = """(function ($) {
  var sorted = {}, fixed = {};
  sorted.enable = function (el) { $(el).show(); };
  fixed.disable = function (el) { $(el).hide(); };
  $.fn.sorted = function (method) {
    if (/enable|disable/.test(method)) { sorted[method](this); }
    return fixed["disabled"];
  };
})(jQuery);
"""


@pytest.mark.parametrize(("symbol", "lines"), [("sorted.enable", ["a.js:6"]), ("fixed.disable", [])])
def test_a_variable_is_asked_for_a_member_by_a_computed_name(tmp_path: Path, symbol: str, lines: list[str]) -> None:
    (found,) = usages(encoded(tmp_path, {"a.js": TABLE}), symbol).symbols

    assert lines_left(found) == lines


def test_a_library_adds_annotations_to_a_model(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "models.py": "from django.db import models\n\n\nclass Check(models.Model):\n    def label(self):\n"
        "        return 'c'\n",
        "admin.py": "from django_stubs_ext import WithAnnotations\n\nfrom models import Check\n\n\n"
        "def show(check: WithAnnotations[Check, dict]):\n    return check.label()\n",
    }
    (found,) = usages(encoded(tmp_path, files), "Check.label").symbols

    assert found.total == {"certain": 1}


def test_a_class_without_a_name_has_the_base_that_its_header_names(tmp_path: Path) -> None:
    text = (
        "import { Controller } from 'lib'\nexport default class extends Controller {\n  refreshAll() { return 1 }\n}\n"
    )
    (found,) = usages(encoded(tmp_path, {"a.js": text}), "default.refreshAll").symbols

    assert "its base Controller, of a library, may call it" in found.reason
