import numpy as np
import pytest
import scipy.stats

from core import sampling
from core._scratch import Scratch

ALPHA = 1e-4  # of some hundred comparisons with fixed seeds, so that chance alone fails none


def scores_of(engine, rng, d_k, **setting):
    return np.concatenate([job().copy() for _, job in engine(rng, d_k, Scratch(), **setting)])


def plain_independent(rng, d_k, n_keys, n_trials, batch=200):
    """The published loop, as it was published."""
    blocks = []
    for start in range(0, n_trials, batch):
        rows = min(batch, n_trials - start)
        query = rng.standard_normal((rows, d_k))
        key = rng.standard_normal((rows, n_keys, d_k))
        blocks.append(np.einsum("bd,bkd->bk", query, key))
    return np.concatenate(blocks)


def plain_shared(rng, d_k, n_keys, n_queries, n_trials):
    blocks = []
    for _ in range(n_trials):
        query = rng.standard_normal((n_queries, d_k))
        key = rng.standard_normal((n_keys, d_k))
        blocks.append(query @ key.T)
    return np.concatenate(blocks)


def softmax_entropies(scores):
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return scipy.stats.entropy(weights, axis=-1)


class TestDrawnVectors:
    @pytest.mark.parametrize("d_k", [1, 3, 4, 16, 64, 256, 1024])
    def test_to_the_bit_the_published_loop_with_independent_keys(self, d_k):
        rngs = np.random.default_rng(20_260_718), np.random.default_rng(20_260_718)
        setting = {"n_keys": 12, "n_trials": 650}
        np.testing.assert_array_equal(
            scores_of(sampling.drawn_vectors, rngs[0], d_k, n_queries=1, **setting),
            plain_independent(rngs[1], d_k, **setting),
        )
        assert rngs[0].random() == rngs[1].random()  # and the next width starts where it would

    @pytest.mark.parametrize("d_k", [1, 4, 16, 64, 256, 1024])
    def test_to_the_bit_the_published_loop_with_shared_keys(self, d_k):
        rngs = np.random.default_rng(20), np.random.default_rng(20)
        setting = {"n_keys": 16, "n_queries": 16, "n_trials": 150}
        np.testing.assert_array_equal(
            scores_of(sampling.drawn_vectors, rngs[0], d_k, **setting),
            plain_shared(rngs[1], d_k, **setting),
        )
        assert rngs[0].random() == rngs[1].random()

    @pytest.mark.parametrize(
        ("d_k", "n_keys", "n_trials"), [(5000, 7, 30), (40_000, 3, 20), (4, 4096, 30)]
    )
    def test_rows_larger_than_a_block(self, d_k, n_keys, n_trials):
        batch = min(200, sampling.HELD // d_k)
        np.testing.assert_array_equal(
            scores_of(
                sampling.drawn_vectors,
                np.random.default_rng(3),
                d_k,
                n_keys=n_keys,
                n_queries=1,
                n_trials=n_trials,
            ),
            plain_independent(np.random.default_rng(3), d_k, n_keys, n_trials, batch),
        )

    @pytest.mark.parametrize(("n_queries", "n_keys"), [(3, 5), (2, 300), (300, 2), (300, 200)])
    def test_other_shapes_of_shared_keys(self, n_queries, n_keys):
        setting = {"n_keys": n_keys, "n_queries": n_queries, "n_trials": 11}
        np.testing.assert_array_equal(
            scores_of(sampling.drawn_vectors, np.random.default_rng(4), 9, **setting),
            plain_shared(np.random.default_rng(4), 9, **setting),
        )

    def test_trials_larger_than_what_is_held_come_in_slices_of_coordinates(self):
        n_queries, n_keys, d_k = 3, 4, 200_000
        setting = {"n_keys": n_keys, "n_queries": n_queries, "n_trials": 2}
        found = scores_of(sampling.drawn_vectors, np.random.default_rng(5), d_k, **setting)
        rng = np.random.default_rng(5)
        step = sampling.HELD // (n_queries + n_keys)
        expected = np.zeros((2, n_queries, n_keys))
        for trial in expected:
            for first in range(0, d_k, step):
                query = rng.standard_normal((n_queries, min(step, d_k - first)))
                trial += query @ rng.standard_normal((n_keys, min(step, d_k - first))).T
        np.testing.assert_allclose(found, expected.reshape(-1, n_keys), rtol=1e-11)

    @pytest.mark.parametrize("n_queries", [1, 5])
    def test_counts_what_it_draws(self, n_queries):
        setting = {"n_keys": 7, "n_queries": n_queries, "n_trials": 450}
        jobs = sampling.drawn_vectors(np.random.default_rng(1), 33, Scratch(), **setting)
        counts = np.array([(drawn, len(job())) for drawn, job in jobs])
        assert counts.sum(axis=0).tolist() == [450 * (n_queries + 7) * 33, 450 * n_queries]


class TestExactLaw:
    @pytest.mark.parametrize("engine", [sampling.drawn_vectors, sampling.exact_law])
    def test_at_width_two_a_score_is_laplace(self, engine):
        # q₁k₁ + q₂k₂ has the characteristic function 1/(1 + t²).
        rng = np.random.default_rng(8)
        scores = scores_of(engine, rng, 2, n_keys=2, n_queries=1, n_trials=20_000)
        assert scipy.stats.kstest(scores[:, 0], "laplace").pvalue > ALPHA

    @pytest.mark.parametrize("n_keys", [2, 12, 100])
    @pytest.mark.parametrize("d_k", [1, 3, 16, 64])
    def test_same_law_as_drawn_vectors_with_independent_keys(self, d_k, n_keys):
        setting = {"n_keys": n_keys, "n_queries": 1, "n_trials": 3000}
        drawn = scores_of(sampling.drawn_vectors, np.random.default_rng(6), d_k, **setting)
        exact = scores_of(sampling.exact_law, np.random.default_rng(7), d_k, **setting)
        for statistic in (
            lambda s: s[:, 0],
            lambda s: (s**2).mean(axis=1),
            lambda s: s.max(axis=1) - s.min(axis=1),
            softmax_entropies,
            lambda s: softmax_entropies(s / np.sqrt(d_k)),
        ):
            assert scipy.stats.ks_2samp(statistic(drawn), statistic(exact)).pvalue > ALPHA

    @pytest.mark.parametrize(
        ("n_queries", "n_keys", "d_k"),
        # d_k below, at and above the smaller side; either side the smaller.
        [(16, 16, 4), (16, 16, 16), (16, 16, 64), (6, 12, 3), (12, 6, 9), (12, 6, 2), (3, 5, 1)],
    )
    def test_same_law_as_drawn_vectors_with_shared_keys(self, n_queries, n_keys, d_k):
        trials = 3000
        setting = {"n_keys": n_keys, "n_queries": n_queries, "n_trials": trials}
        shape = trials, n_queries, n_keys
        drawn = scores_of(sampling.drawn_vectors, np.random.default_rng(9), d_k, **setting)
        exact = scores_of(sampling.exact_law, np.random.default_rng(10), d_k, **setting)
        rank = min(n_queries, n_keys, d_k)

        def singular(s, which):
            return np.linalg.svd(s, compute_uv=False)[:, which]

        for statistic in (
            lambda s: (s**2).mean(axis=(1, 2)),
            lambda s: singular(s, 0),
            lambda s: singular(s, rank - 1),
            lambda s: softmax_entropies(s).mean(axis=1),
            # How alike two rows, and two columns, of a trial are.
            lambda s: (s[:, 0] * s[:, -1]).sum(axis=1),
            lambda s: (s[:, :, 0] * s[:, :, -1]).sum(axis=1),
            # The last row and column are where a wrong factor would show.
            lambda s: (s[:, -1] ** 2).sum(axis=1),
            lambda s: (s[:, :, -1] ** 2).sum(axis=1),
            lambda s: s[:, -1, -1],
        ):
            found = scipy.stats.ks_2samp(
                statistic(drawn.reshape(shape)), statistic(exact.reshape(shape))
            )
            assert found.pvalue > ALPHA

    def test_rank_of_a_trial_is_the_width(self):
        scores = scores_of(
            sampling.exact_law, np.random.default_rng(2), 3, n_keys=9, n_queries=8, n_trials=5
        )
        assert (np.linalg.matrix_rank(scores.reshape(5, 8, 9)) == 3).all()

    @pytest.mark.parametrize(("n_queries", "n_keys"), [(300, 200), (200, 300)])
    def test_trials_larger_than_a_block(self, n_queries, n_keys):
        # Mean squares of one trial vary by about √(2/n_q n_k + 4/…d) of d_k.
        setting = {"n_keys": n_keys, "n_queries": n_queries, "n_trials": 20}
        scores = scores_of(sampling.exact_law, np.random.default_rng(3), 10_000, **setting)
        assert scores.shape == (20 * n_queries, n_keys)
        squares = (scores**2).reshape(20, -1).mean(axis=1) / 10_000
        np.testing.assert_allclose(squares, 1, atol=5 * np.sqrt(2 / (n_queries * n_keys)) + 0.01)
        # Rows of one trial share its keys, and are uncorrelated all the same.
        rows = scores[:n_queries] / 100
        np.testing.assert_allclose(np.corrcoef(rows)[0, 1:], 0, atol=5 / np.sqrt(n_keys))

    def test_widest_head(self):
        scores = scores_of(
            sampling.exact_law,
            np.random.default_rng(4),
            2**20,
            n_keys=12,
            n_queries=1,
            n_trials=9000,
        )
        assert scipy.stats.kstest(scores.ravel() / 2**10, "norm").pvalue > ALPHA

    @pytest.mark.parametrize(
        ("n_queries", "n_keys", "d_k", "per_trial"),
        [(1, 7, 100, 8), (4, 4, 9, 10 + 16), (4, 9, 2, 7 + 18), (9, 4, 2, 7 + 18)],
    )
    def test_counts_what_it_draws(self, n_queries, n_keys, d_k, per_trial):
        setting = {"n_keys": n_keys, "n_queries": n_queries, "n_trials": 1500}
        jobs = sampling.exact_law(np.random.default_rng(1), d_k, Scratch(), **setting)
        counts = np.array([(drawn, len(job())) for drawn, job in jobs])
        assert counts.sum(axis=0).tolist() == [1500 * per_trial, 1500 * n_queries]
