"""Options that choose and configure a model: the same for `rpg ask` and `rpg serve`.

In: the user's options. Out: the model, or none. Nothing is loaded here: the first question does that.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rpg.models.answerer import Answerer


IF_NOT_NAMED = "RPG_MODEL, else the model of the extra llm"
IF_SERVED = "RPG_MODEL"
"""A server that nobody gave a model answers with evidence, at once: its client is a better model."""


def model_options(default: str = IF_NOT_NAMED) -> list[click.Option]:
    return [
        click.Option(
            ["--model"],
            default=None,
            metavar="FILE",
            show_default=default,
            help="GGUF file of the model that answers, smollm2, or none",
        ),
        click.Option(
            ["--context"],
            type=click.IntRange(512, 1 << 20),
            metavar="N",
            default=8192,
            show_default=True,
            help="Context size in tokens, for evidence and answer",
        ),
        click.Option(
            ["--threads"],
            type=click.IntRange(0, 1024),
            metavar="N",
            default=0,
            show_default="the cores; half of them above four",
            help="Threads for the model",
        ),
        click.Option(
            ["--gpu-layers"],
            type=click.IntRange(-1, 10_000),
            metavar="N",
            default=None,
            show_default="all if llama.cpp was built for a GPU",
            help="Layers to run on the GPU; -1: all",
        ),
        click.Option(
            ["--temperature"],
            type=click.FloatRange(0.0, 2.0),
            metavar="N",
            default=0.0,
            show_default=True,
            help="0: reproducible answers",
        ),
        click.Option(
            ["--seed"],
            type=click.IntRange(0),
            metavar="N",
            default=1,
            show_default=True,
            help="Used if temperature > 0",
        ),
    ]


def time_option() -> click.Option:
    return click.Option(
        ["--time-limit"],
        type=click.FloatRange(0.0),
        metavar="N",
        default=60.0,
        show_default=True,
        help="Seconds for an answer, which then ends with what there is; 0: none",
    )


def embedder_option() -> click.Option:
    return click.Option(
        ["--embedder"],
        default=None,
        metavar="MODEL",
        show_default="RPG_EMBEDDER",
        help="Model that makes search vectors: minilm, or a GGUF file",
    )


def take_answerer(arguments: dict[str, Any], *, or_packaged: bool = False) -> Answerer | None:
    """Takes the model's options out of the arguments. If no model is named, the packaged one, or without `or_packaged`
    none."""
    names = ("context", "threads", "gpu_layers", "temperature", "seed")
    model, options = arguments.pop("model"), {name: arguments.pop(name) for name in names}
    if "time_limit" in arguments:
        options["seconds"] = arguments.pop("time_limit")
    if not model and not os.environ.get("RPG_MODEL") and not or_packaged:
        return None
    from rpg.models.answerer import ModelOptions, choose_answerer

    return choose_answerer(model, ModelOptions(**options), or_packaged=or_packaged)
