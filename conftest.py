"""Loaded before everything else: bytecode is kept somewhere.

Where Python is told to keep none, every worker would compile Hypothesis again, and each of some hundred processes that
tests start the whole product.
"""

import os
import sys
from pathlib import Path

if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(Path(__file__).parent / ".pytest_cache" / "bytecode")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
