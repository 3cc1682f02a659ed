"""Libraries that send requests: what makes a client, and what its methods send.

In: nothing. Out: tables. To add a library, add a row. Names are as `Source.names` gives them: `requests.Session()` is
an instance of what the module `requests` has by that name.
"""

from __future__ import annotations

from typing import Final, NamedTuple

UNKNOWN: Final = ""
"""The method of a request where the call does not say it."""


class Sending(NamedTuple):
    """What a function does with its arguments; positions count from 0."""

    method: str = UNKNOWN
    url: int = 0
    url_keywords: tuple[str, ...] = ("url", "path", "uri")
    method_at: int | None = None
    method_in: str = "method"
    """The keyword of the method, also in an object of options."""
    otherwise: str = ""
    """The method if no argument says one."""


class Library(NamedTuple):
    name: str
    languages: frozenset[str]
    holders: tuple[str, ...]
    """What has the members, by name or by the end of its name behind a dot."""
    members: dict[str, Sending]
    callables: dict[str, Sending] = {}  # noqa: RUF012
    """What is called itself, by its whole name: `fetch`, `axios`."""
    base: tuple[str, ...] = ()
    """Keywords of the address that requests of a made client are relative to; `0` is the first argument."""
    is_relative: bool = False
    """Whether a path alone is sent to where the page came from, or to the program under test."""
    in_tests: bool = False
    """Whether it sends to the program under test."""
    spelled: frozenset[str] = frozenset()
    """Names of receivers that are taken for a client where nothing says what they are."""
    packages: tuple[str, ...] = ()
    """What a file imports where names alone say that; empty: anything."""

    is_spelled_so: bool = False
    """Whether a receiver whose name ends in `Client` is taken for one, as only its methods have such names."""
    is_spelled_alone: bool = False
    """Whether nothing else is spelled like that."""

    @property
    def knows_host(self) -> bool:
        return self.in_tests or self.is_relative


def _verbs(words: str, sending: Sending, ending: str = "") -> dict[str, Sending]:
    return {word + ending: sending._replace(method=word.upper()) for word in words.split()}


_PYTHON = frozenset({"python"})
_SCRIPT = frozenset({"javascript", "typescript", "tsx", "vue", "svelte", "astro"})
_JVM = frozenset({"java", "kotlin", "scala", "groovy"})
_PLAIN = "get post put patch delete head options"
_REQUEST = Sending(method_at=0, url=1)

_OF_PYTHON = {**_verbs(_PLAIN, Sending()), "request": _REQUEST, "stream": _REQUEST, "ws_connect": Sending("WEBSOCKET")}
_OF_AXIOS = {**_verbs(_PLAIN, Sending()), "request": Sending(otherwise="GET", url_keywords=("url",))}
_FETCHED = Sending(otherwise="GET")

