"""The runtime of the models tells nobody anything."""

import os
import subprocess
import sys


def test_the_runtime_is_told_to_tell_nobody_before_it_is_loaded() -> None:
    """What it says when it is loaded, it says before anybody could call it."""
    code = """
import importlib, os
from steno.embedding import base
base.import_module = lambda _: print(os.environ.get("ORT_DISABLE_TELEMETRY"))
base.needed("onnxruntime")
"""
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"
