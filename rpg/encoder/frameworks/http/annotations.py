"""Tables of frameworks that state routes, or requests, in annotations of classes and methods.

In: nothing. Out: tables. To add a framework of that style, add a row.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from rpg.encoder.frameworks.rows import ANY


class Annotated(NamedTuple):
    """`verbs`: annotation of a method -> its HTTP methods, or empty if an argument says."""

    name: str
    packages: tuple[str, ...]
    paths: frozenset[str]
    """Annotations of a class or method that give only a path."""
    verbs: dict[str, str]
    classes: frozenset[str] = frozenset()
    """The class must have one of these; empty: it need not."""
    not_on: frozenset[str] = frozenset()
    """Classes with one of these are clients: they serve nothing."""
    keywords: tuple[str, ...] = ("value", "path")
    methods: str = "method"
    is_client: bool = False
    """Whether it sends what it states."""
    base: tuple[str, ...] = ()
    """Keywords of the host that a client sends to."""
    languages: frozenset[str] = frozenset({"java", "kotlin", "scala", "groovy"})
    in_comments: bool = False
    """Whether annotations may stand in the comment in front."""
    on_functions: bool = False
    """Whether functions outside classes are annotated, which are mounted by their name."""
    serving: frozenset[str] = frozenset()
    """A class with one of these serves by what its interfaces state; empty: none does."""


SPRING: Final = {f"{word.capitalize()}Mapping": word for word in "GET POST PUT PATCH DELETE".split()} | {
    "RequestMapping": ""
}
_VERBS: Final = "GET POST PUT PATCH DELETE HEAD OPTIONS".split()
_SCRIPT: Final = frozenset({"javascript", "typescript", "tsx"})
_CSHARP: Final = frozenset({"csharp"})
_RUST: Final = frozenset({"rust"})
_PHP: Final = frozenset({"php"})

SERVED: Final = (
    Annotated(
        "Spring",
        ("org.springframework",),
        frozenset({"RequestMapping"}),
        SPRING,
        not_on=frozenset({"FeignClient", "HttpExchange"}),
        serving=frozenset({"RestController", "Controller"}),
    ),
    Annotated(
        "JAX-RS",
        ("jakarta.ws.rs", "javax.ws.rs"),
        frozenset({"Path"}),
        {word: word for word in _VERBS},
        not_on=frozenset({"RegisterRestClient"}),
        keywords=("value",),
        serving=frozenset({"Path", "ApplicationScoped", "RequestScoped", "Singleton", "Stateless", "Component"}),
    ),
    Annotated(
        "Micronaut",
        ("io.micronaut.http",),
        frozenset({"Controller"}),
        {word.capitalize(): word for word in _VERBS},
        frozenset({"Controller"}),
        keywords=("value", "uri"),
        serving=frozenset({"Controller"}),
    ),
    Annotated(
        "NestJS",
        ("@nestjs/common",),
        frozenset({"Controller"}),
        {word.capitalize(): word for word in _VERBS} | {"All": ANY},
        frozenset({"Controller"}),
        keywords=("path",),
        languages=_SCRIPT,
    ),
    Annotated(
        "ASP.NET",
        ("Microsoft.AspNetCore", "System.Web.Http"),
        frozenset({"Route", "RoutePrefix"}),
        {f"Http{word.capitalize()}": word for word in _VERBS},
        frozenset({"ApiController", "Route", "RoutePrefix", "Controller"}),
        keywords=("template",),
        languages=_CSHARP,
    ),
)
MORE_SERVED: Final = (
    Annotated(
        "Actix",
        ("actix_web",),
        frozenset(),
        {word.lower(): word for word in _VERBS},
        keywords=(),
        languages=_RUST,
        on_functions=True,
    ),
    Annotated(
        "Rocket",
        ("rocket",),
        frozenset(),
        {word.lower(): word for word in _VERBS},
        keywords=(),
        languages=_RUST,
        on_functions=True,
    ),
    Annotated(
        "Symfony",
        ("Symfony.Component.Routing", "Symfony\\Component\\Routing", "Sensio"),
        frozenset({"Route"}),
        {"Route": ""},
        keywords=("path",),
        methods="methods",
        languages=_PHP,
        in_comments=True,
    ),
)
"""Routes that the inventory did not read before."""
SENT: Final = (
    Annotated(
        "Feign",
        ("org.springframework.cloud.openfeign",),
        frozenset({"RequestMapping"}),
        SPRING,
        frozenset({"FeignClient"}),
        is_client=True,
        base=("url", "path", "name"),
        serving=frozenset({"FeignClient"}),
    ),
    Annotated(
        "Spring HTTP interface",
        ("org.springframework.web.service",),
        frozenset({"HttpExchange"}),
        {f"{word.capitalize()}Exchange": word for word in _VERBS},
        keywords=("value", "url"),
        is_client=True,
    ),
    Annotated(
        "Retrofit", ("retrofit2",), frozenset(), {word: word for word in _VERBS}, keywords=("value",), is_client=True
    ),
    Annotated(
        "Refit",
        ("Refit",),
        frozenset(),
        {word.capitalize(): word for word in _VERBS},
        keywords=(),
        is_client=True,
        languages=_CSHARP,
    ),
    Annotated(
        "Micronaut client",
        ("io.micronaut.http",),
        frozenset({"Client"}),
        {word.capitalize(): word for word in _VERBS},
        frozenset({"Client"}),
        keywords=("value", "uri"),
        is_client=True,
        base=("", "value", "id", "path"),
        serving=frozenset({"Client"}),
    ),
    Annotated(
        "JAX-RS client",
        ("jakarta.ws.rs", "javax.ws.rs"),
        frozenset({"Path"}),
        {word: word for word in _VERBS},
        frozenset({"RegisterRestClient"}),
        keywords=("value",),
        is_client=True,
        serving=frozenset({"RegisterRestClient"}),
    ),
)
ANNOTATED: Final = (*SERVED, *MORE_SERVED, *SENT)
ANNOTATION_WORDS: Final = frozenset(word for each in ANNOTATED for word in each.verbs)
