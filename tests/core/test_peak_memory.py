"""Memory of attention, measured in a process of its own."""

import subprocess
import tracemalloc

import pytest

from core.peak_memory import KEY_TILE, QUERY_TILE, peak_memory


class TestPeakMemory:
    def test_dense_grows_with_the_square_and_tiles_do_not(self):
        once, twice = peak_memory(512, 32), peak_memory(1024, 32)
        assert (once.n, twice.n) == (512, 1024)
        assert 3.8 < twice.dense / once.dense < 4.2
        assert twice.dense >= 4 * 1024**2
        assert 4 * QUERY_TILE * KEY_TILE < twice.tiled < 2 * once.tiled

    def test_this_process_is_not_traced(self, monkeypatch):
        monkeypatch.setattr(tracemalloc, "start", pytest.fail)
        peak_memory(64, 4)

    def test_what_cannot_be_measured_raises(self):
        with pytest.raises(subprocess.SubprocessError):
            peak_memory(-1, 4)
