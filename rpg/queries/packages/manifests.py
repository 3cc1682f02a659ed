"""The packages of a repository, according to their manifests: pyproject.toml, setup.cfg, setup.py, package.json with
its workspaces, go.mod, Cargo.toml, pom.xml, build.gradle; and what lists of requirements add to that.

In: an index. Out: packages with their folder, name, version and what they require; the package around a path; whether
two manifests agree. Only files that the index holds are read, as text; nothing is run, and what cannot be read says
nothing.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

from rpg.queries.graph.memo import memoize
from rpg.queries.graph.path_filters import package_filter
from rpg.stores.index.reader import list_all_paths, list_sized_files

if TYPE_CHECKING:
    from rpg.stores.index.index import Index

LARGEST = 400_000
"""The largest manifest that is read, in bytes."""
MOST = 2_000
"""The most manifests of one repository that are read."""


class Package(NamedTuple):
    name: str
    """Empty for a list of requirements."""
    folder: str
    """`/`-terminated; empty at the top of the repository."""
    manifest: str
    """Its path."""
    version: str
    """Empty if the manifest does not say."""
    requires: tuple[tuple[str, str], ...]
    """Name and version of what it needs, as written; no version: any."""


def packages(index: Index) -> tuple[Package, ...]:
    """By folder."""
    return tuple(each for each in requiring(index) if each.name)


def requiring(index: Index) -> tuple[Package, ...]:
    """With lists of requirements, which name no package. Cached until the index changes."""
    return memoize(index, "packages", lambda: tuple(read(index)))


def read(index: Index) -> Iterable[Package]:
    wanted = (*READERS, "requirements*.txt")
    written = [part for name in wanted for part in (name, f"*/{name}")]
    rows = list_sized_files(index, written, MOST)
    found = []
    for path, size in rows:
        folder, name = split(path)
        reader = READERS.get(name) or (parse_requirements if _REQUIREMENTS.fullmatch(name) else None)
        if reader is None or size > LARGEST:
            continue
        text = index.source(path).decode("utf-8", "replace")
        try:
            manifest = reader(text)
        except (ValueError, TypeError, AttributeError, RecursionError, configparser.Error):
            continue  # no manifest, or damaged
        if manifest is not None and (manifest[0] or reader is parse_requirements):
            found.append(Package(manifest[0], folder, path, manifest[1], tuple(manifest[2].items())))
    return sorted(found, key=lambda each: (each.folder, each.manifest))


def split(path: str) -> tuple[str, str]:
    """The folder that a manifest is about, and its name. Lists of requirements may have a folder of their own."""
    folder, slash, name = path.rpartition("/")
    if folder.rpartition("/")[2] == "requirements":
        folder, slash, _ = folder.rpartition("/")
        name = f"requirements/{name}"
    return folder + slash, name


def package_around(candidates: Sequence[Package], path: str, manifests: tuple[str, ...] = ("",)) -> Package | None:
    """The innermost package around a file, among those that such a manifest names."""
    around = [each for each in candidates if path.startswith(each.folder) and each.manifest.endswith(manifests)]
    return max(around, key=lambda each: len(each.folder), default=None)


def build_package_filter(index: Index, name: str) -> Callable[[str], bool]:
    """Whether a file is in the package of that name: in the folder of its manifest, but in no package inside; else as
    `package_filter` reads the name. So it does for the package at the top, of which tests and documents are no part,
    unless no folder has its name."""
    known = packages(index)
    wanted = normalise_name(name)
    found = {
        each for each in known if wanted in (normalise_name(each.name), normalise_name(each.name.rpartition(":")[2]))
    }
    by_folder = package_filter(name)
    if not found:
        return by_folder
    if not all(each.folder for each in found) and any(by_folder(path) for path in list_all_paths(index)):
        return by_folder
    return lambda path: package_around(known, path) in found


def normalise_name(name: str) -> str:
    """One spelling of a name that registries read alike."""
    return re.sub(r"[-_.]+", "-", name).lower()


Manifest = tuple[str, str, dict[str, str]] | None
"""What a manifest declares: name, version and requirements. None if it declares no package."""
_REQUIREMENTS = re.compile(r"requirements[-_.\w]*\.txt|requirements/[^/]*\.txt")
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#)]*)")


def parse_pyproject(text: str) -> Manifest:
    whole = tomllib.loads(text)
    project = whole.get("project", {})
    poetry = whole.get("tool", {}).get("poetry", {})
    required = [*project.get("dependencies", ())]
    for group in (*project.get("optional-dependencies", {}).values(), *whole.get("dependency-groups", {}).values()):
        required += [each for each in group if isinstance(each, str)]
    requires: dict[str, str] = {}
    for each in required:
        if found := _REQUIREMENT.match(each):
            requires.setdefault(normalise_name(found[1]), found[2].strip())
    for name, version in poetry.get("dependencies", {}).items():
        requires.setdefault(normalise_name(name), version_in(version))
    return (
        str(project.get("name") or poetry.get("name") or ""),
        str(project.get("version") or poetry.get("version") or ""),
        requires,
    )


def parse_setup_cfg(text: str) -> Manifest:
    read = configparser.ConfigParser(interpolation=None, strict=False)
    read.read_string(text)
    named = read["metadata"] if read.has_section("metadata") else {}
    version = named.get("version", "")
    listed = read.get("options", "install_requires", fallback="")
    for _, extra in read.items("options.extras_require") if read.has_section("options.extras_require") else ():
        listed += f"\n{extra}"
    _, _, requires = parse_requirements(listed)
    return named.get("name", ""), "" if ":" in version else version, requires


def parse_setup_py(text: str) -> Manifest:
    """Arguments of the call of `setup` that are literals, or names of literals."""
    before, _, call = text.partition("setup(")
    fields: dict[str, str] = {}
    for key in ("name", "version"):
        found = re.search(rf"\b{key}\s*=\s*(?:[\"']([^\"'\n]*)[\"']|(\w+))", call)
        if found and found[2]:
            found = re.search(rf"^{found[2]}\s*=\s*[\"']([^\"'\n]*)[\"']", before, re.MULTILINE)
        fields[key] = found[1] if found else ""
    listed = re.search(r"\binstall_requires\s*=\s*\[([^\]]*)\]", call)
    quoted = re.findall(r"[\"']([^\"'\n]+)[\"']", listed[1]) if listed else []
    _, _, requires = parse_requirements("\n".join(quoted))
    return fields["name"], fields["version"], requires


def parse_requirements(text: str) -> tuple[str, str, dict[str, str]]:
    """One on a line, with what pip reads besides: options, other files, hashes, comments."""
    requires: dict[str, str] = {}
    for line in text.splitlines():
        line = line.partition(" --")[0].strip().rstrip("\\")
        found = None if line.startswith("-") or "://" in line.partition("@")[0] else _REQUIREMENT.match(line)
        if found:
            version = found[2].strip()
            requires.setdefault(normalise_name(found[1]), "" if version.startswith("@") else version)
    return "", "", requires


def parse_package_json(text: str) -> Manifest:
    whole = orjson.loads(text)
    requires: dict[str, str] = {}
    for kind in ("dependencies", "peerDependencies", "devDependencies", "optionalDependencies"):
        for name, version in (whole.get(kind) or {}).items():
            requires.setdefault(name, version if isinstance(version, str) else "")
    return str(whole.get("name") or ""), str(whole.get("version") or ""), requires


def parse_module_file(text: str) -> Manifest:
    named = re.search(r"^module\s+\"?([^\s\"]+)", text, re.MULTILINE)
    lines = re.findall(r"^\s*(?:require\s+)?([\w.-]+\.[\w-]+(?:/[^\s]+)*)\s+(v[^\s/]+)", text, re.MULTILINE)
    return (named[1], "", dict(lines)) if named else None


def parse_cargo(text: str) -> Manifest:
    whole = tomllib.loads(text)
    package = whole.get("package", {})
    requires: dict[str, str] = {}
    for kind in ("dependencies", "dev-dependencies", "build-dependencies"):
        for name, requirement in whole.get(kind, {}).items():
            real = requirement.get("package", name) if isinstance(requirement, dict) else name
            requires.setdefault(real, version_in(requirement))
    version = package.get("version", "")
    return str(package.get("name", "")), version if isinstance(version, str) else "", requires


def version_in(requirement: Any) -> str:
    """A version as these manifests write it: a string, or the key of a table."""
    version = requirement.get("version", "") if isinstance(requirement, dict) else requirement
    return version if isinstance(version, str) else ""


def parse_pom(text: str) -> Manifest:
    """From its own elements only: those of the parent and of dependencies are nested deeper."""
    requires = {}
    for group, name, version in re.findall(
        r"<dependency>\s*<groupId>([^<]*)</groupId>\s*<artifactId>([^<]*)</artifactId>(?:\s*<version>([^<]*)</version>)?",
        text,
    ):
        requires[f"{group.strip()}:{name.strip()}"] = version.strip()
    own = re.sub(
        r"<(parent|dependencies|dependencyManagement|build|profiles|plugins)>.*?</\1>", "", text, flags=re.DOTALL
    )
    group_of = re.search(r"<groupId>([^<]*)", own) or re.search(r"<groupId>([^<]*)", text)
    name_of, version_of = re.search(r"<artifactId>([^<]*)", own), re.search(r"<version>([^<]*)", own)
    if name_of is None:
        return None
    group = f"{group_of[1].strip()}:" if group_of else ""
    return f"{group}{name_of[1].strip()}", version_of[1].strip() if version_of else "", requires


def parse_gradle(text: str) -> Manifest:
    """Its folder names it, so only its requirements are read."""
    found = re.findall(r"[\"']([\w.-]+:[\w.-]+):?([\w.+-]*)[\"']", text)
    group = re.search(r"^\s*group\s*=?\s*[\"']([^\"']+)", text, re.MULTILINE)
    version = re.search(r"^\s*version\s*=?\s*[\"']([^\"']+)", text, re.MULTILINE)
    return (group[1] if group else "", version[1] if version else "", dict(found))


READERS: dict[str, Callable[[str], Manifest]] = {
    "pyproject.toml": parse_pyproject,
    "setup.cfg": parse_setup_cfg,
    "setup.py": parse_setup_py,
    "package.json": parse_package_json,
    "go.mod": parse_module_file,
    "Cargo.toml": parse_cargo,
    "pom.xml": parse_pom,
    "build.gradle": parse_gradle,
    "build.gradle.kts": parse_gradle,
}


# Whether a version is one of those that are required


def satisfies(package: Package, required: str) -> bool | None:
    """A go.mod states no version but the major one, at the end of its module's path, which is that of `v0` and `v1` if
    nothing stands there."""
    if not package.manifest.endswith("go.mod"):
        return agrees(package.version, required)
    major = re.match(r"v(\d+)", required)
    if major is None:
        return None
    own = re.search(r"[/.]v(\d+)$", package.name)
    return major[1] == own[1] if own else major[1] in "01" or required.endswith("+incompatible")


def agrees(version: str, required: str) -> bool | None:
    """None if that cannot be decided: one of them is missing, or is not a plain version."""
    if not required.strip(" *") or required.startswith(("workspace:", "file:", "link:")):
        return True
    if "||" in required:
        alternatives = [agrees(version, each) for each in required.split("||")]
        return True if True in alternatives else None if None in alternatives else False
    own = numbers(version)
    if own is None:
        return None
    parts = [each for each in re.split(r"\s*,\s*|\s+(?=[<>=~^])", required.strip()) if each]
    answers = [agrees_with(own, each) for each in parts]
    return False if False in answers else None if None in answers else True


def agrees_with(own: tuple[int, ...], required: str) -> bool | None:
    found = re.fullmatch(r"(===?|~=|!=|<=|>=|<|>|\^|~|=)?\s*v?(\d+(?:\.\d+)*)(\.[*xX])?[\w.+-]*", required)
    if found is None:
        return None
    operator, wanted = found[1] or "=", numbers(found[2]) or ()
    width = max(len(own), len(wanted))
    padded_own, padded_wanted = own + (0,) * (width - len(own)), wanted + (0,) * (width - len(wanted))
    if operator == "^" or (operator == "~" and len(wanted) == 1):
        fixed = next((at for at, number in enumerate(wanted) if number), len(wanted) - 1) + 1
        return padded_own >= padded_wanted and padded_own[:fixed] == padded_wanted[:fixed]
    if operator in ("~=", "~"):
        fixed = len(wanted) - 1 if operator == "~=" or len(wanted) > 2 else len(wanted)
        return padded_own >= padded_wanted and padded_own[:fixed] == padded_wanted[:fixed]
    if found[3]:
        is_same = padded_own[: len(wanted)] == wanted
        return not is_same if operator == "!=" else is_same
    compared = {
        "<": padded_own < padded_wanted,
        "<=": padded_own <= padded_wanted,
        ">": padded_own > padded_wanted,
        ">=": padded_own >= padded_wanted,
        "!=": padded_own != padded_wanted,
    }
    return compared.get(operator, padded_own == padded_wanted)


def numbers(version: str) -> tuple[int, ...] | None:
    """The release that a version is of, or leads to: `8.5.0.dev` counts as 8.5.0."""
    found = re.match(r"v?(\d{1,9}(?:\.\d{1,9}){0,5})", version.strip())
    return tuple(map(int, found[1].split("."))) if found else None
