"""Takes secrets out of text before anything is written down.

Why a room of its own: capture, `steno store redact` and the doors must agree on what a
secret is, and the engine must stay linear in the length of text nobody controls.
"""

from steno.redact.extra import BadPattern
from steno.redact.marker import MARK, without_markers
from steno.redact.private import hide_private
from steno.redact.redactor import Cleaned, Redactor

__all__ = ["MARK", "BadPattern", "Cleaned", "Redactor", "hide_private", "without_markers"]
