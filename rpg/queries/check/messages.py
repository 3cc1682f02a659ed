"""What is wrong with a place, in one line, and what to do where that is plain.

In: a finding, and what has another name now. Out: texts.
"""

from __future__ import annotations

from rpg.encoder.resolve import Finding
from rpg.queries.check.renames import Renames


def describe_finding(finding: Finding, renames: Renames) -> tuple[str, str]:
    """The message, and the hint, which may be empty."""
    name = finding.name
    hint = _hint(finding, renames)
    if finding.kind == "import":
        if not finding.symbol:
            return f"imports `{name}`, which is not there", ""
        if finding.detail:
            return f"imports `{name}`, which {finding.detail}", "the file moved"
        return f"imports `{name}`, which is gone", hint
    if finding.kind == "string":
        return f"`{name}` is gone, and a string names it", hint
    if finding.kind == "gone":
        return f"`{name}` {finding.detail or 'is gone'}", hint
    if finding.kind == "unbased":
        return f"`{name}` is not inherited any more", f"it was {finding.symbol}"
    if finding.kind == "hidden":
        return f"`{name}` cannot be seen from here", hint
    if finding.kind == "misfit":
        return f"`{name}` {finding.detail}", hint
    if finding.kind == "overriding":
        return (f"`{name}` {finding.detail}", "") if finding.detail else (f"`{name}` overrides nothing any more", hint)
    if finding.kind == "missing":
        who = f"`{name}`" if name else "a class without a name"
        return f"{who} lacks `{finding.detail}`", f"declared in {finding.symbol}"
    if finding.kind == "contract":
        return f"`{name}` {finding.detail}: it was {finding.symbol}", ""
    if finding.kind in ("awaited", "unknown"):
        return f"`{name}` {finding.detail}", hint
    return finding.detail or finding.kind, hint


def _hint(finding: Finding, renames: Renames) -> str:
    before = finding.symbol
    after = renames.symbols.get(before) or renames.files.get(before)
    if not after:
        path, _, name = before.partition("::")
        moved = renames.files.get(path)
        return f"moved to {moved}" if moved and name else ""
    if before in renames.files:
        return f"moved to {after}"
    path, _, name = after.partition("::")
    _, _, old = before.partition("::")
    line = renames.lines.get(after, 0)
    if old.rpartition(".")[2] == name.rpartition(".")[2]:
        return f"moved to {path}:{line}"
    return f"renamed to {name.rpartition('.')[2]}, {path}:{line}"
