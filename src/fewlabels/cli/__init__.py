"""The command line: thin, and the only place that turns errors into exit codes."""

from __future__ import annotations

import sqlite3

import click

from fewlabels.errors import FewlabelsError

from .commands import cli


def run(arguments: list[str]) -> int:
    """Run a command; bad input is one sentence and exit code 2, never a traceback unless asked for."""
    debug = "--debug" in arguments
    try:
        cli.main([one for one in arguments if one != "--debug"], prog_name="fewlabels", standalone_mode=False)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort:
        return 130
    except click.ClickException as error:
        error.show()
        return 2
    except (FewlabelsError, OSError, sqlite3.Error) as error:
        if debug:
            raise
        said = str(error) if isinstance(error, FewlabelsError) else _in_words(error)
        click.echo(f"Error: {said}", err=True)
        return 2
    return 0


def _in_words(error: OSError | sqlite3.Error) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}; check the name and who may write there."
    return f"{error}; check that the file can be written and that no other program holds it."
