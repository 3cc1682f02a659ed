"""A page in headless Chromium, as a user has it: without a network, with a keyboard.

Chromium is the system's (Debian: `chromium`), driven over its own protocol by Playwright. What it cannot find is
skipped with the reason.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
PLACES = ("/usr/lib/chromium/chromium", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def found() -> str:
    """The program itself rather than a script that starts it; empty if there is none."""
    return next((each for each in PLACES if Path(each).exists()), "") or next(
        filter(None, map(shutil.which, NAMES)), ""
    )


needs_browser = pytest.mark.skipif(not found(), reason="there is no Chromium here: apt install chromium")


class Opened:
    """A page, with everything that it complained of and asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def open(self, address: str) -> None:
        self.page.goto("about:blank")
        self.requests.clear()
        self.page.goto(address)
        self.page.wait_for_selector("#main > *")

    def go(self, place: str) -> None:
        """To another place of the same page."""
        self.page.evaluate("place => { location.hash = place; }", place)
        self.page.wait_for_function("place => document.getElementById('main').childElementCount > 0", arg=place)

    def text(self, selector: str = "#main") -> str:
        return str(self.page.inner_text(selector))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self) -> str:
        """What has the focus, by its name for a screen reader, else its text."""
        return str(
            self.page.evaluate("(at => at.getAttribute('aria-label') || at.id || at.innerText)(document.activeElement)")
        ).strip()


@contextmanager
def chromium() -> Iterator[Any]:
    """The program; one at a time, since Playwright runs a loop of its own until it ends."""
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=found(), args=arguments)
        try:
            yield program
        finally:
            program.close()


@contextmanager
def browser(program: Any, *, width: int = 1280, dark: bool = False, **options: Any) -> Iterator[Opened]:
    """A window of its own, with nothing kept from others."""
    context = program.new_context(
        viewport={"width": width, "height": 800},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        **options,
    )
    context.set_default_timeout(60_000)
    try:
        yield Opened(context.new_page())
    finally:
        context.close()


def violations(page: Any) -> list[str]:
    """What axe finds that is serious or worse: rule and elements."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {[node['html'][:120] for node in each['nodes'][:3]]}"
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
