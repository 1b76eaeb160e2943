import numpy as np

query = [[1, 0, 1, -1], [2, 1, 0, 1], [-1, 2, 1, 0], [0, 1, -2, 1], [1, -1, 1, 2]]
key = [[1, 1, 0, -1], [0, 2, -1, 1], [2, 0, 1, 1], [-1, 1, 1, 0], [1, -1, 2, 2]]
value = [[3, 0], [1, 2], [-1, 2], [-2, 0], [0, -2]]
mask = np.tri(5, dtype=bool).tolist()  # True = the key takes part

query, key, value = (np.array(a, dtype=float) for a in (query, key, value))
mask = np.array(mask)
additive = np.where(mask, 0.0, -np.inf)  # the same mask, to be added
allowed = mask.sum(axis=-1)
with np.errstate(divide="ignore"):
    ceiling = np.log(allowed)  # −inf for a query without keys


def masked_softmax(logits):
    logits = logits + additive
    peak = logits.max(axis=-1, keepdims=True)
    # A row without keys has peak −inf: it gets zeros here, not NaN.
    e = np.exp(logits - np.where(np.isinf(peak), 0, peak))
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)


def entropy(weights):
    nats = -np.sum(weights * np.log(np.where(weights > 0, weights, 1)), axis=-1)
    return np.where(weights.any(axis=-1), nats, np.nan)  # all zeros are no distribution


scores = query @ key.T
raw = masked_softmax(scores)
scaled = masked_softmax(scores / np.sqrt(query.shape[-1]))
output = scaled @ value

print("allowed keys   ", allowed)
print("ceiling (nats) ", ceiling.round(3))
print("entropy, scaled", entropy(scaled).round(3))
print("entropy, raw   ", entropy(raw).round(3))
print("scaled weights\n", scaled.round(3))
print("output\n", output.round(3))
