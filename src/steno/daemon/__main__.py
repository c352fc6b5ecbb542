"""The daemon as `steno up` and the service start it: in the background, writing nothing but its log."""

import os
import signal
import sys

from steno.daemon.run import until_told
from steno.settings import home_of
from steno.vocabulary.errors import StenoError


def main() -> int:
    """Run until told to stop."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        return until_told(home_of(os.environ), echo=False)
    except StenoError as error:
        print(f"steno: {error.message}" + (f"\n  → {error.hint}" if error.hint else ""), file=sys.stderr)
        return error.exit_code


sys.exit(main())
