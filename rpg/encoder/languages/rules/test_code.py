"""Which code is test code; how runners recognise it is in tests.py."""

from __future__ import annotations

from collections.abc import Iterable

from rpg.encoder.facts import TEST, Definition
from rpg.encoder.languages.tests import Tests


class TestRules:
    tests = Tests(functions="test")

    @classmethod
    def is_test(cls, path: str) -> bool:
        """Whether a file is a test file or test support."""
        return cls.tests.is_test_file(path)

    @classmethod
    def is_test_code(cls, path: str, definitions: Iterable[Definition]) -> bool:
        """The same by what is in the file: without tests it may be what a package ships for the tests of others."""
        if not cls.is_test(path):
            return False
        if not cls.tests.shipped or not cls.tests.is_shipped(path):
            return True
        prefix = cls.tests.functions
        return any(each.kind in ("function", "method") and each.name.startswith(prefix) for each in definitions)

    @classmethod
    def is_run(cls, path: str) -> bool:
        """Whether a runner looks for tests in a file: only there a title makes one."""
        return path.endswith(cls.tests.run) if cls.tests.run else cls.is_test(path)

    def is_test_function(self, definition: Definition) -> bool:
        """Whether a definition in a test file is a test."""
        prefix = self.tests.functions
        if definition.kind not in ("function", "method"):
            return False
        return TEST in definition.flags or (bool(prefix) and definition.name.lower().startswith(prefix))
