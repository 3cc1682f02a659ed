"""What a graph's header says about its repository: name, commit, whether it was clean, URL.

In: a header. Out: those fields, or a header with new ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rpg.encoder.source_files.listing import Identity


def read_recorded_repository(header: Mapping[str, Any]) -> Mapping[str, Any]:
    """The known ones among name, url, revision, commit and dirty."""
    found = header.get("repository")
    return found if isinstance(found, dict) else {}


def replace_identity(header: Mapping[str, Any], identity: Identity) -> dict[str, Any]:
    """The header that an encode would write for the same files if the repository is now `identity`."""
    repository = {
        key: value for key, value in read_recorded_repository(header).items() if key not in ("url", "commit", "dirty")
    }
    if identity.url:
        repository["url"] = identity.url
    if identity.commit:
        repository |= {"commit": identity.commit, "dirty": identity.dirty}
    return {**header, "repository": repository}
