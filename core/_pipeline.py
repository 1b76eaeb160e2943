"""Drawing random numbers and working on them go on side by side, in two threads.

NumPy lets go of the interpreter while it draws and while it calculates, so that a second
processor can multiply and measure one block while the next is drawn. What is calculated, and in
which order, does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType


class Pipeline:
    """Run jobs one after the other, at most one at a time, in a second thread.

    Two buffers are enough to draw into one while a job reads the other: `submit` returns when all
    jobs before the one submitted are done.

    Parameters
    ----------
    threaded
        False runs each job at once, in the caller's thread: for a run so short that starting a
        thread is not worth it.
    """

    def __init__(self, *, threaded: bool) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1) if threaded else None
        self._last: Future[int] | int = 0

    def __enter__(self) -> Pipeline:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._thread is not None:
            self._thread.shutdown()

    def submit(self, job: Callable[[], int], /) -> int:
        """Start a job once the one before is done, and return what that one has returned."""
        before = self.finish()
        self._last = job() if self._thread is None else self._thread.submit(job)
        return before

    def finish(self) -> int:
        """Wait until no job runs; return what the last one has returned, 0 if there was none."""
        last, self._last = self._last, 0
        return last if isinstance(last, int) else last.result()
