"""The rules of gateways that are programs: YARP and Ocelot of .NET, Spring Cloud Gateway.

In: configuration in JSON and YAML (`Source`). Out: rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from rpg.encoder.frameworks.http.gateways.rules import EXACT, PREFIX, Rule, rule_row, split_url
from rpg.encoder.frameworks.rows import Setting
from rpg.encoder.frameworks.settings.yaml_lines import Entry, entries
from rpg.encoder.frameworks.source import Source

YARP: Final = "YARP"
OCELOT: Final = "Ocelot"
SPRING: Final = "Spring Cloud Gateway"
_REST: Final = re.compile(r"/?\{\*?\*?[\w-]*\}$")
"""What takes the rest of a path."""
_COMMENT: Final = re.compile(r"^[ \t]*//[^\n]*", re.MULTILINE)
_STRIPPED: Final = re.compile(r"^StripPrefix=(\d)$")
_REWRITTEN: Final = re.compile(r"^RewritePath=\s*(\S+?)\s*,\s*(\S+)$")
_PREFIXED: Final = re.compile(r"^PrefixPath=(\S+)$")


def rules_of_json(source: Source) -> Iterator[Setting]:
    text = source.text
    if not ("ReverseProxy" in text or "DownstreamPathTemplate" in text):
        return
    try:
        data = json.loads(_COMMENT.sub("", text.lstrip("\ufeff").removeprefix("ï»¿")))
    except ValueError:
        return
    proxy = _map(data, "ReverseProxy")
    for name, route in _map(proxy, "Routes").items():
        yield from _of_yarp(source, name, route, _map(proxy, "Clusters"))
    listed = data.get("Routes", data.get("ReRoutes", ())) if isinstance(data, dict) else ()
    for route in listed if isinstance(listed, list) else ():
        yield from _of_ocelot(source, route)


def _map(data: Any, key: str) -> dict[str, Any]:
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _of_yarp(source: Source, name: str, route: Any, clusters: dict[str, Any]) -> Iterator[Setting]:
    path = _map(route, "Match").get("Path")
    cluster = route.get("ClusterId") if isinstance(route, dict) else None
    if not isinstance(path, str) or not isinstance(cluster, str):
        return
    of_cluster = _map(_map(clusters, cluster), "Destinations").values()
    addresses = [each["Address"] for each in of_cluster if isinstance(each, dict) and "Address" in each]
    hosts = {parted for each in addresses if isinstance(each, str) and (parted := split_url(each)) is not None}
    host, above = hosts.pop() if len(hosts) == 1 else ("", None)
    kind, begins = _form(path)
    target: str | None = None
    rewrites: list[tuple[str, str]] = []
    transforms = route.get("Transforms")
    for each in transforms if isinstance(transforms, list) else ():
        one, removed, put = (each.get(key) if isinstance(each, dict) else None for key in
                             ("PathPattern", "PathRemovePrefix", "PathPrefix"))  # fmt: skip
        if isinstance(one, str):
            target = _form(one)[1] or "/"
        if isinstance(removed, str):
            rewrites.append((f"^{re.escape(removed)}", ""))
        if isinstance(put, str):
            rewrites.append(("^", put))
    if above and above != "/" and target is None and not rewrites:
        rewrites.append(("^", above.rstrip("/")))
    rule = Rule(kind, begins, tuple(rewrites), host, target)
    yield rule_row(source, rule, _line(source, f'"{name}"'), YARP)


def _form(path: str) -> tuple[str, str]:
    """Of a template of a path: whether it takes what begins so, and what that is."""
    path = path if path.startswith("/") else f"/{path}"
    rest = _REST.search(path)
    if rest is not None:
        begins = path[: rest.start()]
        return PREFIX, f"{begins}/"
    return (PREFIX if "{" in path else EXACT), path.partition("{")[0]


def _of_ocelot(source: Source, route: Any) -> Iterator[Setting]:
    if not isinstance(route, dict):
        return
    above, below = route.get("UpstreamPathTemplate"), route.get("DownstreamPathTemplate")
    if not isinstance(above, str) or not isinstance(below, str):
        return
    listed = route.get("DownstreamHostAndPorts")
    hosts = {each.get("Host") for each in listed if isinstance(each, dict)} if isinstance(listed, list) else set()
    named = route.get("ServiceName")
    host = hosts.pop() if len(hosts) == 1 else named if isinstance(named, str) else ""
    kind, begins = _form(above)
    rule = Rule(kind, begins, (), host if isinstance(host, str) else "", _form(below)[1])
    yield rule_row(source, rule, _line(source, f'"{above}"'), OCELOT)


def _line(source: Source, word: str) -> int:
    at = source.text.find(word)
    return source.text.count("\n", 0, at) + 1 if at >= 0 else 1


def rules_of_yaml(source: Source) -> Iterator[Setting]:
    """`spring.cloud.gateway.routes`, each with its `uri`, its `Path` and its filters."""
    if "Path=" not in source.text or "gateway" not in source.text:
        return
    routes: dict[tuple[str, ...], list[Entry]] = {}
    for each in entries(source.text):
        around = each.around
        at = next((at for at, word in enumerate(around) if word == "routes" and "gateway" in around[:at]), -1)
        if at >= 0 and len(around) > at + 1:
            routes.setdefault(around[: at + 2], []).append(each)
    for found in routes.values():
        url = next((each.value for each in found if each.key == "uri"), "")
        parted = split_url(url) or ("", None)
        words = [each for each in found if not each.key]
        rewrites: list[tuple[str, str]] = []
        for each in words:
            if (stripped := _STRIPPED.match(each.value)) is not None:
                rewrites.append(("^" + "/[^/]*" * int(stripped[1]), ""))
            elif (written := _REWRITTEN.match(each.value)) is not None:
                rewrites.append((f"^{written[1].removeprefix('^')}", written[2]))
            elif (put := _PREFIXED.match(each.value)) is not None:
                rewrites.append(("^", put[1]))
        for each in words:
            for path in each.value.removeprefix("Path=").split(",") if each.value.startswith("Path=") else ():
                kind, begins = _form(re.sub(r"/?\*\*$", "/{**}", path.strip()))
                yield rule_row(source, Rule(kind, begins, tuple(rewrites), parted[0], None), each.line, SPRING)
