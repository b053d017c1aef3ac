"""``fewlabels`` and ``python -m fewlabels``."""

from __future__ import annotations

import importlib.util
import sys


def main() -> int:
    """Run the command line, or say which extra brings it."""
    for library in ("click", "rich"):
        if importlib.util.find_spec(library) is None:
            print(f"Error: the command line needs {library}: pip install 'fewlabels[cli]'.", file=sys.stderr)
            return 2
    from .cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
