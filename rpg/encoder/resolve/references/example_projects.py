"""Which example project the code in a document refers to: the document's own, or one that it names, and no other.

In: a document or a file with doctests, and the path that its code would refer to. Out: whether it does. Many guides
write `from proj.tasks import add`, and mean the reader's project rather than the one in `examples/`.
"""

from __future__ import annotations

import re
from typing import Final

from rpg.encoder.facts import NAMING
from rpg.encoder.languages.prose.examples import FOLDERS
from rpg.encoder.languages.tests import remove_package_folders
from rpg.encoder.resolve.program.source_file import SourceFile

_SEPARATORS: Final = re.compile(r"[^\w-]+")


def may_use(file: SourceFile, path: str) -> bool:
    """Whether a text may mean a file by a name alone."""
    folder, project = project_of(path)
    if not project or file.path.startswith(project):
        return True
    for each in file.facts.imports:
        if each.kind in NAMING and any(named.startswith(project) for named in each.module.split("\n")):
            return True
        if folder in _SEPARATORS.split(each.module):
            return True
    return False


def project_of(path: str) -> tuple[str, str]:
    """The folder of examples around a file, by its name, and the path of the example; both empty if there is none."""
    parts = path.split("/")
    places = remove_package_folders(path).count("/")
    for at in range(min(places, len(parts) - 1)):
        if parts[at] in FOLDERS:
            end = min(at + 2, len(parts) - 1)
            return parts[at], "/".join(parts[:end]) + "/"
    return "", ""
