"""A repository that is large enough for areas."""

from __future__ import annotations


def module(name: str, *uses: str, functions: int = 6) -> str:
    lines = [f"from {use.rpartition('.')[0]} import {use.rpartition('.')[2]}" for use in uses]
    for number in range(functions):
        lines += ["", "", f"def {name}_{number}():"]
        lines += [f"    {use.rpartition('.')[2]}.run()" for use in uses] or ["    return 1"]
    return "\n".join([*lines, "", "", "def run():", "    return 1", ""])


PACKAGES = {
    "billing": ("invoice", "tax", "payment", "ledger"),
    "delivery": ("parcel", "route", "courier", "label"),
    "catalogue": ("product", "price", "stock", "review"),
}
FILES: dict[str, str | bytes] = {
    "README.md": "# Shop\n",
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "docs/use.md": "# Use\n",
    "examples/buy.py": module("buy"),
    "shop/__init__.py": "",
    "shop/delivery/forms/note.html": "<p>",
    "tests/test_shop.py": "from shop.billing import tax\n\n\ndef test_tax():\n    tax.run()\n",
    **{f"shop/{package}/__init__.py": "" for package in PACKAGES},
    **{
        f"shop/{package}/{name}.py": module(name, *(f"shop.{package}.{other}" for other in names if other != name))
        for package, names in PACKAGES.items()
        for name in names
    },
}
