"""Classifies bytes: text or not, written by a person or by a tool; and normalises text for everyone after.

In: a file's bytes and its path. Out: UTF-8 without a byte order mark, or the reason to skip. Absent on purpose: reading
anything, and any notion of a language beyond the suffixes that bundlers write.
"""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from rpg.encoder.source_files.own_files import MADE, is_own

BINARY = "binary"
MINIFIED = "minified"
BUNDLE = "generated bundle"
EXPORT = "export of a graph"
_EXPORTS = (b'<?xml version="1.0" encoding="UTF-8"?>\n<!-- rpg export -->', b'{\n  "repo_name":')
"""What files begin with that `rpg export` writes as text."""
_PAGE = b"<!doctype html>\n<!-- rpg page -->\n"
"""What a page begins with that `rpg view` and `rpg review` write."""

BUNDLED_SUFFIXES = (".js", ".mjs", ".cjs", ".css")
BINARY_SUFFIXES = frozenset({
    ".7z", ".a", ".aar", ".avi", ".avif", ".bin", ".bmp", ".bz2", ".class", ".db", ".dll", ".dmg", ".doc", ".docx",
    ".dylib", ".ear", ".eot", ".exe", ".flac", ".gif", ".gz", ".ico", ".icns", ".jar", ".jpeg", ".jpg", ".lib",
    ".lz4", ".m4a", ".mdb", ".mkv", ".mo", ".mov", ".mp3", ".mp4", ".mpeg", ".node", ".npy", ".npz", ".o", ".obj",
    ".ogg", ".onnx", ".otf", ".parquet", ".pdf", ".pickle", ".pkl", ".png", ".ppt", ".pptx", ".psd", ".pyc", ".pyd",
    ".pyo", ".rar", ".so", ".sqlite", ".sqlite3", ".tar", ".tgz", ".tif", ".tiff", ".ttf", ".wasm", ".wav", ".webm",
    ".webp", ".whl", ".woff", ".woff2", ".xls", ".xlsx", ".xz", ".zip", ".zst",
})  # fmt: skip
"""Known without reading; other files are judged by their bytes."""
NAMED_SUFFIXES = frozenset({
    ".avif", ".bmp", ".eot", ".gif", ".ico", ".jpeg", ".jpg", ".m4a", ".mov", ".mp3", ".mp4", ".ogg", ".otf",
    ".png", ".ttf", ".wasm", ".wav", ".webm", ".webp", ".woff", ".woff2",
})  # fmt: skip
"""Of these, what pages show and code names by its path: such a file is known by its name alone, and never read."""

_HEAD = 8192
_LONG_LINE = 500
_BUNDLE_BYTES = 64 << 10
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_FAMILIES = re.compile(r"(iso8859|cp|koi8|mac|shift_?jis|euc|gb|big5|iso2022|johab|ptcp|tis|kz).*")
_GENERATED = re.compile(
    rb"^[ \t]*(?:#|//|/?\*|--|;|%|<!--|\"\"\"|''')[^\n]*"
    rb"(?:@generated|DO NOT (?:EDIT|MODIFY)|auto(?:matically)?[ -]?generated)",
    re.IGNORECASE | re.MULTILINE,
)
_BUNDLER = re.compile(
    rb"^/\*{6}/|^[ \t]*// webpackBootstrap|^parcelRequire ?=|^// modules are defined as an array$|"
    rb"\A[\s!(;]*function.{0,600}Cannot find module",
    re.MULTILINE,
)
_COOKIE = re.compile(rb"[ \t\f]*(?:#|//|/\*|;|%|--|\"|<!--).*?coding[:=][ \t]*([-\w.]+)")


class Decoded(NamedTuple):
    text: str
    encoding: str


def reason_to_skip(path: str, data: bytes) -> str:
    """'' for text that people read, else BINARY, EXPORT, MADE, MINIFIED or BUNDLE.

    Binary: NUL in the first 8 KiB (UTF-16 and UTF-32 with their mark are text), or neither UTF-8 nor of a declared
    encoding while over 2 % of the first 8 KiB are control characters. Minified: .js and .css of 2 KiB or more with over
    half of the bytes in lines longer than 500. Bundle: .js and .css that begin like the output of webpack, browserify
    and parcel, or over 64 KiB with a mark of generated code. Generated code in other languages is code.
    """
    head = data[:_HEAD]
    if _mark(head) is None:
        if b"\0" in head:
            return BINARY
        if _controls(head) * 50 > len(head) and not _is_utf8(data) and not _decode_as_declared(data):
            return BINARY
    if head.startswith(_EXPORTS) and (path.endswith(".graphml") or b'"repo_node_id":' in data):
        return EXPORT
    if head.startswith(_PAGE) and path.lower().endswith((".html", ".htm")):
        return EXPORT
    if is_own(path, data):
        return MADE
    if not path.lower().endswith(BUNDLED_SUFFIXES):
        return ""
    if _BUNDLER.search(head[:2048]) or (len(data) > _BUNDLE_BYTES and is_generated(data)):
        return BUNDLE
    if len(data) >= 2048:
        long = sum(length for length in map(len, data.split(b"\n")) if length > _LONG_LINE)
        if long * 2 > len(data):
            return MINIFIED
    return ""


def is_named_only(path: str) -> bool:
    """Whether a file is input by its name, whatever its bytes are."""
    name = path[path.rfind("/") + 1 :]
    return "." in name and name[name.rfind(".") :].lower() in NAMED_SUFFIXES


def is_generated(data: bytes) -> bool:
    """Whether the first lines say that a tool wrote the file."""
    return _GENERATED.search(data, 0, 1024) is not None


def decode(data: bytes) -> Decoded:
    """Always returns text: decoded by byte order mark, as UTF-8, by a declared encoding (PEP 263), else as Latin-1.

    Invariant: the number of newlines does not change.
    """
    if mark := _mark(data):
        encoding, length = mark
        return Decoded(data[length:].decode(encoding, "replace").lstrip("\ufeff"), encoding)
    try:
        return Decoded(data.decode(), "utf-8")
    except UnicodeDecodeError:
        return _decode_as_declared(data) or Decoded(data.decode("latin-1"), "latin-1")


def normalise(data: bytes) -> bytes:
    """UTF-8 without a byte order mark: the form that parsers, offsets and hashes use. Line ends stay.

    Idempotent: normalise(normalise(data)) is normalise(data).
    """
    if _mark(data) is None and _is_utf8(data):
        return data
    return decode(data).text.encode()


def _mark(data: bytes) -> tuple[str, int] | None:
    """Encoding and length of the byte order mark. UTF-32's little-endian mark begins like UTF-16's."""
    if data[:1] not in (b"\xef", b"\xff", b"\xfe", b"\0"):
        return None
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        if data.startswith(mark):
            return encoding, len(mark)
    return None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _controls(head: bytes) -> int:
    return len(head) - len(head.translate(None, _CONTROLS))


def _decode_as_declared(data: bytes) -> Decoded | None:
    """By the encoding that one of the first two lines declares, if it is a plain superset of ASCII and fits."""
    for line in data.split(b"\n", 2)[:2]:
        if match := _COOKIE.match(line):
            try:
                encoding = codecs.lookup(match[1].decode("ascii", "replace")).name
                text = data.decode(encoding) if _FAMILIES.fullmatch(encoding.replace("-", "_")) else ""
            except (LookupError, ValueError):
                return None
            same_lines = text.count("\n") == data.count(b"\n")
            return Decoded(text, encoding) if same_lines and match[0].decode("ascii", "replace") in text else None
    return None
