"""The program `steno`."""

import sys

from steno import __version__


def main() -> None:
    """Run the command line. What is asked of every program is answered without importing it."""
    if sys.argv[1:] == ["--version"]:
        print(f"steno {__version__}")
        return
    from steno.cli.tree import main as run

    run()


if __name__ == "__main__":
    main()
