"""Drawing random numbers and working on them go on side by side, in two threads.

NumPy lets go of the interpreter while it draws and while it calculates, so that a second
processor can multiply and measure one block while the next is drawn. What is calculated, and in
which order, does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from types import TracebackType

THREADS = 4
"""Pipelines that run at a time, at most; others wait for a thread."""

_POOL = ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="sweep")
"""Threads for all pipelines: starting one anew costs as much as measuring a thousand rows."""


class Pipeline:
    """Run jobs one after the other, at most one at a time, in a second thread.

    Two buffers are enough to draw into one while a job reads the other: `submit` returns when all
    jobs before the one submitted are done.

    Parameters
    ----------
    threaded
        False runs each job at once, in the caller's thread: for a run so short that waking
        another is not worth it.
    """

    def __init__(self, *, threaded: bool) -> None:
        self._threaded = threaded
        self._last: Future[int] | int = 0

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(self._last, Future):
            wait([self._last])  # it may still work on memory that the next run is lent

    def submit(self, job: Callable[[], int], /) -> int:
        """Start a job once the one before is done, and return what that one has returned."""
        before = self.finish()
        self._last = _POOL.submit(job) if self._threaded else job()
        return before

    def finish(self) -> int:
        """Wait until no job runs; return what the last one has returned, 0 if there was none."""
        last, self._last = self._last, 0
        return last if isinstance(last, int) else last.result()
