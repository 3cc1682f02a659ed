"""`rpg completion`: what a shell has to run so that it completes commands, options and their values.

In: the name of a shell. Out: its script.
"""

from __future__ import annotations

import click

from rpg.cli.terminal.output import say
from rpg.errors import BadRequest

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print a shell's completion script")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the script that completes commands, options and their values.

    \b
    bash, in ~/.bashrc:                    eval "$(rpg completion bash)"
    zsh, in ~/.zshrc:                      eval "$(rpg completion zsh)"
    fish, in ~/.config/fish/config.fish:   rpg completion fish | source
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise BadRequest(f"there is no completion for {shell}")
    top = context.find_root()
    say(found(top.command, {}, "rpg", "_RPG_COMPLETE").source())
    return 0
