"""Where the compiled form of the sources is, and which sources it was made from. For the other scripts here; the
standard library alone.

In: a folder with the package. Out: the key of these sources, the place of their compiled form, or that form put in its
place. A form is a folder of its own, named after the key, so that running programs keep theirs while a newer one is
made. Nothing is compiled here.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FORMS = ROOT / ".venv" / "compiled"
LOG = "why-not-compiled"
"""A file beside a wheel: what the compiler said where it failed."""
KEPT = 2
"""Forms that stay, the newest first: programs that are running may still import from the one before."""


def key_of(folder: Path) -> str:
    """Of the package in a folder, its way of being compiled, and this Python."""
    key = hashlib.blake2b(f"{sys.implementation.cache_tag} {sys.platform}".encode(), digest_size=12)
    for path in (ROOT / "bin" / "developer" / "build_hook.py", ROOT / "pyproject.toml", *sources(folder)):
        content = path.read_bytes()
        key.update(f"{path.name} {len(content)} ".encode())
        key.update(content)
    return key.hexdigest()


def sources(folder: Path) -> list[Path]:
    found = []
    for at, folders, names in os.walk(folder / "rpg"):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [Path(at, name) for name in names if not name.endswith((".pyc", ".so", ".pyd"))]
    return sorted(found)


def is_made(key: str) -> bool:
    return (FORMS / key / "rpg").is_dir()


def reason_beside(wheel: Path) -> str:
    try:
        lines = wheel.with_name(LOG).read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["is there a C compiler, with Python's headers?"])[-1].strip()


def publish(wheel: Path) -> str:
    """Installs the contents of a wheel as the compiled form of its sources. Returns why not; '' if it is there."""
    import shutil
    import tempfile
    import zipfile

    FORMS.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="unpacked-", dir=FORMS))
    try:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        if not any(path.suffix in (".so", ".pyd") for path in folder.rglob("*")):
            return f"nothing was compiled ({reason_beside(wheel)})"
        key = key_of(folder)
        if not is_made(key):
            folder.chmod(0o755)  # other users of the clone run it too
            os.replace(folder, FORMS / key)
            os.utime(FORMS / key)
        forms = sorted((path for path in FORMS.glob("*/rpg")), key=lambda path: path.parent.stat().st_mtime_ns)
        for old in forms[:-KEPT]:
            shutil.rmtree(old.parent, ignore_errors=True)
        return ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)
