"""Load the libraries that pages need, once and in one thread.

Many readers may arrive while the server still loads. Two threads that import parts of one package
at a time, one the whole and the other a part, would each wait for the other; Python then hands out
a module that is not complete, and a page fails. So whoever comes first loads, and all others wait.
"""

import gc
from importlib import import_module
from threading import Lock

_ONE_AT_A_TIME = Lock()


def load_libraries() -> None:
    """Import Plotly and core, or wait until they are imported."""
    with _ONE_AT_A_TIME:
        for library in ("plotly.graph_objects", "core"):
            import_module(library)


def preload() -> None:
    """Load what the first page needs, while the server already answers."""
    load_libraries()
    # What is loaded by now stays until the end: no collection need look at it, and the end is
    # quicker. And with a crowd, what a change leaves behind need not be looked for so often.
    gc.freeze()
    gc.set_threshold(3_000)
