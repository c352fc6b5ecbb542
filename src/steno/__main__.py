"""`python -m steno` is `steno`."""

from steno.cli import main

main()
