"""The `drystone` command."""

import sys

from ._drystone import run_command


def main() -> int:
    """Does what was typed and returns the exit code."""
    if sys.argv[1:2] == ["sweep"]:
        from .sweep import command

        return command(sys.argv[2:])
    sys.stdout.flush()
    return run_command(["drystone", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
