"""What configuration says: each case is a small source, its snapshot the facts."""

from __future__ import annotations

import pytest
from listing import listed
from syrupy.assertion import SnapshotAssertion

CASES = {
    "Makefile": """
include common.mk
## Runs the tests.
test: lint src/shop.py
	cd src && ./run.sh $(ARGS)
	$(MAKE) clean
%.o: %.c
	cc -c $<
""",
    "Dockerfile": """
FROM python:3.12 AS base
WORKDIR /app
COPY --chown=me requirements.txt shop ./
FROM base
RUN pip install -r requirements.txt && ./main.py
CMD ["python", "-m", "shop"]
""",
    "pyproject.toml": """
[project.scripts]
shop = "shop.cli:Shop.open"
[tool.poe.tasks]
check = "python -m shop.check docs/a.md"
""",
    "package.json": '{"main": "lib", "scripts": {"build": "node ./make.js", "test": "npm run build"}}\n',
    "setup.cfg": """
[options.entry_points]
console_scripts =
    # the only one
    shop = shop.cli:open
[tool:pytest]
testpaths = tests
""",
    "compose.yaml": """
services:
  web:
    build: {context: ./web}
    depends_on: [db]
  db: {image: postgres}
""",
}


@pytest.mark.parametrize("path", CASES)
def test_facts(path: str, snapshot: SnapshotAssertion) -> None:
    assert listed(path, CASES[path]) == snapshot
