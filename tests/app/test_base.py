"""Figures as they are handed over while pages are served."""

import json

import numpy as np
from charts.base import Prepared


class TestPrepared:
    def test_arrays_become_lists(self):
        trace = {"x": np.arange(3), "error_y": {"array": (np.float64(0.5), None)}}
        figure = Prepared({"data": [trace], "layout": {"height": np.int64(4)}})
        assert json.loads(json.dumps(figure.to_dict())) == {
            "data": [{"x": [0, 1, 2], "error_y": {"array": [0.5, None]}}],
            "layout": {"height": 4},
        }
