import numpy as np

n = 512
d_k = 64
causal = False
tile = 128  # keys in a tile

rng = np.random.default_rng(1)
query, key, value = rng.standard_normal((3, n, d_k)).astype(np.float32)
allowed = np.tri(n, dtype=bool) if causal else np.ones((n, n), dtype=bool)


def scores(keys):
    return np.where(allowed[:, keys], query @ key[keys].T / np.sqrt(np.float32(d_k)), -np.inf)


# Dense: one table of n × n scores.
table = scores(slice(None))
e = np.exp(table - table.max(axis=-1, keepdims=True))
dense = e @ value / e.sum(axis=-1, keepdims=True)

# Tiled: softmax is continued from tile to tile, and each tile is forgotten.
top = np.full((n, 1), -np.inf)
total = np.zeros((n, 1))
mixed = np.zeros((n, d_k))
for start in range(0, n, tile):
    keys = slice(start, start + tile)
    s = scores(keys)
    peak = np.maximum(top, s.max(axis=-1, keepdims=True))
    e = np.exp(s - peak)
    carried = np.exp(top - peak)  # rescales what was summed under a smaller maximum
    total = total * carried + e.sum(axis=-1, keepdims=True)
    mixed = mixed * carried + e @ value[keys]
    top = peak
tiled = mixed / total

difference = float(np.abs(tiled - dense).max())
print("largest difference:", difference)
print("all scores, bytes: ", table.nbytes)
