"""Everything Steno can be asked, one function each, by subject. See `table.py`."""

from steno.verbs import acting as _acting  # noqa: F401
from steno.verbs import capture as _capture  # noqa: F401
from steno.verbs import care as _care  # noqa: F401
from steno.verbs import entries as _entries  # noqa: F401
from steno.verbs import finding as _finding  # noqa: F401
from steno.verbs import fleet as _fleet  # noqa: F401
from steno.verbs import reviews as _reviews  # noqa: F401
from steno.verbs import store as _store  # noqa: F401
from steno.verbs import telling as _telling  # noqa: F401
from steno.verbs import why as _why  # noqa: F401
from steno.verbs.table import VERBS as VERBS