LIBRARIES: Final = (
    Library(
        "requests",
        _PYTHON,
        ("requests", "requests.Session()", "requests.session()", "requests_html.HTMLSession()"),
        _OF_PYTHON,
    ),
    Library(
        "httpx",
        _PYTHON,
        ("httpx", "httpx.Client()", "httpx.AsyncClient()", "AsyncClient()"),
        _OF_PYTHON,
        base=("base_url",),
    ),
    Library("aiohttp", _PYTHON, ("aiohttp.ClientSession()", "ClientSession()"), _OF_PYTHON, base=("base_url", "0")),
    Library("urllib3", _PYTHON, ("urllib3.PoolManager()",), {"request": _REQUEST}),
    Library(
        "urllib",
        _PYTHON,
        ("urllib.request", "request"),
        {"urlopen": _FETCHED, "Request": _FETCHED},
        {"urllib.request.urlopen": _FETCHED},
    ),
    Library(
        "test client",
        _PYTHON,
        (
            "test_client()",
            "TestClient()",
            "APIClient()",
            "django.test.Client()",
            "Client()",
            "test_cli_runner()",
            "AsyncClient()",
        ),
        _OF_PYTHON,
        in_tests=True,
        spelled=frozenset(
            {
                "client",
                "api_client",
                "test_client",
                "async_client",
                "ac",
                "auth_client",
                "authenticated_client",
                "admin_client",
                "c",
            }
        ),
    ),
    Library(
        "fetch",
        _SCRIPT,
        ("window", "globalThis", "self"),
        {"fetch": _FETCHED},
        {
            "fetch": _FETCHED,
            "$fetch": _FETCHED,
            "useFetch": _FETCHED,
            "node-fetch": _FETCHED,
            "isomorphic-fetch": _FETCHED,
            "cross-fetch": _FETCHED,
            "ofetch": _FETCHED,
            "ofetch.ofetch": _FETCHED,
            "undici.fetch": _FETCHED,
            "node-fetch.fetch": _FETCHED,
            "cross-fetch.fetch": _FETCHED,
            "useLazyFetch": _FETCHED,
            "apiFetch": _FETCHED,
            "authFetch": _FETCHED,
            "fetchJson": _FETCHED,
            "undici.request": _FETCHED,
        },
        is_relative=True,
    ),
    Library(
        "REST Assured",
        _JVM,
        ("when()", "given()", "RestAssured", "io.restassured.RestAssured", "RequestSpecification()"),
        _verbs(_PLAIN, Sending()),
        in_tests=True,
    ),
    Library(
        "WebSocket",
        _SCRIPT,
        (),
        {},
        {"WebSocket": Sending("WEBSOCKET"), "ReconnectingWebSocket": Sending("WEBSOCKET")},
        is_relative=True,
    ),
    Library("EventSource", _SCRIPT, (), {}, {"EventSource": Sending("GET")}, is_relative=True),
    Library(
        "axios",
        _SCRIPT,
        ("axios", "axios.create()", "axios.Axios()", "AxiosInstance()", "axios.AxiosInstance()"),
        _OF_AXIOS,
        {"axios": _FETCHED, "axios.create()": _FETCHED},
        base=("baseURL",),
        spelled=frozenset({"axios", "$axios", "api", "http", "apiClient", "axiosInstance", "httpClient"}),
        is_relative=True,
    ),
    Library(
        "ky",
        _SCRIPT,
        ("ky", "ky.create()", "ky.extend()", "ky.default"),
        _verbs(_PLAIN, Sending()),
        {"ky": _FETCHED},
        base=("prefixUrl",),
        is_relative=True,
    ),
    Library(
        "got",
        _SCRIPT,
        ("got", "got.extend()", "got.default"),
        _verbs(_PLAIN, Sending()),
        {"got": _FETCHED},
        base=("prefixUrl",),
    ),
    Library(
        "superagent",
        _SCRIPT,
        ("superagent", "superagent.agent()"),
        {**_verbs(_PLAIN, Sending()), "del": Sending("DELETE")},
        is_relative=True,
    ),
    Library(
        "supertest",
        _SCRIPT,
        (
            "supertest()",
            "supertest.agent()",
            "request()",
            "chai.request()",
            "supertest.default()",
            "supertest.request()",
        ),
        {**_verbs(_PLAIN, Sending()), "del": Sending("DELETE")},
        in_tests=True,
        spelled=frozenset({"request", "agent", "server"}),
    ),
    Library(
        "inject",
        _SCRIPT,
        (),
        {"inject": Sending(otherwise="GET", url_keywords=("url", "path"))},
        in_tests=True,
        spelled=frozenset({"app", "server", "fastify"}),
    ),
    Library(
        "Playwright", _SCRIPT, ("APIRequestContext()",), {**_verbs(_PLAIN, Sending()), "fetch": _FETCHED}, in_tests=True
    ),
    Library(
        "Cypress",
        _SCRIPT,
        ("cy",),
        {
            "request": Sending(method_at=0, url=1, otherwise="GET"),
            "intercept": Sending(method_at=0, url=1),
            "visit": Sending("GET"),
        },
        in_tests=True,
    ),
    Library(
        "Angular",
        _SCRIPT,
        ("HttpClient()", "@angular/common/http.HttpClient()"),
        {**_verbs(_PLAIN, Sending()), "request": _REQUEST},
        spelled=frozenset({"http", "httpClient", "_http"}),
        is_relative=True,
    ),
    Library(
        "jQuery",
        _SCRIPT,
        ("$", "jQuery", "jquery"),
        {
            "get": Sending("GET"),
            "post": Sending("POST"),
            "getJSON": Sending("GET"),
            "ajax": Sending(otherwise="GET", url_keywords=("url",), method_in="type"),
        },
        is_relative=True,
    ),
    Library(
        "SWR",
        _SCRIPT,
        (),
        {},
        {"swr": Sending("GET"), "useSWR": Sending("GET"), "swr.useSWR": Sending("GET")},
        is_relative=True,
    ),
    Library("XMLHttpRequest", _SCRIPT, ("XMLHttpRequest()",), {"open": _REQUEST}, is_relative=True),
    Library(
        "net/http",
        frozenset({"go"}),
        ("net/http", "net/http.Client()", "http.Client()", "net/http.DefaultClient", "Client()"),
        {
            "Get": Sending("GET"),
            "Post": Sending("POST"),
            "PostForm": Sending("POST"),
            "Head": Sending("HEAD"),
            "NewRequest": _REQUEST,
            "NewRequestWithContext": Sending(method_at=1, url=2),
        },
    ),
    Library(
        "httptest",
        frozenset({"go"}),
        ("net/http/httptest",),
        {"NewRequest": _REQUEST, "NewRequestWithContext": Sending(method_at=1, url=2)},
        in_tests=True,
    ),
    Library(
        "resty", frozenset({"go"}), ("R()",), {word.capitalize(): Sending(word.upper()) for word in _PLAIN.split()}
    ),
    Library(
        "RestTemplate",
        _JVM,
        ("RestTemplate()", "TestRestTemplate()", "RestOperations()"),
        {
            "getForObject": Sending("GET"),
            "getForEntity": Sending("GET"),
            "postForObject": Sending("POST"),
            "postForEntity": Sending("POST"),
            "postForLocation": Sending("POST"),
            "patchForObject": Sending("PATCH"),
            "put": Sending("PUT"),
            "delete": Sending("DELETE"),
            "exchange": Sending(method_at=1),
        },
        spelled=frozenset({"restTemplate", "testRestTemplate", "rest"}),
    ),
    Library(
        "Locust",
        _PYTHON,
        ("HttpSession()",),
        _OF_PYTHON,
        spelled=frozenset({"client"}),
        packages=("locust",),
        is_relative=True,
    ),
    Library(
        "request",
        _SCRIPT,
        ("request",),
        {**_verbs(_PLAIN, Sending())},
        {"request": _FETCHED, "request-promise": _FETCHED},
    ),
    Library(
        "AngularJS",
        _SCRIPT,
        (),
        _OF_AXIOS,
        {"$http": _FETCHED},
        spelled=frozenset({"$http"}),
        is_relative=True,
        is_spelled_alone=True,
    ),
    Library("curl", frozenset({"php"}), (), {}, {"curl_init": Sending("GET")}),
    Library(
        "Apache HttpClient",
        _JVM,
        (),
        {},
        {f"Http{word.capitalize()}": Sending(word.upper()) for word in _PLAIN.split()},
    ),
    Library(
        "MockMvc",
        _JVM,
        ("MockMvcRequestBuilders",),
        _verbs("get post put patch delete", Sending()),
        _verbs("get post put patch delete", Sending()),
        packages=("org.springframework.test.web.servlet",),
        in_tests=True,
    ),
    Library(
        "WebClient", _JVM, ("get()", "post()", "put()", "patch()", "delete()", "head()", "method()"), {"uri": Sending()}
    ),
    Library(
        "Ktor",
        frozenset({"kotlin"}),
        ("HttpClient()", "io.ktor.client.HttpClient()"),
        _verbs(_PLAIN, Sending()),
        spelled=frozenset({"client", "httpClient"}),
    ),
    Library("OkHttp", _JVM, ("Builder()",), {"url": Sending()}),
    Library("java.net.http", _JVM, ("HttpRequest",), {"newBuilder": Sending()}),
    Library(
        "HttpClient",
        frozenset({"csharp"}),
        ("HttpClient()", "CreateClient()"),
        {
            f"{word}{ending}": Sending(word.upper())
            for word in "Get Post Put Patch Delete".split()
            for ending in ("Async", "FromJsonAsync", "AsJsonAsync", "StringAsync", "StreamAsync", "ByteArrayAsync")
        },
        is_spelled_so=True,
        base=("BaseAddress",),
        spelled=frozenset({"client", "_client", "httpClient", "_httpClient", "Client", "http", "_http", "Http"}),
    ),
    Library("HttpRequestMessage", frozenset({"csharp"}), (), {}, {"HttpRequestMessage": _REQUEST}),
    Library(
        "reqwest",
        frozenset({"rust"}),
        ("reqwest", "reqwest.Client.new()", "Client()", "Client.new()", "reqwest.Client()", "reqwest.blocking"),
        {**_verbs(_PLAIN, Sending()), "request": _REQUEST},
        spelled=frozenset({"client", "http", "http_client"}),
    ),
    Library(
        "test request",
        frozenset({"rust"}),
        ("TestRequest", "Request"),
        {**_verbs(_PLAIN, Sending()), "uri": Sending()},
        in_tests=True,
    ),
    Library(
        "Guzzle",
        frozenset({"php"}),
        ("GuzzleHttp.Client()", "Client()", "GuzzleHttp\\Client()"),
        {**_verbs(_PLAIN, Sending()), "request": _REQUEST, "requestAsync": _REQUEST},
        base=("base_uri",),
        spelled=frozenset({"client", "http", "httpClient"}),
    ),
    Library(
        "Laravel Http",
        frozenset({"php"}),
        ("Http", "Illuminate.Support.Facades.Http", "Illuminate\\Support\\Facades.Http"),
        _verbs(_PLAIN, Sending()),
    ),
    Library(
        "Laravel tests",
        frozenset({"php"}),
        ("this",),
        {
            **_verbs("get post put patch delete", Sending()),
            **_verbs("get post put patch delete", Sending(), "Json"),
            "json": _REQUEST,
            "call": _REQUEST,
        },
        in_tests=True,
        spelled=frozenset({"this"}),
    ),
    Library(
        "Faraday",
        frozenset({"ruby"}),
        ("Faraday", "Faraday()", "Faraday.new()", "HTTParty", "RestClient", "HTTP", "Excon", "Typhoeus"),
        {**_verbs(_PLAIN, Sending()), "run_request": _REQUEST},
        base=("url", "0"),
        spelled=frozenset({"conn", "connection", "client"}),
    ),
    Library(
        "Rails tests", frozenset({"ruby"}), (), {}, _verbs("get post put patch delete head", Sending()), in_tests=True
    ),
    Library(
        "Req",
        frozenset({"elixir"}),
        ("Req", "HTTPoison", "Tesla", "Finch"),
        {**_verbs(_PLAIN, Sending()), **_verbs(_PLAIN, Sending(), "!")},
    ),
    Library(
        "http",
        frozenset({"dart"}),
        ("http", "Dio()", "Client()"),
        _verbs(_PLAIN, Sending()),
        spelled=frozenset({"dio", "http", "client", "_dio", "_client"}),
    ),
    Library("URLSession", frozenset({"swift"}), ("AF",), {"request": Sending(otherwise="GET")}),
)

