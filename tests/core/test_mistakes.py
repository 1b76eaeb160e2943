"""The snippets are run as readers would run them, and must give what core computes."""

import warnings

import numpy as np
import pytest

from core.masking import MASKING_EXAMPLE, build_mask
from core.mistake_results import make_mistake
from core.mistakes import MISTAKES, SETUP

VECTORS = (MASKING_EXAMPLE.query, MASKING_EXAMPLE.key, MASKING_EXAMPLE.value)
RNG = np.random.default_rng(7)
OTHERS = (RNG.standard_normal((3, 6)), RNG.standard_normal((4, 6)), RNG.standard_normal((4, 2)))


def run(code, vectors, *, magnitude, dtype="float16", seed=1, n_heads=8):
    """Run a snippet; return its names, and the warnings that NumPy gave."""
    query, key, value = vectors
    space = {
        "query": query * magnitude,
        "key": key,
        "value": value,
        "mask": build_mask(len(query), len(key), causal="upper-left"),
        "n_heads": n_heads,
        "dtype": dtype,
        "seed": seed,
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(SETUP + code, space)
    return space, {str(each.message).split()[0] for each in caught}


@pytest.fixture
def two_streams(monkeypatch):
    """Let generators without a seed be the two that core uses for them."""
    streams = iter([[1, 1], [1, 2]])
    seeded = np.random.default_rng

    def default_rng(seed=None):
        return seeded(next(streams) if seed is None else seed)

    monkeypatch.setattr(np.random, "default_rng", default_rng)


class TestMistakes:
    def test_every_record_is_whole(self):
        assert len(MISTAKES) == 12
        for name, mistake in MISTAKES.items():
            assert mistake.name == name
            assert mistake.wrong != mistake.right
            assert mistake.asked.startswith(
                ("PyTorch: ", "SciPy: ", "ONNX: ", "NumPy: ", "Keras: ", "Attention is all")
            )

    @pytest.mark.parametrize("vectors", [VECTORS, OTHERS], ids=["example", "other"])
    @pytest.mark.parametrize("name", MISTAKES)
    @pytest.mark.usefixtures("two_streams")
    def test_snippets_give_what_core_computes(self, name, vectors):
        mistake = MISTAKES[name]
        seen = make_mistake(name, *vectors)
        for code, side in ((mistake.wrong, seen.wrong), (mistake.right, seen.right)):
            space, warned = run(code, vectors, magnitude=mistake.magnitude)
            assert space["weights"].dtype == side.weights.dtype
            np.testing.assert_allclose(space["weights"], side.weights, rtol=1e-12, atol=1e-13)
            np.testing.assert_allclose(space["output"], side.output, rtol=1e-12, atol=1e-13)
            assert ("overflow" in warned) == side.overflowed

    @pytest.mark.parametrize("name", MISTAKES)
    def test_wrong_and_right_differ_in_a_line_or_two(self, name):
        mistake = MISTAKES[name]
        lines = [code.splitlines() for code in (mistake.wrong, mistake.right)]
        assert len(set(lines[0]) - set(lines[1])) <= 3

    @pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
    def test_overflow_in_each_format(self, dtype):
        # The largest scaled score is 4: times 8 it passes 11.09, times 24 it passes 88.72.
        for magnitude, overflows in ((2, []), (8, ["float16"]), (24, ["float16", "float32"])):
            mistake = MISTAKES["no-maximum"]
            seen = make_mistake("no-maximum", *VECTORS, magnitude=magnitude, dtype=dtype)
            space, warned = run(mistake.wrong, VECTORS, magnitude=magnitude, dtype=dtype)
            np.testing.assert_array_equal(space["weights"], seen.wrong.weights)
            assert seen.wrong.overflowed == (dtype in overflows) == ("overflow" in warned)
            assert seen.right.overflowed is False
            assert seen.right.n_undefined == 0

    def test_unseeded_runs_differ(self):
        code = MISTAKES["no-seed"].wrong
        first, second = (run(code, VECTORS, magnitude=1)[0]["weights"] for _ in range(2))
        assert (first != second).any()
        code = MISTAKES["no-seed"].right
        first, second = (run(code, VECTORS, magnitude=1)[0]["weights"] for _ in range(2))
        np.testing.assert_array_equal(first, second)
