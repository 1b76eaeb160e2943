import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.key_value_cache import kv_cache, kv_caches


class TestKvCache:
    def test_published_shape(self):
        # Llama 2 70B (arXiv:2307.09288): 80 layers, 64 heads of width 128, 8 key-value heads.
        cache = kv_cache(4096, n_heads=64, n_kv_heads=8, d_k=128, n_layers=80)
        assert cache.name == "grouped-query"
        assert cache.bytes_per_token == 2 * 80 * 8 * 128 * 2
        assert cache.bytes == 4096 * cache.bytes_per_token == 1280 * 2**20
        assert cache.share == 1 / 8

    @given(*[st.integers(1, 6)] * 6)
    def test_is_what_the_arrays_take(self, n, groups, kept, d_k, d_v, batch):
        cache = kv_cache(
            n, n_heads=groups * kept, n_kv_heads=kept, d_k=d_k, d_v=d_v, batch=batch, n_layers=2
        )
        arrays = [np.empty((2, batch, kept, n, width), np.float16) for width in (d_k, d_v)]
        assert cache.bytes == sum(array.nbytes for array in arrays)
        assert cache.share == pytest.approx(1 / groups)

    def test_names(self):
        names = [kv_cache(1, n_heads=4, n_kv_heads=kept, d_k=8).name for kept in (4, 2, 1)]
        assert names == ["multi-head", "grouped-query", "multi-query"]
        assert kv_cache(1, n_heads=1, n_kv_heads=1, d_k=8).name == "multi-head"

    def test_errors(self):
        with pytest.raises(ValueError, match="n_kv_heads must divide n_heads = 8"):
            kv_cache(1, n_heads=8, n_kv_heads=3, d_k=8)
        with pytest.raises(ValueError, match="batch must be 1 to"):
            kv_cache(1, n_heads=8, n_kv_heads=8, d_k=8, batch=0)


class TestKvCaches:
    def test_every_equal_sharing(self):
        caches = kv_caches(100, n_heads=12, d_k=64, d_v=32, n_layers=3, batch=2, dtype="float32")
        assert [cache.n_kv_heads for cache in caches] == [12, 6, 4, 3, 2, 1]
        assert caches[0].bytes == 100 * 2 * 3 * 12 * 96 * 4
        for cache in caches:
            assert cache.bytes == pytest.approx(caches[0].bytes * cache.share)

    def test_errors(self):
        with pytest.raises(ValueError, match="n_heads must be 1 to"):
            kv_caches(1, n_heads=0, d_k=8)
