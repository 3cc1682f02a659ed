"""The languages of templates whose forms and links send requests, and the code of Rails that names routes.

In: nothing. Out: a table, a pattern for paths.
"""

import re
from typing import Final

LANGUAGES: Final = frozenset("html erb blade page_template haml slim eex".split())
OF_RAILS: Final = re.compile(
    r"(?:^|/)app/(?:helpers|controllers|mailers|components|presenters|decorators|views)/.*\.rb$"
)
"""Code of Rails that calls the helpers of routes."""
