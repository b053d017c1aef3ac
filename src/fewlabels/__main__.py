"""``fewlabels`` and ``python -m fewlabels``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line, or say which extra brings it."""
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ImportError as error:
        print(f"Error: the command line needs {error.name}: pip install 'fewlabels[cli]'", file=sys.stderr)
        return 2
    from .cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
