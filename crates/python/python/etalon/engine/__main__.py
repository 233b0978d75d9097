"""The command line of `python -m etalon.engine`; `etalon engine` hands its words on to it."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from .._errors import EtalonError
from . import _arguments


def main(words: Sequence[str] | None = None) -> int:
    """Runs a command. The exit status: 0 all accepted, 1 something is off, 2 wrong usage or unreadable input."""
    arguments = _arguments.parser().parse_args(words)
    try:
        return int(arguments.run(arguments))
    except (EtalonError, ModuleNotFoundError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        return 2


if __name__ == "__main__":
    sys.exit(main())