SENDING: Final = {
    language: frozenset(words.split())
    for languages, words in (
        (
            "javascript typescript tsx vue svelte astro",
            "axios $axios fetch $fetch useFetch apiFetch ky got superagent useSWR HttpClient httpClient apiClient $http"
            " axiosInstance EventSource node-fetch ofetch",
        ),
        ("python", "requests httpx aiohttp urlopen"),
        ("go", "NewRequest NewRequestWithContext resty PostForm"),
        (
            "java kotlin scala groovy",
            "RestTemplate restTemplate WebClient FeignClient HttpRequest RestClient retrofit2",
        ),
        ("rust", "reqwest"),
        ("csharp", "HttpClient httpClient _httpClient IHttpClientFactory"),
        ("ruby", "Faraday HTTParty RestClient"),
        ("php", "GuzzleHttp Guzzle curl_init"),
    )
    for language in languages.split()
}
"""Words of files that send, for repositories that serve nothing: another one may serve it."""
CLIENT_WORDS: Final = frozenset(
    word
    for library in LIBRARIES
    for word in [*library.members, *(name.rpartition(".")[2] for name in library.callables)]
)
BY_LANGUAGE: Final[dict[str, tuple[Library, ...]]] = {
    language: tuple(library for library in LIBRARIES if language in library.languages)
    for language in sorted(frozenset().union(*(library.languages for library in LIBRARIES)))
}
VERBS: Final = frozenset("GET POST PUT PATCH DELETE HEAD OPTIONS".split())
