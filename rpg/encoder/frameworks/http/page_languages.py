"""The languages of templates whose forms and links send requests.

In: nothing. Out: a table.
"""

from typing import Final

LANGUAGES: Final = frozenset("html erb blade page_template haml slim eex".split())
