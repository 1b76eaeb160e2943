import numpy as np

query = [[1.0, 1.0, 1.0]]
key = [[1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]
value = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
magnitude = 1.0  # factor on the queries, at which the mistake shows

query, key, value = np.array(query) * magnitude, np.array(key), np.array(value)
d_k = query.shape[-1]


def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


scores = query @ key.T / np.sqrt(d_k)
weights = softmax(scores)
output = weights @ value

# Three checks that find most mistakes.
row_sums = weights.sum(axis=-1)
entropy = -np.sum(weights * np.log(np.maximum(weights, 1e-300)), axis=-1)
order_kept = np.array_equal(weights.argsort(axis=-1), scores.argsort(axis=-1))

print("weights\n", weights.round(4))
print("row sums      ", row_sums)
print("entropy (nats)", entropy.round(4), "of at most", np.log(key.shape[0]).round(4))
print("order kept    ", order_kept)
