"""`rpg completion`: what a shell has to run so that it completes commands, options and their values.

In: the name of a shell. Out: its script.
"""

from __future__ import annotations

import json
import os

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

from rpg.cli.terminal.output import say
from rpg.errors import BadRequest

SHELLS = ("bash", "zsh", "fish", "powershell")
POWERSHELL = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq "") { $words += "" }
    $env:COMP_WORDS = ($words | ConvertTo-Json -Compress -AsArray)
    $env:%(complete_var)s = "powershell_complete"
    try {
        %(prog_name)s | ForEach-Object {
            $kind, $value, $help = $_.Split("`t", 3)
            if ($kind -eq "plain") {
                if (-not $help) { $help = $value }
                [System.Management.Automation.CompletionResult]::new($value, $value, "ParameterValue", $help)
            } else {
                [System.Management.Automation.CompletionCompleters]::CompleteFilename($wordToComplete)
            }
        }
    } finally {
        Remove-Item Env:%(complete_var)s, Env:COMP_WORDS
    }
}
"""


class PowerShellComplete(ShellComplete):
    """The words are JSON in COMP_WORDS, the last is the one to complete; a line a candidate comes back."""

    name = "powershell"
    source_template = POWERSHELL

    def get_completion_args(self) -> tuple[list[str], str]:
        words = json.loads(os.environ["COMP_WORDS"])
        return [str(word) for word in words[1:-1]], str(words[-1]) if len(words) > 1 else ""

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type}\t{item.value}\t{(item.help or '').replace(chr(10), ' ')}"


add_completion_class(PowerShellComplete)


@click.command(short_help="Print a shell's completion script")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(context: click.Context, shell: str) -> int:
    """Print the script that completes commands, options and their values.

    \b
    bash, in ~/.bashrc:                    eval "$(rpg completion bash)"
    zsh, in ~/.zshrc:                      eval "$(rpg completion zsh)"
    fish, in ~/.config/fish/config.fish:   rpg completion fish | source
    PowerShell 7, in $PROFILE:             rpg completion powershell | Out-String | Invoke-Expression
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise BadRequest(f"there is no completion for {shell}")
    top = context.find_root()
    say(found(top.command, {}, "rpg", "_RPG_COMPLETE").source())
    return 0
